import { DeviceFault, faults, toldOf } from '../../devices/fault.ts'
import { Problem } from '../../resource/problem.ts'

/** A device's failure as the 502 that the interface answers with. `meta` tells of the key it happened to. */
export function deviceProblem(fault: DeviceFault, meta: Record<string, unknown> = {}): Problem {
  return Problem.upstream(fault.code, faults[fault.code].title, fault.message, {
    meta: { ...toldOf(fault), ...meta },
    cause: fault,
  })
}

/** Turns a device's failure into its problem; anything else goes on as it is. */
export async function orDeviceProblem<T>(work: Promise<T>, meta: Record<string, unknown> = {}): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DeviceFault ? deviceProblem(error, meta) : error
  }
}

/** The device's failure that an error is, or that a problem was made of. */
export function faultBehind(error: unknown): DeviceFault | null {
  const fault = error instanceof Problem ? error.options.cause : error
  return fault instanceof DeviceFault ? fault : null
}
