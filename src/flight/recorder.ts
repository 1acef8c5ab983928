import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { BayEvent } from '../devices/bay-event.ts'
import type { Direction } from '../devices/mask.ts'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/data-files.ts'
import type { LineAbout } from './entry.ts'
import { later } from './later.ts'
import { type MaskOf, type RecordedLine, recordLine } from './recorded-line.ts'
import {
  beginLine,
  catchUp,
  heads,
  markOf,
  type OpenLine,
  type Recording,
  smallEntry,
  stamp,
  write,
} from './recording.ts'
import { ring } from './ring.ts'
import { leftOff } from './segments.ts'

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

/**
 * Opens the recorder in `DATA/flight`. While a device is at work only what happened, and when, is noted; it is masked and
 * put in words a little later, because a card waits for every step of its devices.
 */
export async function flightRecorder(options: RecorderOptions): Promise<Recorder> {
  const { bytes, clock, stopped, resumed } = options
  const folder = join(options.data, dataFiles.flight)
  const recording: Recording = {
    clock,
    n: await leftOff(folder),
    lines: new Set(),
    trunks: new WeakMap(),
    later: later(clock, stopped),
    append: (text) => disk.append(text),
  }
  const next = () => ++recording.n
  const disk = ring({ clock, folder, bytes, next, heads: () => heads(recording), stopped, resumed })
  return {
    line: (about, mask, wire) => recordLine(recording, about, mask, wire),
    said: (about) => sayIn(recording, beginLine(recording, about, true)),
    happened({ bay, what, fault }) {
      const text = fault?.message ?? null
      const entry = { ...stamp(recording), line: 0, k: 0, kind: 'bay', bay, what, text }
      recording.later.put(smallEntry, () => disk.append(`${JSON.stringify(entry)}\n`))
    },
    read() {
      catchUp(recording)
      return disk.read()
    },
    async close() {
      catchUp(recording)
      await disk.close()
    },
  }
}

/** Notes texts of a line that has no wire. */
function sayIn(recording: Recording, line: OpenLine): (direction: Direction, text: string) => void {
  return (direction, text) => {
    const at = markOf(recording, line)
    recording.later.put(smallEntry + text.length, () =>
      write(recording, line, at, { kind: 'text', direction, text }),
    )
  }
}
