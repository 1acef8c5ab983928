import type { Resource } from '../../lib/api.ts'
import { type Controller, guestOf, isCurrent, type Key, nameInList, type Stay } from '../../lib/resources.ts'
import { makeCard } from './card-making.ts'
import { placeOf } from './controllers.ts'
import { type ShownStay, windowOf } from './stay.ts'

/** Orders a first card for each room of a stay, and copies of the last one, so that a guest has `count` cards. */
export function orderFirstCards(
  { stay, included }: ShownStay,
  controller: Resource<Controller>,
  count = 1,
): Promise<void> {
  const rooms = stay.attributes.units.flatMap(({ unitName }) => unitName ?? [])
  const bodies = [
    ...rooms.map((room) => bodyOf(stay, controller, room, true)),
    ...Array.from({ length: count - 1 }, () => bodyOf(stay, controller, rooms.at(-1) ?? '', false)),
  ]
  return order({ stay, included }, controller, bodies)
}

/**
 * Orders the cards that a stay lacks: a first one for each room without a card, and copies of the last one until there are
 * `wanted`. Returns whether one was ordered.
 */
export function orderMissingCards(
  { stay, included }: ShownStay,
  controller: Resource<Controller>,
  { keys, wanted }: { keys: readonly Resource<Key>[]; wanted: number },
): boolean {
  const there = keys.filter(({ attributes }) => attributes.keyType === 'keyCard' && isCurrent(attributes))
  const rooms = stay.attributes.units.flatMap(({ unitName }) => unitName ?? [])
  const missing = rooms.filter((room) => !there.some(({ attributes }) => attributes.unitName === room))
  const copies = Math.max(0, wanted - there.length - missing.length)
  const bodies = [
    ...missing.map((room) => bodyOf(stay, controller, room, true)),
    ...Array.from({ length: copies }, () => bodyOf(stay, controller, rooms.at(-1) ?? '', false)),
  ]
  void order({ stay, included }, controller, bodies)
  return bodies.length > 0
}

/** Orders a copy. The guest's present cards stay valid. */
export function orderCopy(shown: ShownStay, controller: Resource<Controller>, room: string): Promise<void> {
  return order(shown, controller, [bodyOf(shown.stay, controller, room, false)])
}

/** Orders a first card for each room, one after the other. It replaces the earlier cards of its room. */
export function orderOriginals(
  shown: ShownStay,
  controller: Resource<Controller>,
  rooms: readonly string[],
): Promise<void> {
  const bodies = rooms.map((room) => bodyOf(shown.stay, controller, room, true))
  return order(shown, controller, bodies)
}

type Body = ReturnType<typeof bodyOf>

function bodyOf(stay: Resource<Stay>, controller: Resource<Controller>, unitName: string, original: boolean) {
  return { type: controller.attributes.keyType, unitName, original, ...windowOf(stay) }
}

async function order(
  { stay, included }: ShownStay,
  controller: Resource<Controller>,
  [body, ...next]: readonly Body[],
): Promise<void> {
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
