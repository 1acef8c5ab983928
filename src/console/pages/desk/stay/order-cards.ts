import type { Resource } from '../../lib/server/api.ts'
import { type Controller, guestOf, isCurrent, type Key, nameInList } from '../../lib/server/resources.ts'
import { placeOf } from '../cards/controllers.ts'
import { makeCard } from '../cards/making.ts'
import { roomNames, type ShownStay, windowOf } from './stay.ts'

/** Orders a first card for each room of a stay, and copies of the last one, so that a guest has `count` cards. */
export function orderFirstCards(
  shown: ShownStay,
  controller: Resource<Controller>,
  count = 1,
): Promise<void> {
  return order(shown, controller, { originals: roomNames(shown.stay), copies: count - 1 })
}

/**
 * Orders the cards that a stay lacks: a first one for each room without a card, and copies of the last one until there are
 * `wanted`. Returns whether one was ordered.
 */
export function orderMissingCards(
  shown: ShownStay,
  controller: Resource<Controller>,
  { keys, wanted }: { keys: readonly Resource<Key>[]; wanted: number },
): boolean {
  const there = keys.filter(({ attributes }) => attributes.keyType === 'keyCard' && isCurrent(attributes))
  const originals = roomNames(shown.stay).filter(
    (room) => !there.some(({ attributes }) => attributes.unitName === room),
  )
  const copies = Math.max(0, wanted - there.length - originals.length)
  void order(shown, controller, { originals, copies })
  return originals.length + copies > 0
}

/** Orders a copy. The guest's present cards stay valid. */
export function orderCopy(shown: ShownStay, controller: Resource<Controller>, room: string): Promise<void> {
  return order(shown, controller, { originals: [], copies: 1, copied: room })
}

/** Orders a first card for each room, one after the other. It replaces the earlier cards of its room. */
export function orderOriginals(
  shown: ShownStay,
  controller: Resource<Controller>,
  rooms: readonly string[],
): Promise<void> {
  return order(shown, controller, { originals: rooms })
}

/** Cards that follow one another. The copies are for the last room, unless `copied` says another one. */
interface Cards {
  originals: readonly string[]
  copies?: number
  copied?: string
}

async function order(
  { stay, included }: ShownStay,
  controller: Resource<Controller>,
  { originals, copies = 0, copied = roomNames(stay).at(-1) ?? '' }: Cards,
): Promise<void> {
  const bodyOf = (unitName: string, original: boolean) => ({
    type: controller.attributes.keyType,
    unitName,
    original,
    ...windowOf(stay),
  })
  const [body, ...next] = [
    ...originals.map((room) => bodyOf(room, true)),
    ...Array.from({ length: copies }, () => bodyOf(copied, false)),
  ]
  if (!body) return
  await makeCard({
    stayId: stay.id,
    guest: nameInList(guestOf(stay, included)),
    room: body.unitName,
    ...placeOf(controller),
    body,
    next,
  })
}
