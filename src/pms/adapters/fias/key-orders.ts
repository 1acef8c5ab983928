import type { ServiceAnswer, ServiceRequest } from '../../../devices/key-service.ts'
import type { Clock } from '../../../host/clock.ts'
import type { GuestMoved, OrderKey } from '../../contract.ts'
import { guestInRoom } from '../guest-in-room.ts'
import type { StaysHere } from '../stays-here.ts'
import type { GuestFeed } from './guest-feed.ts'

interface GuestKeyOptions {
  clock: Clock
  feed: Pick<GuestFeed, 'stayOf' | 'stayLeftBy' | 'flush'>
  stays: StaysHere
  encoders: Parameters<OrderKey>[0]['encoders']
  orderKey: OrderKey
  /** Moves a guest in house to another unit now. */
  moveTo(stayId: string, unitName: string): Promise<GuestMoved>
  failed(error: unknown): void
  /** How long a key waits until the appliance has checked its guest in and the unit is free. */
  patienceMs: number
}

const way = 'fias'

/**
 * Executes the PMS's key orders for its guests: guests who share a room have keys of one stay. A key for a guest who
 * was just reported waits until the appliance has checked him in, so that the key ends with his stay. A key for the
 * room to which the PMS has moved him also moves him in the appliance. Never rejects.
 */
export function guestKeys(options: GuestKeyOptions) {
  const { feed, encoders, orderKey } = options
  const obstacleTo = guestInRoom(options)
  return async (request: ServiceRequest): Promise<ServiceAnswer> => {
    feed.flush()
    const { kind, reservation } = request
    const stay = reservation === null ? null : stayFor(request, reservation)
    if (!stay) return orderKey({ way, encoders }, request)
    if (kind === 'revoke' && stay.members.some((number) => number !== reservation)) {
      return { outcome: 'refused', text: 'Room shared: a new key ends the others' }
    }
    const isMove = request.unit === stay.room && request.key === 'original'
    const isForGuest = kind === 'create' && request.key !== 'one-shot'
    const obstacle = isForGuest ? await obstacleTo(stay.id, request, { isMove }) : null
    return obstacle ?? orderKey({ way, encoders }, { ...request, reservation: stay.id })
  }

  /** A PMS takes a key back before or after it reports the departure, or the move to another room. */
  function stayFor({ kind, unit }: ServiceRequest, reservation: string) {
    const stay = feed.stayOf(reservation)
    if (kind !== 'revoke' || unit === null || stay?.room === unit) return stay
    return feed.stayLeftBy(reservation, unit) ?? stay
  }
}
