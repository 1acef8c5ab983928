import { DeviceFault, faultMeta, faults } from '../devices/fault.ts'
import { Problem } from '../resource/problem.ts'

/** The 502 problem for a fault of an adapter. */
function adapterProblem(fault: DeviceFault): Problem {
  return Problem.upstream(fault.code, faults[fault.code].title, fault.message, {
    meta: faultMeta(fault),
    cause: fault,
  })
}

/** Converts a DeviceFault of an adapter into its problem; passes on any other error. */
export async function orAdapterProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DeviceFault ? adapterProblem(error) : error
  }
}
