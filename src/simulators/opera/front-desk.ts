import type { Bookings, SimulatedStay } from './bookings.ts'
import { type Body, type Operation, refusal } from './gateway.ts'
import { onStay } from './reservations.ts'

const one = '/fof/v1/hotels/{hotelId}/reservations/{reservationId}'

interface Placing {
  roomId?: string
  overrideInstructions?: Body
}

/** Rooms of reservations, check-in and moves, with the conditions that OPERA documents. */
export function frontDesk(house: Bookings): Record<string, Operation> {
  function changed(stay: SimulatedStay, over: Partial<SimulatedStay>): [number, unknown] {
    house.change(stay.id, over)
    return [200, {}]
  }

  /** Why this room cannot be given to the reservation; null when it can. */
  function obstacle(roomId: string, stay: SimulatedStay, { dirtyRoom }: { dirtyRoom?: boolean }) {
    const room = house.rooms.get(roomId)
    if (!room) return refusal('FOF00010', `Room ${roomId} does not exist.`)
    if (room.status === 'OutOfOrder') return refusal('FOF00011', `Room ${roomId} is out of order.`)
    const other = [...house.stays.values()].find(
      (each) =>
        each.id !== stay.id &&
        each.roomId === roomId &&
        ['Reserved', 'InHouse'].includes(each.status) &&
        each.arrival < stay.departure &&
        each.departure > stay.arrival,
    )
    if (other) return refusal('FOF00012', `Room ${roomId} is assigned to another reservation.`)
    const isToday = stay.arrival <= house.businessDate
    return isToday && room.status === 'Dirty' && !dirtyRoom
      ? refusal('FOF00013', `Room ${roomId} is dirty.`)
      : null
  }

  /** Gives the room of a request to the reservation; the refusal when it cannot. */
  function placed(stay: SimulatedStay, body: Body) {
    const { roomId = '', overrideInstructions = {} } = (body.criteria ?? {}) as Placing
    const refused = obstacle(roomId, stay, overrideInstructions)
    if (!refused) house.change(stay.id, { roomId })
    return refused
  }

  return {
    [`POST ${one}/roomAssignments`]: onStay(house, (stay, { body }) => placed(stay, body) ?? [201, {}], [
      'Reserved',
      'FOF00014',
    ]),

    [`PUT ${one}/rooms`]: onStay(house, (stay) => changed(stay, { roomId: null }), ['Reserved', 'FOF00014']),

    [`POST ${one}/checkIns`]: onStay(house, (stay, { body }) => {
      if (stay.status !== 'Reserved' || stay.arrival !== house.businessDate)
        return refusal('FOF00020', 'The reservation is not due in.')
      if (stay.rooms !== 1) return refusal('FOF00021', 'The reservation has several rooms. Split it first.')
      const { roomId = stay.roomId } = (body.reservation ?? {}) as { roomId?: string }
      if (roomId === null) return refusal('FOF00022', 'No room is assigned.')
      const status = house.rooms.get(roomId)?.status
      if (status !== 'Inspected')
        return refusal('FOF00023', `Room ${roomId} is not inspected: it is ${status}.`)
      house.change(stay.id, { status: 'InHouse', roomId })
      return [201, { reservation: [] }]
    }),

    [`DELETE ${one}/checkIns`]: onStay(house, (stay) => {
      if (stay.status !== 'InHouse' || stay.arrival !== house.businessDate)
        return refusal('FOF00024', 'The check-in cannot be reversed.')
      return changed(stay, { status: 'Reserved' })
    }),

    [`PUT ${one}/rooms/{roomId}/roomMoves`]: onStay(
      house,
      (stay, { body }) => placed(stay, body) ?? [200, {}],
      ['InHouse', 'FOF00025'],
    ),
  }
}
