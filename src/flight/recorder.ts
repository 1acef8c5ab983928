import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { BayEvent } from '../devices/bay.ts'
import { trunkOf } from '../devices/branch.ts'
import type { Direction, WireMask } from '../devices/mask.ts'
import { askedBy } from '../devices/on-behalf.ts'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/data-files.ts'
import { type CallNotes, recordedCalls } from './calls.ts'
import type { Common, Happening, LineAbout, Mark } from './entry.ts'
import { later } from './later.ts'
import { withoutRepeats } from './looks.ts'
import { ring } from './ring.ts'
import { leftOff } from './segments.ts'
import { joined, tapped } from './tap.ts'

/** One wire, from its opening to its end, as it is recorded. */
interface RecordedLine {
  wire: Duplex
  /** The device on it, telling of its calls. */
  calls<Device extends object>(device: Device): Device
}

/** A driver's mask, for a device with these options. */
type MaskOf = (options: Record<string, unknown>) => WireMask

/** Keeps what passes between the appliance and its devices. Nothing of it ever fails or waits. */
export interface Recorder {
  /** For a branch of a recorded wire it is the calls alone: what passes is told of with the wire. */
  line(about: LineAbout, mask: MaskOf | undefined, wire: Duplex): RecordedLine
  /** For what is said without a wire; the text holds no secrets any more. */
  said(about: LineAbout): (direction: Direction, text: string) => void
  happened(event: BayEvent): void
  /** Everything there is, the oldest first, one JSON line an entry. */
  read(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

export interface RecorderOptions {
  /** The data folder. */
  data: string
  /** The most that the recording takes on the disk. */
  bytes: number
  clock: Clock
  /** Recording stopped, or went on after so many entries were lost. */
  stopped(error: unknown): void
  resumed(lost: number): void
}

/** How a line began is repeated in each segment, up to so many bytes. */
const longestHead = 16_384

interface OpenLine {
  head: string[]
  headBytes: number
  /** So much of the head ends with a call that has ended. */
  wholeHead: number
  settle(): void
}

/** What an entry without bytes holds until it is put in words, about. */
const smallEntry = 256

/**
 * Opens the recorder in `DATA/flight`. While a device is at work only what happened, and when, is noted; it is masked and
 * put in words a little later, because a card waits for every step of its devices.
 */
export async function flightRecorder(options: RecorderOptions): Promise<Recorder> {
  const { bytes, clock, stopped, resumed } = options
  const folder = join(options.data, dataFiles.flight)
  const lines = new Set<OpenLine>()
  const trunks = new WeakMap<Duplex, { line: number; isMasked: boolean; settle(): void }>()
  let n = await leftOff(folder)
  const { put: afterwards, catchUp } = later(clock, stopped)
  const disk = ring({
    clock,
    folder,
    bytes,
    next: () => ++n,
    heads: () => [...lines].flatMap(({ head, wholeHead }) => head.slice(0, wholeHead)),
    stopped,
    resumed,
  })

  const stamp = (): Mark => {
    const request = askedBy()
    const ms = Math.round(clock.monotonic() * 1_000) / 1_000
    return { n: ++n, at: clock.now(), ms, ...(request !== undefined && { request }) }
  }

  function begin(about: LineAbout, isMasked: boolean) {
    const opened: OpenLine = { head: [], headBytes: 0, wholeHead: 0, settle: () => {} }
    let k = 0
    const first = stamp()
    const line = first.n
    let request: string | undefined
    const write = (mark: Mark, happening: Happening) => keep(opened, { ...mark, line, k: k++, ...happening })
    const mark = () => ({ ...(request !== undefined && { request }), ...stamp() })
    afterwards(smallEntry, () => write(first, { kind: 'open', isMasked, ...about }))
    return {
      opened,
      line,
      write,
      mark,
      /** On whose behalf the device is at work, for what it says in between. */
      serve: (by: string | undefined) => {
        request = by
      },
    }
  }

  function keep(line: OpenLine, entry: Common & Happening): void {
    const text = `${JSON.stringify(entry)}\n`
    disk.append(text)
    line.headBytes += text.length
    if (line.headBytes > longestHead) return
    line.head.push(text)
    if (entry.kind === 'open' || entry.kind === 'outcome') line.wholeHead = line.head.length
  }

  return {
    line(about, mask, wire) {
      const trunk = trunks.get(trunkOf(wire))
      const isMasked = trunk?.isMasked ?? mask !== undefined
      const { opened, line, write, mark, serve } = begin(
        trunk ? { ...about, joins: trunk.line } : about,
        isMasked,
      )
      const { put, release } = withoutRepeats(write)
      const { passed, settle } = joined<Mark>(mask?.(about.options ?? {}) ?? null, (at, kind, kept, size) =>
        put(at, kept ? { kind, hex: Buffer.from(kept).toString('hex') } : { kind, size }),
      )
      opened.settle = trunk?.settle ?? settle
      lines.add(opened)
      const calls: CallNotes = {
        begun(method, args) {
          serve(askedBy())
          const at = mark()
          afterwards(smallEntry, () => {
            opened.settle()
            put(at, { kind: 'call', method, args })
          })
          return at.n
        },
        ended(call, outcome) {
          const at = mark()
          afterwards(smallEntry, () => {
            opened.settle()
            put(at, { kind: 'outcome', call, ...outcome })
          })
          serve(undefined)
        },
      }
      const over = () => {
        const at = mark()
        afterwards(smallEntry, () => {
          opened.settle()
          release()
          write(at, { kind: 'close' })
          lines.delete(opened)
        })
      }
      const heard = (direction: Direction, chunk: Uint8Array) => {
        const at = mark()
        // Whoever sent or gets it may use its bytes for something else.
        const copy = Uint8Array.prototype.slice.call(chunk)
        afterwards(smallEntry + copy.length, () => passed(at, direction, copy))
      }
      if (trunk) wire.once('close', over)
      const seen = trunk ? wire : tapped(wire, heard, over)
      if (!trunk) trunks.set(seen, { line, isMasked, settle })
      return { wire: seen, calls: (device) => recordedCalls(device, calls) }
    },
    said(about) {
      const { write, mark } = begin(about, true)
      return (direction, text) => {
        const at = mark()
        afterwards(smallEntry + text.length, () => write(at, { kind: 'text', direction, text }))
      }
    },
    happened({ bay, what, fault }) {
      const entry = { ...stamp(), line: 0, k: 0, kind: 'bay', bay, what, text: fault?.message ?? null }
      afterwards(smallEntry, () => disk.append(`${JSON.stringify(entry)}\n`))
    },
    read() {
      catchUp()
      for (const { settle } of lines) settle()
      return disk.read()
    },
    async close() {
      catchUp()
      for (const { settle } of lines) settle()
      await disk.close()
    },
  }
}
