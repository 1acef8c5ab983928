import type { ServiceAnswer, ServiceRequest } from '../../../devices/key-service.ts'
import type { Clock } from '../../../host/clock.ts'
import { Problem } from '../../../resource/problem.ts'
import type { GuestMoved, OrderKey } from '../../contract.ts'
import type { GuestFeed } from './guest-feed.ts'
import type { LocalStays } from './local-stays.ts'
import type { RoomStay } from './room-stays.ts'

interface GuestKeyOptions {
  clock: Clock
  feed: Pick<GuestFeed, 'stayOf' | 'flush'>
  stays: Pick<LocalStays, 'has' | 'isOccupiedByOther'>
  encoders: Parameters<OrderKey>[0]['encoders']
  orderKey: OrderKey
  /** Moves a guest in house to another unit now. */
  moveTo(stayId: string, unitName: string): Promise<GuestMoved>
  failed(error: unknown): void
  /** How long a key waits until the appliance has checked its guest in and the unit is free. */
  patienceMs: number
}

const pollMs = 50
const way = 'fias'

/**
 * Executes the PMS's key orders for its guests: guests who share a room have keys of one stay. A key for a guest who
 * was just reported waits until the appliance has checked him in, so that the key ends with his stay. A key for the
 * room to which the PMS has moved him also moves him in the appliance. Never rejects.
 */
export function guestKeys(options: GuestKeyOptions) {
  const { clock, feed, stays, encoders, orderKey, moveTo, failed, patienceMs } = options
  return async (request: ServiceRequest): Promise<ServiceAnswer> => {
    feed.flush()
    const { kind, reservation } = request
    const stay = reservation === null ? null : feed.stayOf(reservation)
    if (!stay) return orderKey({ way, encoders }, request)
    if (kind === 'revoke' && stay.members.some((number) => number !== reservation)) {
      return { outcome: 'refused', text: 'Room shared: a new key ends the others' }
    }
    const obstacle = kind === 'create' && request.key !== 'one-shot' ? await obstacleTo(stay, request) : null
    return obstacle ?? orderKey({ way, encoders }, { ...request, reservation: stay.id })
  }

  /** Null when the guest is in house and in his room. */
  async function obstacleTo(stay: RoomStay, { unit, key }: ServiceRequest): Promise<ServiceAnswer | null> {
    if (!(await comesTrue(() => stays.has(stay.id, 'InHouse')))) {
      return { outcome: 'busy', text: 'The guest is not in house here yet' }
    }
    if (unit === null) return null
    const isMove = unit === stay.room && key === 'original'
    try {
      const isFree = await comesTrue(async () => {
        if (isMove && (await moveTo(stay.id, unit)) === 'taken') return false
        return !stays.isOccupiedByOther(unit, stay.id)
      })
      return isFree ? null : { outcome: 'refused', text: occupied }
    } catch (error) {
      if (!(error instanceof Problem)) failed(error)
      return { outcome: 'refused', text: 'The guest cannot be moved to this room' }
    }
  }

  async function comesTrue(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
    for (let waited = 0; !(await isSo()); waited += pollMs) {
      if (waited >= patienceMs) return false
      await clock.sleep(pollMs)
    }
    return true
  }
}

const occupied = 'Another guest is in house in this room'
