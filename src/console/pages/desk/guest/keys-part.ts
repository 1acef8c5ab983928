import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, chip, Dialog, type Kind, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { later } from '../../lib/controls/later.ts'
import { linked } from '../../lib/controls/linked.ts'
import { momentText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { textOf } from '../../lib/server/message.ts'
import type { Reading } from '../../lib/server/read.ts'
import { type Controller, isCurrent, type Key } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { forgetMaking, isMaking, makings } from '../cards/making.ts'
import { keyInHand } from '../cards/reading.ts'
import { cardTexts } from '../cards/texts.ts'
import { CardWay } from '../cards/way.ts'
import { onlyCommon } from '../stay/open-doors.ts'
import { orderOriginals } from '../stay/order-cards.ts'
import { hasRoom, type ShownStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { blockedNotice, nameOf } from './lost-key.ts'
import { isLive, NewCards } from './new-cards.ts'

const Lost = later(async () => (await import('./stay-dialogs.ts')).Lost)

interface KeysOptions {
  shown: ShownStay
  keys: Reading<Resource<Key>[]>
  controllers: readonly Resource<Controller>[]
  controller: Resource<Controller> | null
  choose: (id: string) => void
}

const isOver = ({ attributes }: Resource<Key>) => !isCurrent(attributes) && !attributes.mayOpen
const isDoubtful = ({ attributes }: Resource<Key>) => !isCurrent(attributes) && attributes.mayOpen

/** The keys of a stay: those that open, those that may still open, and the keys that can be made. */
export function Keys(options: KeysOptions): View {
  const { shown, keys, controller } = options
  const { stay } = shown
  const all = keys.data ?? []
  const current = all.filter((each) => !isOver(each))
  useCardForgotten(stay.id, all)
  const [lost, setLost] = useState<Resource<Key> | null>(null)
  const [answered, setBlocked] = useState<Resource<Key> | null>(null)
  const blocked = newest(all, answered)
  const [room, setRoom] = useState('')
  const [replaced, setReplaced] = useState<string | null>(null)
  const mayMake =
    may('keys.issue') && controller !== null && stay.attributes.status === 'InHouse' && hasRoom(stay)
  // Until the keys are read, a first card could end cards that the page does not know.
  const isFree = mayMake && keys.data !== undefined && !isMaking(stay.id)
  const toLose = may('keys.block') ? (all.find(isLive) ?? null) : null
  useShortcuts(toLose ? [{ key: 'l', name: g.value.lost, run: () => setLost(toLose) }] : [], [toLose?.id])
  return el.section(
    { class: 'stack' },
    el.h3(null, g.value.keys),
    keys.problem && failure(keys.problem, keys.readAgain),
    inHand(stay.id, all),
    blocked && blockedNotice(blocked, all, () => setBlocked(null)),
    h(CardWay, { subject: stay.id }),
    keys.data && current.length === 0 && !isMaking(stay.id) && el.p(null, g.value.noKey),
    current
      .filter((each) => !isDoubtful(each))
      .map((each) => keyLine(each, () => setLost(each), each === toLose)),
    mayMake && notReady(controller),
    isFree && h(NewCards, { ...options, controller, all: current, room, setRoom, replace: setReplaced }),
    // Revoked cards that may still open come after the actions, because there may be many.
    current.filter(isDoubtful).map((each) => keyLine(each, () => setLost(each))),
    older(all.filter(isOver)),
    replaced !== null &&
      h(Replace, {
        room: replaced,
        onClose: () => setReplaced(null),
        onYes: () => {
          setReplaced(null)
          if (controller) void orderOriginals(shown, controller, [replaced])
        },
      }),
    lost &&
      h(Lost, {
        lost,
        onClose: () => setLost(null),
        onBlocked: (key) => {
          setBlocked(key)
          keys.readAgain()
        },
      }),
  )
}

/** Forgets the card that was read when the sheet closes, and the card that was made when it is over. */
function useCardForgotten(stayId: string, all: readonly Resource<Key>[]): void {
  const making = makings.value.get(stayId)
  const made = making?.ending === 'inHand' ? all.find(({ id }) => id === making.order.keyId) : undefined
  const isMadeOver = made !== undefined && !isCurrent(made.attributes)
  useEffect(
    () => () => {
      if (keyInHand.value?.attributes.stayId === stayId) keyInHand.value = null
    },
    [stayId],
  )
  // After a loss, a move or the check-out, the guest no longer has the card in hand.
  useEffect(() => {
    if (isMadeOver) forgetMaking(stayId)
  }, [isMadeOver])
}

/** Says which of the keys is on the card that the clerk has just read, because the sheet shows all of them. */
function inHand(stayId: string, all: readonly Resource<Key>[]): View | null {
  const read = keyInHand.value
  if (read?.attributes.stayId !== stayId) return null
  const now = newest(all, read) ?? read
  const { status, mayOpen, validUntil } = now.attributes
  const { read: texts, keyStatus, until } = g.value
  const isGood = status === 'live'
  const name = keyStatus[status] ?? status
  const common = onlyCommon(now)
  const mayOpenText = common ? texts.common(common) : texts.mayOpen
  return notice(
    isGood ? 'ok' : 'warning',
    texts.title(nameOf(now)),
    el.p(
      null,
      [
        `${isGood && validUntil ? `${name}, ${until(momentText(validUntil))}` : name}.`,
        ...(isGood ? [] : [mayOpen ? mayOpenText : texts.dead]),
      ].join(' '),
    ),
    button(cardTexts.value.done, {
      onClick: () => {
        keyInHand.value = null
      },
    }),
  )
}

/** Returns a key of an answer as the list has it, unless the list was read before. */
function newest(all: readonly Resource<Key>[], answered: Resource<Key> | null): Resource<Key> | null {
  const listed = all.find(({ id }) => id === answered?.id)
  if (!listed || !answered) return answered
  return listed.attributes.revision < answered.attributes.revision ? answered : listed
}

function notReady(controller: Resource<Controller>): View | null {
  const { isReady, name, reason, messages } = controller.attributes
  return isReady
    ? null
    : notice(
        'warning',
        `${name}: ${cardTexts.value.notReady}`,
        el.p(null, linked(textOf(messages) || reason)),
      )
}

const kinds: Record<string, Kind> = {
  live: 'ok',
  virtual: 'info',
  pendingWrite: 'info',
  unknown: 'warning',
  failed: 'error',
}

/** The shortcut belongs to one button only. */
function keyLine(key: Resource<Key>, lose: () => void, hasLetter = false): View {
  const { id, attributes } = key
  const { unitName, status, sequence, original, validUntil, mayOpen, keyType, pin } = attributes
  const isGood = status === 'live' || status === 'virtual'
  return el.div(
    { key: id, class: 'line' },
    el.span(
      null,
      `${unitName ?? ''} `,
      keyType === 'pinCode' ? `PIN ${pin ?? ''}` : g.value.madeAs(sequence, original),
    ),
    chip(kinds[status] ?? 'warning', g.value.keyStatus[status] ?? status, isGood ? 'key' : 'alarm'),
    !isGood && mayOpen && mayOpenChip(key),
    validUntil && el.span({ class: 'quiet' }, g.value.until(momentText(validUntil))),
    isGood &&
      may('keys.block') &&
      button(g.value.lost, {
        onClick: lose,
        kind: 'danger',
        icon: 'alarm',
        ...(hasLetter && { letter: 'l' }),
      }),
  )
}

/** A key that opens no room any more may still open common doors. */
function mayOpenChip(key: Resource<Key>): View {
  const common = onlyCommon(key)
  return chip(common ? 'warning' : 'error', common ? g.value.opensOnly(common) : g.value.mayOpen, 'door')
}

function older(over: readonly Resource<Key>[]): View | null {
  if (over.length === 0) return null
  return el.details(
    null,
    el.summary({ class: 'quiet' }, g.value.olderKeys(over.length)),
    over.map(({ id, attributes: { unitName, sequence, original, status } }) =>
      el.div(
        { key: id, class: 'line quiet' },
        `${unitName ?? ''} ${g.value.madeAs(sequence, original)}`,
        el.span(null, g.value.keyStatus[status] ?? status),
        el.span(null, g.value.dead),
      ),
    ),
  )
}

/** Says how a new first card affects the guest's present cards. */
function Replace(options: { room: string; onClose: () => void; onYes: () => void }): View {
  return h(
    Dialog,
    { title: `${g.value.newOriginal}: ${options.room}`, onClose: options.onClose },
    el.div(
      { class: 'stack' },
      el.p(null, g.value.newOriginalWhy),
      button(g.value.makeCard, {
        onClick: options.onYes,
        kind: 'main',
        icon: 'key',
        isFirst: true,
        isWriting: true,
      }),
    ),
  )
}
