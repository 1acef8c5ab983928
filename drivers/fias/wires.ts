import type { Duplex } from 'node:stream'
import { type ListeningWire, listenForWire } from '../../src/devices/listening-wire.ts'
import type { LineSettings } from './settings.ts'

/** Where the wires to the other side come from, one after the other. */
export interface Wires {
  /** The next wire; rejects with an Error in words. */
  open(signal: AbortSignal): Promise<Duplex>
  /** How long opening and starting may take. Nobody knows when somebody connects to us. */
  startTimeoutMs: number
  /** What to wait between two attempts: nothing to speak of where the other side decides when it comes. */
  backoff: { firstMs: number; maxMs: number }
  close(): Promise<void>
}

type OpenWire = (path: string, options: { baudRate: number; signal: AbortSignal }) => Promise<Duplex>

const longestTimerMs = 2 ** 31 - 1

/** The wires of a line that is connected to, or listened for. */
export function wires(
  { direction, path, host, port, baudRate, patience }: LineSettings,
  openWire: OpenWire,
): Wires {
  const connects = direction === 'connect'
  let listening: Promise<ListeningWire> | null = null

  return {
    startTimeoutMs: connects ? 60_000 : longestTimerMs,
    backoff: {
      firstMs: Math.max(20, (connects ? 1_000 : 200) * patience),
      maxMs: Math.max(200, (connects ? 60_000 : 5_000) * patience),
    },
    async open(signal) {
      if (connects) return openWire(path ?? '', { baudRate, signal })
      listening ??= listenForWire({ host, port })
      try {
        return await (await listening).next(signal)
      } catch (error) {
        if (!signal.aborted) listening = null
        throw error
      }
    },
    async close() {
      await listening?.then(
        (wire) => wire.close(),
        () => {},
      )
    },
  }
}
