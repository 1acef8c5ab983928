import { DeviceFault } from '../../devices/fault.ts'
import type { LockCall, OnlineGrant, OnlineLockSystem } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import { type KeyOrder, onlineGrantOf } from '../keys/key-order.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { CardMaker } from './card-maker.ts'
import type { Progress } from './issue-card.ts'

interface MakerOptions {
  clock: Clock
  system: OnlineLockSystem
  controller: AccessController
  order: KeyOrder
  progress: Progress
  /** Whether the card comes from a dispenser, in which the lock system's encoder stands. */
  isFed: boolean
}

/** An encoder of the lock system: it is told what the card shall open, and writes it by itself. */
export function lockSystemMaker(options: MakerOptions): CardMaker {
  const { clock, system, controller, order, progress, isFed } = options

  /** A card inside the machine is not presented before the lock system has read it back. */
  async function isReadBack(grant: OnlineGrant, call: LockCall): Promise<boolean> {
    if (!isFed || !system.read) return false
    progress.step = 'proving'
    const { found } = await system.read(grant.encoder, call)
    if (found?.locks.includes(grant.lock)) return true
    throw new DeviceFault('card-verify-failed', 'The lock system reads something else from the card.')
  }

  return {
    problem: (begun) => system.grantProblem(onlineGrantOf(order, begun, controller, null)),

    // Only the lock system sees its antenna; but a card is not fed to an encoder that could not be asked to write it.
    async expectEmpty() {
      if (system.owes?.(controller.externalCode ?? null))
        throw new DeviceFault(
          'lock-system-busy',
          `${controller.name}: the encoder owes the answer to an earlier request.`,
        )
    },

    async encode(begun, writing) {
      const grant = onlineGrantOf(order, begun, controller, null)
      await writing(null)
      progress.step = 'writing'
      const call = lockCall(clock, controller)
      try {
        const { uid, reference } = await system.create(grant, call)
        progress.uid = uid
        return { uid, reference, cardFormat: null, verified: await isReadBack(grant, call) }
      } catch (error) {
        // What the lock system has refused to make is as it was before it was asked; what it could not read back is made.
        const isRefused = progress.step === 'writing' && error instanceof DeviceFault && !error.outcomeUnknown
        if (isRefused) progress.step = 'searching'
        throw error
      }
    },

    antenna: null,
    // Only the lock system could say what is on it; it overwrites what a guest may have.
    isUsable: async () => true,
    handed: () => {},
  }
}

/** How long a lock system is waited for, so that the answer to its caller still leaves in time. */
export function lockCall(
  clock: Clock,
  { timeoutMs }: Pick<Partial<AccessController>, 'timeoutMs'>,
): LockCall {
  const limit = Math.max(400, (timeoutMs ?? 18_000) - 1_000)
  return { signal: clock.timeout(limit + 500), timeoutMs: limit }
}
