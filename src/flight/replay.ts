import { Duplex } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { branch } from '../devices/branch.ts'
import type { Capabilities, Driver } from '../devices/driver.ts'
import { type VirtualClock, virtualClock } from '../host/virtual-clock.ts'
import { callAgain } from './calls.ts'
import type { Entry, Outcome } from './entry.ts'
import { joined } from './tap.ts'

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>
export type OpenEntry = Of<'open'>
type CallEntry = Of<'call'>

/** One call, as it went and as it goes when the device says the same again. Null: no end of it is known. */
export interface ReplayedCall {
  call: CallEntry
  recorded: Outcome | null
  replayed: Outcome | null
  /** Whether the driver has sent the same bytes, as far as they are kept. */
  sentSame: boolean
  agrees: boolean
}

export interface ReplayedLine {
  open: OpenEntry
  calls: ReplayedCall[]
  /** So many calls could not be replayed, because what came before them is not in the recording. */
  skipped: number
}

/** A timer that was due at about the time at which something was heard ran as the recording has it. */
const sameTimeMs = 30
/** So much longer than it took then a driver is waited for, in its own time. */
const patienceMs = 5_000

/** After a gap nobody knows what a driver remembers; these calls do not ask it. */
const fresh: Record<keyof Capabilities, readonly string[]> = {
  dispenser: ['initialise', 'status', 'move', 'entry'],
  encoder: ['identify', 'find', 'off', 'signal'],
}

/** A device that is lived through again. */
interface Played {
  driver: Driver
  device: Capabilities[keyof Capabilities]
  heardOf: number
  inStep: boolean
}

/**
 * Lets the driver live through one line again: it is asked for the same, hears the same, and its clock goes as it did.
 * `entries` are those of the line and of the lines that join it; `driverOf` gives the driver of an opening, if there is one.
 */
export async function replayLine(
  open: OpenEntry,
  entries: readonly Entry[],
  driverOf: (open: OpenEntry) => Driver | null,
): Promise<ReplayedLine> {
  const mask = driverOf(open)?.mask?.(open.options ?? {})
  if (!mask) return { open, calls: [], skipped: entries.filter(({ kind }) => kind === 'call').length }
  const sent = sending()
  const { passed, settle } = joined<null>(mask, (_mark, direction, kept) => {
    if (direction === 'out' && kept) sent.kept(kept)
  })
  const wire = replayWire((chunk) => {
    sent.count++
    passed(null, 'out', chunk)
  })
  const clock = virtualClock(open.at, open.ms)
  const played = new Map<number, Played>()
  const known = new Map<number, Known>()
  const calls: Known[] = []
  let active: Known | null = null
  let skipped = 0
  let expected = 0
  let isLost = false

  for (const entry of entries) {
    if (entry.kind === 'open') start(entry)
    const line = played.get(entry.line)
    if (!line || entry.k <= line.heardOf) continue
    if (entry.k !== line.heardOf + 1) {
      line.inStep = false
      // Of a driver that still waits for what is missing nothing can be said any more.
      isLost ||= calls.some(({ recorded }) => recorded === null)
    }
    line.heardOf = entry.k
    if (
      !isLost &&
      !line.inStep &&
      entry.kind === 'call' &&
      fresh[line.driver.capability].includes(entry.method)
    ) {
      line.inStep = true
      expected = sent.count
    }
    if (line.inStep) await step(entry, line)
    else if (entry.kind === 'call') skipped++
  }
  settle()
  wire.destroy()
  await settled()
  return { open, calls: calls.map(judged), skipped }

  function start(opening: OpenEntry): void {
    const driver = driverOf(opening)
    if (!driver || played.has(opening.line)) return
    const { model, patience = 1, options = {}, k } = opening
    const own = opening.line === open.line ? wire : branch(wire)
    const device = driver.open(own, { model, patience, options, clock })
    played.set(opening.line, { driver, device, heardOf: k, inStep: true })
  }

  async function step(entry: Entry, { device }: Played): Promise<void> {
    switch (entry.kind) {
      case 'call':
        await passUntil(entry.ms)
        settle()
        sent.turn()
        begin(device, entry)
        return settled()
      case 'out':
        if ('hex' in entry) active?.recordedSent.push(entry.hex)
        expected++
        return until(() => sent.count >= expected, entry.ms)
      case 'in':
        await passUntil(entry.ms)
        if ('hex' in entry) {
          const bytes = Buffer.from(entry.hex, 'hex')
          passed(null, 'in', bytes)
          wire.push(bytes)
        }
        return settled()
      case 'outcome':
        return ended(entry)
      case 'close':
        await passUntil(entry.ms)
        if (entry.line !== open.line) return
        wire.push(null)
        wire.destroy()
        return settled()
    }
  }

  function begin(device: object, call: CallEntry): void {
    const made: Known = { call, recorded: null, replayed: null, recordedSent: [], sent: sent.now() }
    known.set(call.n, made)
    calls.push(made)
    active = made
    void callAgain(device, call.method, call.args).then((outcome) => {
      made.replayed = outcome
    })
  }

  async function ended(entry: Of<'outcome'>): Promise<void> {
    const made = known.get(entry.call)
    if (!made) return
    made.recorded = 'value' in entry ? { value: entry.value } : { fault: entry.fault }
    await until(() => made.replayed !== null, entry.ms)
    settle()
    sent.turn()
    active = null
    expected = sent.count
  }

  /** Timers run that were due clearly before this moment. */
  async function passUntil(ms: number): Promise<void> {
    for (let due = clock.next(); due !== null && due < ms - sameTimeMs; due = clock.next()) {
      clock.fire()
      await settled()
    }
    moveTo(clock, ms)
  }

  /** Time goes by until the driver has done what it did then. */
  async function until(isDone: () => boolean, ms: number): Promise<void> {
    const by = Math.max(ms, clock.monotonic()) + patienceMs
    while (!isDone()) {
      const due = clock.next()
      if (due === null || due > by) return
      clock.fire()
      await settled()
    }
    moveTo(clock, ms)
  }
}

