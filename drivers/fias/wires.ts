import type { Duplex } from 'node:stream'
import type { BayEvent } from '../../src/devices/bay/bay-event.ts'
import { type ListeningWire, listenForWire } from '../../src/devices/network/listening-wire.ts'
import { peersOf } from '../../src/devices/network/peers.ts'
import { type Refusals, visitors } from '../../src/devices/network/visitors.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { LineSettings } from './settings.ts'

/** The source of the wires to the other side, one after the other. */
interface Wires {
  /** The next wire; rejects with an Error whose message is a sentence. */
  open(signal: AbortSignal): Promise<Duplex>
  /**
   * How long opening and starting may take, in ms. It is unlimited for a listener, because a peer may connect at any
   * time.
   */
  startTimeoutMs: number
  /**
   * The pauses between two attempts, in ms. They are short for a listener, because the peer decides when it connects.
   */
  backoff: { firstMs: number; maxMs: number }
  /** The connections that were refused within the last hour. */
  refusals(): Refusals[]
  close(): Promise<void>
}

interface WiresSetup {
  name: string
  clock: Clock
  log(event: BayEvent): void
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** Whether the other side of the newest wire is still there. */
  isThere(): Promise<boolean>
}

const longestTimerMs = 2 ** 31 - 1

/** The wires of a line that connects or listens. */
export function wires(settings: LineSettings, setup: WiresSetup): Wires {
  const { direction, path, host, port, peers, baudRate, patience } = settings
  const connects = direction === 'connect'
  const { refused, now, close } = visitors(setup.name, setup.clock, setup.log)
  let listening: Promise<ListeningWire> | null = null

  return {
    startTimeoutMs: connects ? 60_000 : longestTimerMs,
    backoff: {
      firstMs: Math.max(20, (connects ? 1_000 : 200) * patience),
      maxMs: Math.max(200, (connects ? 60_000 : 5_000) * patience),
    },
    refusals: now,
    async open(signal) {
      if (connects) return setup.openWire(path ?? '', { baudRate, signal })
      listening ??= listenForWire({ host, port, isPeer: peersOf(peers), isThere: setup.isThere, refused })
      try {
        return await (await listening).next(signal)
      } catch (error) {
        if (!signal.aborted) listening = null
        throw error
      }
    },
    async close() {
      close()
      await listening?.then(
        (wire) => wire.close(),
        () => {},
      )
    },
  }
}
