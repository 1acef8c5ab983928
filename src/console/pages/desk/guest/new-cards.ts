import { h } from 'preact'
import { button, Choice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Controller, Key } from '../../lib/server/resources.ts'
import { ControllerChoice } from '../cards/controllers.ts'
import { orderCopy, orderOriginals } from '../stay/order-cards.ts'
import { roomNames, type ShownStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'

/** Whether a key opens now. */
export function isLive({ attributes: { status } }: Resource<Key>): boolean {
  return status === 'live' || status === 'virtual'
}

interface NewCardsOptions {
  shown: ShownStay
  /** The keys that open, or may still open. */
  all: readonly Resource<Key>[]
  controllers: readonly Resource<Controller>[]
  controller: Resource<Controller>
  choose: (id: string) => void
  /** The room that was chosen for a copy; empty for none. */
  room: string
  setRoom: (room: string) => void
  /** Asks whether the cards of a room are replaced. */
  replace: (room: string) => void
}

/** The cards that can be made. A stay of several rooms may have a card for some of them only. */
export function NewCards(options: NewCardsOptions): View {
  const { shown, all, controllers, controller, choose, replace } = options
  const live = all.filter(isLive)
  const rooms = roomNames(shown.stay)
  const missing = rooms.filter((name) => !live.some(({ attributes: { unitName } }) => unitName === name))
  const opened = rooms.filter((name) => !missing.includes(name))
  const room = opened.includes(options.room) ? options.room : (opened[0] ?? '')
  const first = () => void orderOriginals(shown, controller, missing)
  const copy = () => void orderCopy(shown, controller, room)
  const hasCards = live.some(
    ({ attributes: { keyType, unitName } }) => keyType === 'keyCard' && unitName === room,
  )
  const isFirst = missing.length > 0
  useShortcuts(
    isFirst
      ? [{ key: 'k', name: g.value.firstCard, run: first, isWriting: true }]
      : hasCards
        ? [{ key: 'k', name: g.value.copy, run: copy, isWriting: true }]
        : [],
    [hasCards, room, live.map(({ id }) => id).join(), controller.id, shown.stay.attributes.revision],
  )
  return el.div(
    { class: 'row end' },
    h(ControllerChoice, { all: controllers, value: controller.id, choose }),
    isFirst &&
      button(firstText(missing, rooms, all.length > 0), {
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
        onChange: options.setRoom,
      }),
    hasCards &&
      button(g.value.copy, {
        onClick: copy,
        icon: 'card',
        isWriting: true,
        ...(!isFirst && { letter: 'k' }),
      }),
    opened.length > 0 && button(g.value.newOriginal, { onClick: () => replace(room), icon: 'key' }),
  )
}

/** The first card of a guest, or the cards of the rooms that have none. */
function firstText(missing: readonly string[], rooms: readonly string[], hasKeys: boolean): string {
  if (missing.length < rooms.length) return `${g.value.firstCard}: ${missing.join(', ')}`
  return hasKeys ? g.value.newOriginal : g.value.firstCard
}