/** Sets the clock forward; timers that are due by then stay as they are. */
function moveTo(clock: VirtualClock, ms: number): void {
  clock.advance(Math.max(0, ms - clock.monotonic()))
}

/** So many turns of the loop let streams, promises and immediates that follow each other come to rest. */
const turns = 5

/** Resolves when all has happened that happens without time going by. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

interface Known {
  call: CallEntry
  recorded: Outcome | null
  replayed: Outcome | null
  /** Hex, as recorded and as it was sent now. */
  recordedSent: string[]
  sent: string[]
}

function judged({ call, recorded, replayed, recordedSent, sent }: Known): ReplayedCall {
  // Of a call that has no end in the recording nobody knows what else it sent.
  const sentSame = recorded === null || recordedSent.join('') === sent.join('')
  const agrees = recorded === null || (sentSame && isSameOutcome(recorded, replayed))
  return { call, recorded, replayed, sentSame, agrees }
}

/** By value, or by the fault's code and what it says of the outcome; texts are for people. */
function isSameOutcome(one: Outcome, other: Outcome | null): boolean {
  if (other === null) return false
  if ('value' in one || 'value' in other)
    return 'value' in one && 'value' in other && isDeepStrictEqual(one.value, other.value)
  const { text: _one, ...fault } = one.fault
  const { text: _other, ...again } = other.fault
  return isDeepStrictEqual(fault, again)
}

/** What was sent now, call by call. */
function sending() {
  let current: string[] = []
  return {
    count: 0,
    now: () => current,
    kept: (bytes: Uint8Array) => void current.push(Buffer.from(bytes).toString('hex')),
    /** From here on it belongs to another call. */
    turn: () => {
      current = []
    },
  }
}

/** The far end of it is the recording. */
function replayWire(sent: (chunk: Uint8Array) => void): Duplex {
  const wire = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      sent(chunk)
      done()
    },
  })
  wire.on('error', () => {})
  return wire
}
