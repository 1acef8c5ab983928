import type { ServiceAnswer, ServiceRequest } from '../../devices/key-service.ts'
import type { Clock } from '../../host/clock.ts'
import { Problem } from '../../resource/problem.ts'
import type { GuestMoved } from '../contract.ts'
import type { StaysHere } from './stays-here.ts'

interface GuestInRoomOptions {
  clock: Pick<Clock, 'sleep'>
  stays: StaysHere
  /** Moves a guest in house to another unit now. */
  moveTo(stayId: string, unitName: string): Promise<GuestMoved>
  failed(error: unknown): void
  /** How long a key waits until the appliance has checked its guest in, and then until the unit is free. */
  patienceMs: number
}

const pollMs = 50

/**
 * What forbids a key that a PMS orders for a guest whom it has just checked in or moved; null for nothing. The key
 * waits until the appliance has checked the guest in, so that it ends with the stay. `isMove`: the PMS has moved the guest to
 * the unit of the key, which moves the guest here too.
 */
export function guestInRoom({ clock, stays, moveTo, failed, patienceMs }: GuestInRoomOptions) {
  return async (
    stayId: string,
    { unit }: Pick<ServiceRequest, 'unit'>,
    { isMove }: { isMove: boolean },
  ): Promise<Extract<ServiceAnswer, { text: string }> | null> => {
    if (!(await comesTrue(() => stays.has(stayId, 'InHouse')))) {
      return { outcome: 'busy', text: 'The guest is not in house here yet' }
    }
    if (unit === null) return null
    try {
      const isFree = await comesTrue(async () => {
        if (isMove && (await moveTo(stayId, unit)) === 'taken') return false
        return !stays.isOccupiedByOther(unit, stayId)
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
