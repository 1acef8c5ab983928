import type { Bay } from '../../devices/bay/bay.ts'
import { DeviceFault, type FaultCode } from '../../devices/fault.ts'
import type { Actor } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Property } from '../access.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import { faultBehind } from '../handles/device-problem.ts'
import { jammedCard } from './dispenser-commands.ts'

type Resettable = Pick<Bay<unknown>, 'state' | 'reset'>

const actor: Actor = { by: 'machine', requestId: null }

/** The faults after which only a restart shows whether the device answers and moves. */
const doubts = {
  dispenser: ['dispenser-offline', 'dispenser-reset-required', 'dispenser-jam', 'dispenser-motor'],
  encoder: ['encoder-timeout', 'encoder-timeout-writing'],
} satisfies Record<string, FaultCode[]>

/** Restarts a device that is silent on an open wire, or stuck. Does nothing for any other error or device. */
export function resetIfStuck(bay: Resettable, kind: keyof typeof doubts, error: unknown): void {
  const codes: readonly string[] = doubts[kind]
  const fault = faultBehind(error)
  if (fault && codes.includes(fault.code) && bay.state() === 'online') bay.reset()
}

/** Handles a fault outside an issuance: counts and publishes a jam, and restarts a machine that is silent or stuck. */
export async function failedAt(access: Property, handle: DispenserHandle, error: unknown): Promise<void> {
  if (faultBehind(error)?.code === 'dispenser-jam')
    await access.writer.execute(jammedCard, { dispenserId: handle.id }, { actor }).catch(access.failed)
  resetIfStuck(handle.bay, 'dispenser', error)
}

/** Replaces dispenser-offline by the reason why the machine cannot start. No request has reached the machine then. */
export function withStartReason({ fault }: DispenserHandle, error: unknown): unknown {
  if (!(error instanceof DeviceFault) || error.code !== 'dispenser-offline' || !fault) return error
  const { code, message, vendorCode } = fault.fault
  const plain = new DeviceFault(code, message, vendorCode === undefined ? {} : { vendorCode })
  return plain.outcomeUnknown ? error : plain
}

/** Initialises the machine again. Rejects with the reason as soon as that start has failed. */
export async function restart(handle: DispenserHandle): Promise<void> {
  handle.restartRequested = true
  handle.bay.reset()
  try {
    await handle.bay.use(async () => {})
  } catch (error) {
    throw withStartReason(handle, error)
  }
}

/** Throws dispenser-busy-with-guest while a card is on its way to a guest. */
export function expectNoGuest({ guest, activity }: DispenserHandle): void {
  if (guest || activity)
    throw new Problem(
      'dispenser-busy-with-guest',
      'A card for a guest is being made or waits at the gate. Wait until it is taken.',
      { meta: { retryAfterSeconds: 5 } },
    )
}
