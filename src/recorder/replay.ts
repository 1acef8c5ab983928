import { Duplex } from 'node:stream'
import { branch } from '../devices/branch.ts'
import type { DeviceCapabilities, Driver } from '../devices/driver.ts'
import type { WireMask } from '../devices/mask.ts'
import { type VirtualClock, virtualClock } from '../host/virtual-clock.ts'
import { callAgain } from './calls.ts'
import type { RecordingEntry } from './entry.ts'
import { type CallEntry, judged, type Known, type ReplayedCall } from './replayed-call.ts'
import { passUntil, passWhile, settled } from './replayed-time.ts'
import { joined } from './tap.ts'

type Of<Kind extends RecordingEntry['kind']> = Extract<RecordingEntry, { kind: Kind }>
/** The entry that opens a line. */
export type OpenEntry = Of<'open'>

/** The result of replaying one line. */
export interface ReplayedLine {
  open: OpenEntry
  calls: ReplayedCall[]
  /** The number of calls that could not be replayed, because earlier entries are missing. */
  skipped: number
}

/** After a gap, the state of a driver is unknown; these calls do not depend on it. */
const fresh: Record<keyof DeviceCapabilities, readonly string[]> = {
  dispenser: ['initialise', 'status', 'move', 'entry'],
  encoder: ['identify', 'find', 'off', 'signal'],
}

/** A device of the replay. */
interface Played {
  driver: Driver
  device: DeviceCapabilities[keyof DeviceCapabilities]
  /** The `k` of its last entry. */
  readCount: number
  /** Whether no entry is missing since its last call that does not depend on earlier ones. */
  inStep: boolean
}

/** The replay of one line. */
interface Replay {
  open: OpenEntry
  driverOf(open: OpenEntry): Driver | null
  clock: VirtualClock
  wire: Duplex
  sent: ReturnType<typeof sending>
  tap: ReturnType<typeof joined<null>>
  played: Map<number, Played>
  known: Map<number, Known>
  calls: Known[]
  /** The current call. */
  active: Known | null
  /** The number of chunks that the drivers have sent up to now in the recording. */
  expected: number
  /** Whether a driver still waits for missing entries; the rest of the line cannot be replayed then. */
  isLost: boolean
}

/**
 * Replays one line: the driver gets the same calls and the same chunks, and its clock advances as recorded.
 * `entries` are those of the line and of the lines that join it. `driverOf` returns the driver for an opening
 * entry, or null.
 */
export async function replayLine(
  open: OpenEntry,
  entries: readonly RecordingEntry[],
  driverOf: (open: OpenEntry) => Driver | null,
): Promise<ReplayedLine> {
  const mask = driverOf(open)?.mask?.(open.options ?? {})
  if (!mask) return { open, calls: [], skipped: entries.filter(({ kind }) => kind === 'call').length }
  const replay = begun(open, mask, driverOf)
  let skipped = 0
  for (const entry of entries) {
    if (entry.kind === 'open') start(replay, entry)
    const line = replay.played.get(entry.line)
    if (!line || entry.k <= line.readCount) continue
    receive(replay, line, entry)
    if (line.inStep) await step(replay, entry, line)
    else if (entry.kind === 'call') skipped++
  }
  replay.tap.settle()
  replay.wire.destroy()
  await settled()
  return { open, calls: replay.calls.map(judged), skipped }
}

function begun(open: OpenEntry, mask: WireMask, driverOf: Replay['driverOf']): Replay {
  const sent = sending()
  const tap = joined<null>(mask, (_mark, direction, kept) => {
    if (direction === 'out' && kept) sent.kept(kept)
  })
  const wire = replayWire((chunk) => {
    sent.count++
    tap.passed(null, 'out', chunk)
  })
  return {
    open,
    driverOf,
    clock: virtualClock(open.at, open.ms),
    wire,
    sent,
    tap,
    played: new Map(),
    known: new Map(),
    calls: [],
    active: null,
    expected: 0,
    isLost: false,
  }
}

function start({ open, driverOf, clock, wire, played }: Replay, opening: OpenEntry): void {
  const driver = driverOf(opening)
  if (!driver || played.has(opening.line)) return
  const { model, patience = 1, options = {}, k } = opening
  const own = opening.line === open.line ? wire : branch(wire)
  const device = driver.open(own, { model, patience, options, clock })
  played.set(opening.line, { driver, device, readCount: k, inStep: true })
}

/**
 * Counts an entry. A gap puts a device out of step; a call that does not depend on earlier ones puts it in
 * step again.
 */
function receive(replay: Replay, line: Played, entry: RecordingEntry): void {
  if (entry.k !== line.readCount + 1) {
    line.inStep = false
    replay.isLost ||= replay.calls.some(({ recorded }) => recorded === null)
  }
  line.readCount = entry.k
  if (replay.isLost || line.inStep || entry.kind !== 'call') return
  if (!fresh[line.driver.capability].includes(entry.method)) return
  line.inStep = true
  replay.expected = replay.sent.count
}

async function step(replay: Replay, entry: RecordingEntry, { device }: Played): Promise<void> {
  const { clock, sent, wire, tap } = replay
  switch (entry.kind) {
    case 'call':
      await passUntil(clock, entry.ms)
      tap.settle()
      sent.turn()
      call(replay, device, entry)
      return settled()
    case 'out':
      if ('hex' in entry) replay.active?.recordedSent.push(entry.hex)
      replay.expected++
      return passWhile(clock, () => sent.count >= replay.expected, entry.ms)
    case 'in':
      await passUntil(clock, entry.ms)
      if ('hex' in entry) {
        const bytes = Buffer.from(entry.hex, 'hex')
        tap.passed(null, 'in', bytes)
        wire.push(bytes)
      }
      return settled()
    case 'outcome':
      return ended(replay, entry)
    case 'close':
      await passUntil(clock, entry.ms)
      if (entry.line !== replay.open.line) return
      wire.push(null)
      wire.destroy()
      return settled()
  }
}

function call(replay: Replay, device: object, entry: CallEntry): void {
  const { known, calls, sent } = replay
  const made: Known = { call: entry, recorded: null, replayed: null, recordedSent: [], sent: sent.now() }
  known.set(entry.n, made)
  calls.push(made)
  replay.active = made
  void callAgain(device, entry.method, entry.args).then((outcome) => {
    made.replayed = outcome
  })
}

async function ended(replay: Replay, entry: Of<'outcome'>): Promise<void> {
  const { known, clock, tap, sent } = replay
  const made = known.get(entry.call)
  if (!made) return
  made.recorded = 'value' in entry ? { value: entry.value } : { fault: entry.fault }
  await passWhile(clock, () => made.replayed !== null, entry.ms)
  tap.settle()
  sent.turn()
  replay.active = null
  replay.expected = sent.count
}

/** Collects the chunks that are sent during the replay, call by call. */
function sending() {
  let current: string[] = []
  return {
    count: 0,
    now: () => current,
    kept: (bytes: Uint8Array) => void current.push(Buffer.from(bytes).toString('hex')),
    /** Starts the chunks of the next call. */
    turn: () => {
      current = []
    },
  }
}

/** Creates the wire whose other end is the recording. */
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
