import { DeviceFault } from '../../devices/fault.ts'
import type { LockCall, OnlineGrant, OnlineLockSystem } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import type { KeyJob } from '../keys/orders/job.ts'
import { type KeyBegun, onlineGrantOf } from '../keys/orders/key-order.ts'
import { lockCall } from '../providers/lock-system-of.ts'
import type { CardMaker } from './card-maker.ts'

interface MakerOptions extends KeyJob {
  clock: Clock
  system: OnlineLockSystem
  /** Whether a dispenser that contains the lock system's encoder feeds the card. */
  isFed: boolean
}

/** Makes cards with an encoder of the lock system. The lock system receives the grant and writes the card itself. */
export function lockSystemMaker(options: MakerOptions): CardMaker {
  const { clock, system, controller, order, job } = options
  const grantFor = (begun: KeyBegun) => onlineGrantOf(order, begun, controller, null)
  return {
    problem: (begun) => system.grantProblem(grantFor(begun)),

    // Only the lock system can read its antenna. But a fed card that is not written goes to the bin.
    async expectReady(begun) {
      await system.expectReady?.(grantFor(begun), lockCall(clock, controller))
    },

    async encode(begun, writing) {
      const grant = grantFor(begun)
      await writing(null)
      job.report({ step: 'writing' })
      const call = lockCall(clock, controller)
      try {
        const { uid, reference } = await system.create(grant, call)
        job.report({ uid })
        return { uid, reference, cardFormat: null, verified: await isReadBack(options, grant, call) }
      } catch (error) {
        // After a refusal the card is unchanged. If the lock system fails to read the card back, the card is made.
        const { step } = job.progress()
        const isRefused = step === 'writing' && error instanceof DeviceFault && !error.outcomeUnknown
        if (isRefused) job.report({ step: 'searching' })
        throw error
      }
    },

    antenna: null,
    // Only the lock system could read the card; it overwrites any card.
    isUsable: async () => true,
    handed: () => {},
  }
}

/**
 * Reads a card back by the lock system before the dispenser presents it. Resolves with false where that is not possible
 * or not needed. Rejects with card-verify-failed when the card does not open the lock.
 */
async function isReadBack(
  { system, job, isFed }: MakerOptions,
  grant: OnlineGrant,
  call: LockCall,
): Promise<boolean> {
  if (!isFed || !system.read) return false
  job.report({ step: 'proving' })
  const { found } = await system.read(grant.encoder, call)
  if (found?.locks.includes(grant.lock)) return true
  throw new DeviceFault(
    'card-verify-failed',
    'The lock system reads another content from the card than was written. Use another card.',
  )
}
