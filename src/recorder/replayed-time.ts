import type { VirtualClock } from '../host/virtual-clock.ts'

/**
 * The tolerance for timers: a timer that was due this close to a recorded entry runs as the recording shows.
 */
const sameTimeMs = 30
/** How much longer than recorded a driver may take, by its own clock. */
const patienceMs = 5_000
/** The number of turns of the event loop in which chained streams, promises and immediates settle. */
const turns = 5

/** Fires the timers that were due clearly before this time. */
export async function passUntil(clock: VirtualClock, ms: number): Promise<void> {
  for (let due = clock.next(); due !== null && due < ms - sameTimeMs; due = clock.next()) {
    clock.fire()
    await settled()
  }
  moveTo(clock, ms)
}

/** Fires timers until the driver has done what it did at this time in the recording. */
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

/** Resolves when everything that needs no time has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Moves the clock forward without firing timers. */
function moveTo(clock: VirtualClock, ms: number): void {
  clock.advance(Math.max(0, ms - clock.monotonic()))
}
