import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { BayEvent } from '../devices/bay/bay-event.ts'
import type { Direction } from '../devices/mask.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { deferredWork } from './deferred-work.ts'
import type { LineAbout } from './entry.ts'
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
import { Ring } from './ring.ts'
import { leftOff } from './segments.ts'

/** Records the traffic between the appliance and its devices. No call fails or waits. */
export type Recorder = Awaited<ReturnType<typeof flightRecorder>>

export interface RecorderOptions {
  /** The data folder. */
  data: string
  /** The largest size of the recording on the disk. */
  bytes: number
  clock: Clock
  background: BackgroundWork
  /** Called when recording stops, and when it continues after a number of lost entries. */
  stopped(error: unknown): void
  resumed(lost: number): void
}

/**
 * Opens the recorder in `DATA/flight`. While a device works, the recorder only notes what happened and when;
 * it masks and serializes the entries a little later, because each step of a device delays the card.
 */
export async function flightRecorder(options: RecorderOptions) {
  const { bytes, clock, background, stopped, resumed } = options
  const folder = join(options.data, dataFiles.flight)
  const recording: Recording = {
    clock,
    n: await leftOff(folder),
    lines: new Set(),
    trunks: new WeakMap(),
    later: deferredWork(clock, stopped),
    append: (text) => disk.append(text),
  }
  const next = () => ++recording.n
  const disk = new Ring({
    clock,
    background,
    folder,
    bytes,
    next,
    heads: () => heads(recording),
    stopped,
    resumed,
  })
  return {
    /**
     * Records a wire. For a branch of a recorded wire only the calls are recorded; its chunks are recorded with
     * that wire.
     */
    line: (about: LineAbout, mask: MaskOf | undefined, wire: Duplex): RecordedLine =>
      recordLine(recording, about, mask, wire),
    /**
     * Returns a function that records messages of a device without a wire. The text must not contain secrets.
     */
    texts: (about: LineAbout): ((direction: Direction, text: string) => void) =>
      writeText(recording, beginLine(recording, about, true)),
    happened({ bay, what, fault }: BayEvent): void {
      const text = fault?.message ?? null
      const entry = { ...stamp(recording), line: 0, k: 0, kind: 'bay', bay, what, text }
      recording.later.put(smallEntry, () => disk.append(`${JSON.stringify(entry)}\n`))
    },
    /** Returns the whole recording, oldest first, one JSON line an entry. */
    read(): AsyncGenerator<Uint8Array> {
      catchUp(recording)
      return disk.read()
    },
    async close(): Promise<void> {
      catchUp(recording)
      await disk.close()
    },
  }
}

/** Records the messages of a line without a wire. */
function writeText(recording: Recording, line: OpenLine): (direction: Direction, text: string) => void {
  return (direction, text) => {
    const at = markOf(recording, line)
    recording.later.put(smallEntry + text.length, () =>
      write(recording, line, at, { kind: 'text', direction, text }),
    )
  }
}
