import type { Bay } from '../../devices/bay.ts'
import type { CardDispenser, CardEncoder } from '../../devices/capability.ts'
import { DeviceFault, type FaultCode } from '../../devices/fault.ts'
import type { Actor } from '../../resource/command.ts'
import type { Property } from '../access.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { faultBehind } from '../controllers/device-problem.ts'
import { jammedCard } from './dispenser-changes.ts'

const actor: Actor = { by: 'machine', requestId: null }

/**
 * After these nobody knows whether there still is a device at the other end of its open wire, or whether its mechanics can
 * move: only its start can tell.
 */
const doubts = {
  dispenser: ['dispenser-offline', 'dispenser-reset-required', 'dispenser-jam', 'dispenser-motor'],
  encoder: ['encoder-timeout', 'encoder-timeout-writing'],
} satisfies Record<string, FaultCode[]>

/**
 * Starts a device anew that has fallen silent on an open wire, or is stuck, so that its state is told as it is. Another
 * device's fault, and anything that is none, is no reason to.
 */
export function resetIfStuck(
  bay: Bay<CardDispenser> | Bay<CardEncoder>,
  kind: keyof typeof doubts,
  error: unknown,
): void {
  const codes: readonly string[] = doubts[kind]
  const fault = faultBehind(error)
  if (fault && codes.includes(fault.code) && bay.state() === 'online') bay.reset()
}

/** A machine failed while no card was on its way to a guest: a jam is counted and told, and the machine started anew. */
export async function failedAt(
  { writer, failed }: Pick<Property, 'writer' | 'failed'>,
  { id, bay }: DispenserHandle,
  error: unknown,
): Promise<void> {
  if (faultBehind(error)?.code === 'dispenser-jam')
    await writer.execute(jammedCard, { dispenserId: id }, { actor }).catch(failed)
  resetIfStuck(bay, 'dispenser', error)
}

/** A machine that does not start is not just away: what stopped it is the answer. Nothing was asked of it. */
export function standing({ fault }: DispenserHandle, error: unknown): unknown {
  if (!(error instanceof DeviceFault) || error.code !== 'dispenser-offline' || !fault) return error
  const { code, message, vendorCode } = fault.fault
  const plain = new DeviceFault(code, message, vendorCode === undefined ? {} : { vendorCode })
  return plain.outcomeUnknown ? error : plain
}

/** Initialises the machine anew. Rejects with what stopped it as soon as that start has failed. */
export async function restart(handle: DispenserHandle): Promise<void> {
  handle.restartAsked = true
  handle.bay.reset()
  try {
    await handle.bay.use(async () => {})
  } catch (error) {
    throw standing(handle, error)
  }
}
