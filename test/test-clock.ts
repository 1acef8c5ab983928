import { setTimeout as realPause } from 'node:timers/promises'
import { type Clock, clockOf, systemClock } from '../src/host/clock.ts'
import type { JudgedClock } from '../src/host/judged-clock.ts'
import { type VirtualClock, virtualClock } from '../src/host/virtual-clock.ts'
import { arePoolJobsAtWork } from './pool-jobs.ts'

/** A wall clock that stands still until a test moves it, beside the machine's own monotonic clock and timers. */
export interface SettableClock extends Clock {
  /** Sets the wall clock as a hand or a time server would: `monotonic` takes no notice. */
  set(ms: number): void
  /** Moves both clocks forward. Timers take no notice. */
  advance(ms: number): void
}

/** A settable clock that shows `startMs` in Unix milliseconds. */
export function settableClock(startMs: number): SettableClock {
  let now = startMs
  let ahead = 0
  const clock = clockOf({
    ...systemClock,
    now: () => now,
    monotonic: () => systemClock.monotonic() + ahead,
  })
  return {
    ...clock,
    set(ms) {
      now = ms
    },
    advance(ms) {
      now += ms
      ahead += ms
    },
  }
}

/**
 * Virtual time that goes by on its own: whenever the process has nothing left to do, the clock moves to the next timer and
 * runs it. Sockets, files and threads work as ever, and a deadline of a minute takes a millisecond.
 */
export interface TestClock extends VirtualClock {
  /** Lets time go by until `work` has ended, on a clock that otherwise stands still; but not before `graceMs` in real time. */
  during<T>(work: Promise<T>, graceMs?: number): Promise<T>
  /** Time stands still while `isBusy`, for work that this process cannot see, such as that of another thread. */
  standsWhile(isBusy: () => boolean): void
  /** `passTime` leaves it alone from now on. */
  retire(): void
}

/** A clock that is believed whatever it shows. */
export function trustedClock(machine: Clock): JudgedClock {
  return {
    ...machine,
    builtAt: monday,
    judged: () => ({
      judgement: 'plausible',
      machine: machine.now(),
      floor: machine.now(),
      stated: false,
      confirmed: true,
    }),
    machineStart: () => null,
    confirmationToKeep: () => null,
    begin() {},
    updateSync: () => false,
    state() {},
    confirm() {},
  }
}

/** Lets `ms` go by at once on a clock that nobody else moves, and runs the timers that are due meanwhile. */
export function elapse(clock: VirtualClock, ms: number): void {
  const until = clock.monotonic() + ms
  for (let next = clock.next(); next !== null && next <= until; next = clock.next()) clock.fire()
  clock.advance(until - clock.monotonic())
}

/** The clocks of this process on which time goes by only `during` something. */
const standing = new Set<TestClock>()

/**
 * Lets `ms` go by for whoever looks again and again whether something has come true: on every test clock of this process, or
 * in real time where there is none.
 */
export async function passTime(ms: number): Promise<void> {
  if (standing.size === 0) return realPause(ms)
  await Promise.all([...standing].map((clock) => clock.during(clock.sleep(ms), 0)))
}

/** 2026-06-01 17:00 in Lisbon: guests arrive, no clock change is near. */
export const monday = Date.UTC(2026, 5, 1, 16)

/**
 * A test clock from `wallMs` on. `always`: time goes by as long as there is a timer; otherwise only `during` something. A timer
 * that is overdue, because a test has moved the clock, always runs. `wallStands`: the wall clock shows the same until a test
 * moves it, for tests that name moments. `alone`: everything happens in this thread, without sockets, so that nobody has to be
 * waited for in real time.
 */
