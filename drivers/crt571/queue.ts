import { DeviceFault } from '../../src/devices/fault.ts'

const longest = 16

/** Runs jobs one at a time, first come first served. A job that comes to a full queue of 16 is turned away. */
export function queue(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async (job) => {
    if (waiting === longest) throw new DeviceFault('dispenser-offline', 'too many commands are waiting')
    waiting++
    const mine = turn.then(job)
    turn = mine.then(
      () => waiting--,
      () => waiting--,
    )
    return mine
  }
}
