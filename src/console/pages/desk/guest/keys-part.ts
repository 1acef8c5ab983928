import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { send } from '../../lib/api.ts'
import { button, chip, Dialog, failure, type Kind, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import type { Reading } from '../../lib/read.ts'
import type { Controller, Key } from '../../lib/resources.ts'
import { confirmed, may } from '../../lib/session.ts'
import { forgetMaking, isMaking, makings } from './card-making.ts'
import { CardWay } from './card-way.ts'
import { ControllerChoice } from './controllers.ts'
import { orderCopy, orderFirstCards, orderOriginal } from './order-cards.ts'
import { hasRoom, type ShownStay } from './stay.ts'
import { g } from './texts.ts'
import { useWork, workProblem } from './use-work.ts'

interface KeysOptions {
  shown: ShownStay
  keys: Reading<Resource<Key>[]>
  controllers: readonly Resource<Controller>[]
  controller: Resource<Controller> | null
  choose: (id: string) => void
}

const isOver = ({ attributes: { status, mayOpen } }: Resource<Key>) =>
  !['live', 'virtual', 'pendingWrite', 'unknown'].includes(status) && !mayOpen

/** The keys of a stay: which open, which may still open, and what can be made. */
export function Keys({ shown, keys, controllers, controller, choose }: KeysOptions): View {
  const { stay } = shown
  const all = keys.data ?? []
  const current = all.filter((each) => !isOver(each))
  const isDoubtful = ({ attributes: { status, mayOpen } }: Resource<Key>) =>
    mayOpen && !['live', 'virtual', 'pendingWrite', 'unknown'].includes(status)
  const live = all.filter(({ attributes: { status } }) => status === 'live' || status === 'virtual')
  const [lost, setLost] = useState<Resource<Key> | null>(null)
  const [isReplacing, setReplacing] = useState(false)
  const mayMake =
    may('keys.issue') && controller !== null && stay.attributes.status === 'InHouse' && hasRoom(stay)
  const isFree = mayMake && !isMaking(stay.id)
  const room = live[0]?.attributes.unitName ?? stay.attributes.units[0]?.unitName ?? ''
  const first = () => controller && void orderFirstCards(shown, controller)
  const copy = () => controller && void orderCopy(shown, controller, room)
  const hasCards = live.some(({ attributes: { keyType } }) => keyType === 'keyCard')
  const toLose = may('keys.block') ? (live[0] ?? null) : null
  useShortcuts(
    [
      ...(isFree && live.length === 0 ? [{ key: 'k', name: g.value.firstCard, run: first }] : []),
      ...(isFree && hasCards ? [{ key: 'k', name: g.value.copy, run: copy }] : []),
      ...(toLose ? [{ key: 'l', name: g.value.lost, run: () => setLost(toLose) }] : []),
    ],
    [isFree, hasCards, live.map(({ id }) => id).join(), controller?.id, stay.attributes.revision],
  )
  return el.section(
    { class: 'stack' },
    el.h3(null, g.value.keys),
    keys.problem && failure(keys.problem, keys.readAgain),
    h(CardWay, { stayId: stay.id }),
    keys.data && current.length === 0 && el.p(null, g.value.noKey),
    current.filter((each) => !isDoubtful(each)).map((each) => keyLine(each, () => setLost(each))),
    mayMake && notReady(controller),
    isFree &&
      el.div(
        { class: 'row end' },
        h(ControllerChoice, { all: controllers, value: controller?.id ?? '', choose }),
        live.length === 0
          ? button(current.length === 0 ? g.value.firstCard : g.value.newOriginal, {
              onClick: first,
              kind: 'main',
              icon: 'card',
              letter: 'k',
            })
          : hasCards && button(g.value.copy, { onClick: copy, icon: 'card', letter: 'k' }),
        live.length > 0 &&
          button(g.value.newOriginal, {
            onClick: () => setReplacing(true),
            icon: 'key',
          }),
      ),
    // Cards that are to be dead come after what can be done: there may be many.
    current.filter(isDoubtful).map((each) => keyLine(each, () => setLost(each))),
    older(all.filter(isOver)),
    isReplacing &&
      h(Replace, {
        room,
        onClose: () => setReplacing(false),
        onYes: () => {
          setReplacing(false)
          if (controller) void orderOriginal(shown, controller, room)
        },
      }),
    lost && h(Lost, { lost, onClose: () => setLost(null) }),
  )
}

function notReady(controller: Resource<Controller>): View | null {
  const { isReady, name, reason } = controller.attributes
  return isReady ? null : notice('warning', `${name}: ${g.value.notReady}`, el.p(null, reason))
}

const kinds: Record<string, Kind> = {
  live: 'ok',
  virtual: 'info',
  pendingWrite: 'info',
  unknown: 'warning',
  failed: 'error',
}

function keyLine({ id, attributes }: Resource<Key>, lose: () => void): View {
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
    !isGood && mayOpen && chip('error', g.value.mayOpen, 'door'),
    validUntil && el.span({ class: 'quiet' }, g.value.until(momentText(validUntil))),
    isGood && may('keys.block') && button(g.value.lost, { onClick: lose, icon: 'alarm', letter: 'l' }),
  )
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

/** Says what a new first card does to the cards that the guest has. */
function Replace(options: { room: string; onClose: () => void; onYes: () => void }): View {
  return h(
    Dialog,
    { title: `${g.value.newOriginal}: ${options.room}`, onClose: options.onClose },
    el.div(
      { class: 'stack' },
      el.p(null, g.value.newOriginalWhy),
      button(g.value.makeCard, { onClick: options.onYes, kind: 'main', icon: 'key', isFirst: true }),
    ),
  )
}

function Lost({ lost, onClose }: { lost: Resource<Key>; onClose: () => void }): View {
  const work = useWork()
  const block = async () => {
    const { revision } = lost.attributes
    await confirmed(() =>
      send('POST', `/api/v2/access/keys/${lost.id}/actions/block`, { ifMatch: `"${revision}"` }),
    )
    const { stayId } = lost.attributes
    if (stayId !== null && makings.value.get(stayId)?.ending === 'inHand') forgetMaking(stayId)
    onClose()
  }
  return h(
    Dialog,
    { title: g.value.lostTitle, onClose },
    el.div(
      { class: 'stack' },
      el.p(
        null,
        `${g.value.room} ${lost.attributes.unitName ?? ''}, ${g.value.madeAs(lost.attributes.sequence, lost.attributes.original)}`,
      ),
      el.p(null, g.value.lostWhy),
      workProblem(work, {}, () => {}),
      button(g.value.block, {
        onClick: () => void work.run(block),
        kind: 'main',
        icon: 'alarm',
        isBusy: work.isBusy,
        isFirst: true,
      }),
    ),
  )
}
