import type { ServiceAnswer, ServiceRequest } from '../../devices/key-service.ts'
import type { OrderKey } from '../adapter.ts'
import type { GuestFeed } from './guest-feed.ts'
import type { HouseStays } from './house-stays.ts'

export interface GuestKeyOptions {
  feed: Pick<GuestFeed, 'stayOf' | 'flush'>
  stays: Pick<HouseStays, 'has'>
  encoders: Parameters<OrderKey>[0]['encoders']
  orderKey: OrderKey
  /** How long a key waits for the house to take its guest in. */
  patienceMs: number
}

const lookMs = 50
const way = 'fias'

/**
 * Does what the PMS orders of keys for its guests: those who share a room have the keys of one stay. A key for a guest
 * who has just been told waits until the house has taken him in, so that it ends with his stay. Never rejects.
 */
export function guestKeys({ feed, stays, encoders, orderKey, patienceMs }: GuestKeyOptions) {
  return async (request: ServiceRequest): Promise<ServiceAnswer> => {
    feed.flush()
    const { kind, reservation } = request
    const stay = reservation === null ? null : feed.stayOf(reservation)
    if (!stay) return orderKey({ way, encoders }, request)
    if (kind === 'revoke' && stay.members.some((number) => number !== reservation)) {
      return { outcome: 'refused', text: 'Room shared: a new key ends the others' }
    }
    if (kind === 'create' && request.key !== 'one-shot' && !(await isTakenIn(stay.id))) {
      return { outcome: 'busy', text: 'The guest is not in house here yet' }
    }
    return orderKey({ way, encoders }, { ...request, reservation: stay.id })
  }

  async function isTakenIn(stayId: string): Promise<boolean> {
    for (let waited = 0; !stays.has(stayId, 'InHouse'); waited += lookMs) {
      if (waited >= patienceMs) return false
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
    return true
  }
}
