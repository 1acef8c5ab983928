import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { button, Choice, chip, Dialog, type Kind, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import { later } from '../../lib/later.ts'
import { linked } from '../../lib/linked.ts'
import { textOf } from '../../lib/message.ts'
import type { Reading } from '../../lib/read.ts'
import { failure } from '../../lib/refusal-text.ts'
import { type Controller, isCurrent, type Key } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { ControllerChoice } from '../cards/controllers.ts'
import { forgetMaking, isMaking, makings } from '../cards/making.ts'
import { keyInHand } from '../cards/reading.ts'
import { cardTexts } from '../cards/texts.ts'
import { CardWay } from '../cards/way.ts'
import { onlyCommon } from '../stay/open-doors.ts'
import { orderCopy, orderOriginals } from '../stay/order-cards.ts'
import { hasRoom, roomNames, type ShownStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { blockedNotice, nameOf } from './lost-key.ts'

const Lost = later(async () => (await import('./stay-dialogs.ts')).Lost)

interface KeysOptions {
  shown: ShownStay
  keys: Reading<Resource<Key>[]>
  controllers: readonly Resource<Controller>[]
  controller: Resource<Controller> | null
  choose: (id: string) => void
}

const isOver = ({ attributes }: Resource<Key>) => !isCurrent(attributes) && !attributes.mayOpen

/** The keys of a stay: those that open, those that may still open, and the keys that can be made. */
export function Keys({ shown, keys, controllers, controller, choose }: KeysOptions): View {
  const { stay } = shown
  const all = keys.data ?? []
  const current = all.filter((each) => !isOver(each))
  const isDoubtful = ({ attributes }: Resource<Key>) => !isCurrent(attributes) && attributes.mayOpen
  const live = all.filter(({ attributes: { status } }) => status === 'live' || status === 'virtual')
  const making = makings.value.get(stay.id)
  const made = making?.ending === 'inHand' ? all.find(({ id }) => id === making.order.keyId) : undefined
  const isMadeOver = made !== undefined && !isCurrent(made.attributes)
  useEffect(
    () => () => {
      if (keyInHand.value?.attributes.stayId === stay.id) keyInHand.value = null
    },
    [stay.id],
  )
  // After a loss, a move or the check-out, the guest no longer has the card in hand.
  useEffect(() => {
    if (isMadeOver) forgetMaking(stay.id)
  }, [isMadeOver])
  const [lost, setLost] = useState<Resource<Key> | null>(null)
  const [answered, setBlocked] = useState<Resource<Key> | null>(null)
  const blocked = newest(all, answered)
  const [isReplacing, setReplacing] = useState(false)
  const mayMake =
    may('keys.issue') && controller !== null && stay.attributes.status === 'InHouse' && hasRoom(stay)
  // Until the keys are read, a first card could end cards that the page does not know.
  const isFree = mayMake && keys.data !== undefined && !isMaking(stay.id)
  const rooms = roomNames(stay)
  // A stay of several rooms may have a card for some of them only.
  const missing = rooms.filter((name) => !live.some(({ attributes: { unitName } }) => unitName === name))
  const opened = rooms.filter((name) => !missing.includes(name))
  const [wanted, setRoom] = useState('')
  const room = opened.includes(wanted) ? wanted : (opened[0] ?? '')
  const first = () => controller && void orderOriginals(shown, controller, missing)
  const copy = () => controller && void orderCopy(shown, controller, room)
  const hasCards = live.some(
    ({ attributes: { keyType, unitName } }) => keyType === 'keyCard' && unitName === room,
  )
  const toLose = may('keys.block') ? (live[0] ?? null) : null
  useShortcuts(
    [
      ...(isFree && missing.length > 0
        ? [{ key: 'k', name: g.value.firstCard, run: first, isWriting: true }]
        : isFree && hasCards
          ? [{ key: 'k', name: g.value.copy, run: copy, isWriting: true }]
          : []),
      ...(toLose ? [{ key: 'l', name: g.value.lost, run: () => setLost(toLose) }] : []),
    ],
    [isFree, hasCards, room, live.map(({ id }) => id).join(), controller?.id, stay.attributes.revision],
  )
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
    isFree &&
      el.div(
        { class: 'row end' },
        h(ControllerChoice, { all: controllers, value: controller?.id ?? '', choose }),
        missing.length > 0 &&
          button(firstText(missing, rooms, current.length > 0), {
            onClick: first,
            isWriting: true,
            kind: 'main',
            icon: 'card',
            letter: 'k',
          }),
        opened.length > 1 &&
          h(Choice, {
            label: g.value.room,
            value: room,
            choices: opened.map((each) => [each, each] as const),
            onChange: setRoom,
          }),
        hasCards &&
          button(g.value.copy, {
            onClick: copy,
            icon: 'card',
            isWriting: true,
            ...(missing.length === 0 && { letter: 'k' }),
          }),
        opened.length > 0 &&
          button(g.value.newOriginal, {
            onClick: () => setReplacing(true),
            icon: 'key',
          }),
      ),
    // Revoked cards that may still open come after the actions, because there may be many.
    current.filter(isDoubtful).map((each) => keyLine(each, () => setLost(each))),
    older(all.filter(isOver)),
    isReplacing &&
      h(Replace, {
        room,
        onClose: () => setReplacing(false),
        onYes: () => {
          setReplacing(false)
          if (controller) void orderOriginals(shown, controller, [room])
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

/** The first card of a guest, or the cards of the rooms that have none. */
function firstText(missing: readonly string[], rooms: readonly string[], hasKeys: boolean): string {
  if (missing.length < rooms.length) return `${g.value.firstCard}: ${missing.join(', ')}`
  return hasKeys ? g.value.newOriginal : g.value.firstCard
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
