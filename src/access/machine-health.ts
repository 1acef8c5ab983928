import type { Bay } from '../devices/bay.ts'
import type { CardDispenser, CardEncoder } from '../devices/capability.ts'
import { DeviceFault, type FaultCode } from '../devices/fault.ts'
import { faultBehind } from './device-problem.ts'
import type { DispenserHandle } from './handles.ts'

/** After these nobody knows whether there still is a device at the other end of its open wire. */
const silences = {
  dispenser: ['dispenser-offline', 'dispenser-reset-required'],
  encoder: ['encoder-timeout', 'encoder-timeout-writing'],
} satisfies Record<string, FaultCode[]>

/**
 * Starts a device anew that has fallen silent on an open wire, so that its state is told as it is. Another device's
 * fault, and anything that is none, is no reason to.
 */
export function suspect(
  bay: Bay<CardDispenser> | Bay<CardEncoder>,
  kind: keyof typeof silences,
  error: unknown,
): void {
  const codes: readonly string[] = silences[kind]
  const fault = faultBehind(error)
  if (fault && codes.includes(fault.code) && bay.state() === 'online') bay.reset()
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
  handle.bay.reset()
  try {
    await handle.bay.use(async () => {})
  } catch (error) {
    throw standing(handle, error)
  }
}