export function testClock({
  wallMs = monday,
  always = true,
  wallStands = false,
  alone = false,
} = {}): TestClock {
  const clock = virtualClock(wallMs)
  let wall = wallMs
  const probes: (() => boolean)[] = []
  let underWay = 0
  let isRunning = false

  const isDue = () => {
    const next = clock.next()
    return next !== null && (always || underWay > 0 || next <= clock.monotonic())
  }

  function run(): void {
    if (isRunning || !isDue()) return
    isRunning = true
    void runTimers()
  }

  async function runTimers(): Promise<void> {
    while (isDue()) {
      const holds = clock.next('ref') !== null || underWay > 0
      await quiet(() => probes.some((isBusy) => isBusy()), holds, alone ? 0 : quietMs)
      if (!isDue()) break
      // What is due at one moment runs in one go, each with what follows from it at once.
      const until = Math.max(clock.next()!, clock.monotonic())
      for (let next = until; next <= until; next = clock.next() ?? Number.POSITIVE_INFINITY) {
        clock.fire()
        await turn(false, holds)
      }
    }
    isRunning = false
  }

  clock.onTimer(run)
  const own: TestClock = {
    ...clock,
    ...(wallStands && { now: () => wall }),
    set(ms) {
      clock.set(ms)
      wall = ms
    },
    advance(ms) {
      clock.advance(ms)
      wall += ms
      run()
    },
    during(work, graceMs = answeredWithinMs) {
      underWay++
      // What needs no time has ended by then, and nobody has to look whether the process is idle.
      const soon = graceMs > 0 ? setTimeout(run, graceMs) : undefined
      if (!soon) run()
      return work.finally(() => {
        clearTimeout(soon)
        underWay--
      })
    },
    standsWhile: (isBusy) => void probes.push(isBusy),
    retire: () => void standing.delete(own),
  }
  if (!always) standing.add(own)
  return own
}

/** So long, in real milliseconds, an answer may take before time begins to go by for it. */
const answeredWithinMs = 3
/** So long, in real milliseconds, nothing may happen before a process counts as idle. */
const quietMs = 1
/** And so many turns of its loop. */
const quietTurns = 4

/** Requests to the system that end by themselves, as Node names them. */
const requests = /^(FSReq|TCPConnectWrap|PipeConnectWrap|WriteWrap|ShutdownWrap|GetAddrInfo|GetNameInfo)/
/** Immediates of the clocks of this process that are pending. */
let ownImmediates = 0

/** Whether a request to the system or a job of a thread has not ended, or somebody goes on in the next turn of the loop. */
function isUnderWay(): boolean {
  if (arePoolJobsAtWork()) return true
  const names = process.getActiveResourcesInfo()
  const immediates = names.filter((name) => name === 'Immediate').length
  return immediates > ownImmediates || names.some((name) => requests.test(name))
}

/**
 * Resolves when nothing happens in this process any more but what time brings, and has not for `forMs` in real time. `holds`:
 * it keeps the process running meanwhile.
 */
export async function quiet(isBusy: () => boolean, holds: boolean, forMs = quietMs): Promise<void> {
  let seen = -1
  let since = 0
  let turns = 0
  for (;;) {
    const isAtWork = isBusy() || isUnderWay()
    const { events } = performance.nodeTiming.uvMetricsInfo
    if (isAtWork || events !== seen) {
      seen = events
      since = performance.now()
      turns = 0
    } else if (++turns > quietTurns && performance.now() - since >= forMs) return
    await turn(isAtWork, holds)
  }
}

/**
 * One turn of the loop. A loop that waits does not come round to an immediate that does not hold it, but to a timer it does;
 * and while others are at work a pause leaves them the processor.
 */
function turn(isAtWork: boolean, holds: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (!holds) setTimeout(resolve, 0).unref()
    else if (isAtWork) setTimeout(resolve, 0)
    else {
      ownImmediates++
      setImmediate(() => {
        ownImmediates--
        resolve()
      })
    }
  })
}

/** A clock whose timers a test stops: what the box does without being asked is not begun any more, until it goes on. */
export function stoppableClock(): TestClock & { stop(): void; goOn(): void } {
  const clock = testClock({ always: false })
  let isStopped = false
  const held: (() => void)[] = []
  return {
    ...clock,
    setTimeout: (run, ms) => clock.setTimeout(() => void (isStopped ? held.push(run) : run()), ms),
    setInterval: (run, ms) => clock.setInterval(() => isStopped || run(), ms),
    stop() {
      isStopped = true
    },
    goOn() {
      isStopped = false
      for (const run of held.splice(0)) run()
    },
  }
}
