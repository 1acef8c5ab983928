import { DeviceFault, faultMeta, faults } from '../../devices/fault.ts'
import { Problem } from '../../resource/problem.ts'

/** Turns a DeviceFault into a 502 Problem. `meta` is added, for example the id of the key. */
export function deviceProblem(fault: DeviceFault, meta: Record<string, unknown> = {}): Problem {
  return Problem.upstream(fault.code, faults[fault.code].title, fault.message, {
    meta: { ...faultMeta(fault), ...meta },
    cause: fault,
  })
}

/** Rejects with a 502 Problem in place of a DeviceFault; any other error is unchanged. */
export async function orDeviceProblem<T>(work: Promise<T>, meta: Record<string, unknown> = {}): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DeviceFault ? deviceProblem(error, meta) : error
  }
}

/** Resolves with null when the work fails with a DeviceFault. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DeviceFault) return null
    throw error
  }
}

/** The DeviceFault that an error is or that caused it; null for another error. */
export function faultBehind(error: unknown): DeviceFault | null {
  const fault = error instanceof Problem ? error.options.cause : error
  return fault instanceof DeviceFault ? fault : null
}
