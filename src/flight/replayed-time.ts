import type { VirtualClock } from '../host/virtual-clock.ts'

/** A timer that was due at about the time at which something was heard ran as the recording has it. */
const sameTimeMs = 30
/** So much longer than it took then a driver is waited for, in its own time. */
const patienceMs = 5_000
/** So many turns of the loop let streams, promises and immediates that follow each other come to rest. */
const turns = 5

/** Timers run that were due clearly before this moment. */
export async function passUntil(clock: VirtualClock, ms: number): Promise<void> {
  for (let due = clock.next(); due !== null && due < ms - sameTimeMs; due = clock.next()) {
    clock.fire()
    await settled()
  }
  moveTo(clock, ms)
}

/** Time goes by until the driver has done what it did then, at this moment. */
export async function passWhile(clock: VirtualClock, isDone: () => boolean, ms: number): Promise<void> {
  const by = Math.max(ms, clock.monotonic()) + patienceMs
  while (!isDone()) {
    const due = clock.next()
    if (due === null || due > by) return
    clock.fire()
    await settled()
  }
  moveTo(clock, ms)
}

/** Resolves when all has happened that happens without time going by. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Sets the clock forward; timers that are due by then stay as they are. */
function moveTo(clock: VirtualClock, ms: number): void {
  clock.advance(Math.max(0, ms - clock.monotonic()))
}
