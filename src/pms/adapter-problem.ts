import { DeviceFault, faults, toldOf } from '../devices/fault.ts'
import { Problem } from '../resource/problem.ts'

/** What failed at an adapter as the 502 that the interface answers with. */
function adapterProblem(fault: DeviceFault): Problem {
  return Problem.upstream(fault.code, faults[fault.code].title, fault.message, {
    meta: toldOf(fault),
    cause: fault,
  })
}

/** Turns what failed at an adapter into its problem; anything else goes on as it is. */
export async function orAdapterProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DeviceFault ? adapterProblem(error) : error
  }
}
