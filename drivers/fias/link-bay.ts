import type { Duplex } from 'node:stream'
import { type Bay, bay } from '../../src/devices/bay/bay.ts'
import type { FaultCode } from '../../src/devices/fault.ts'
import type { ServiceLink } from '../../src/devices/key-service.ts'
import type { LockSetup } from '../../src/devices/lock-system.ts'
import { type ListeningWire, listenForWire } from '../../src/devices/network/listening-wire.ts'
import { networks } from '../../src/devices/network/networks.ts'
import { visitors } from '../../src/devices/network/visitors.ts'
import type { LinkEnd } from './link-end.ts'
import type { LineSettings } from './settings.ts'

/** One side of a link over one wire. `start` resolves once the link has begun. */
type Side = Pick<LinkEnd, 'isThere' | 'close'> & { start(): Promise<void> }

interface LinkBaySetup extends Pick<LockSetup, 'name' | 'clock' | 'log' | 'openWire'> {
  /** The fault of a call while there is no link. */
  offlineCode: FaultCode
}

const longestTimerMs = 2 ** 31 - 1

/**
 * Keeps a link open without end, over wires that are opened or accepted one after the other. `open` begins the link over
 * a new wire. A wire of a second peer is accepted only when the other side of the newest one is no longer there.
 */
export function linkBay<End extends Side>(
  { direction, path, host, port, peers, baudRate, patience }: LineSettings,
  { name, clock, log, openWire, offlineCode }: LinkBaySetup,
  open: (wire: Duplex) => End,
): ServiceLink & { line: Bay<End> } {
  const connects = direction === 'connect'
  const { refused, now: refusals, close: forgetVisitors } = visitors(name, clock, log)
  let listening: Promise<ListeningWire> | null = null
  let newest: End | null = null

  const line = bay<End>({
    name,
    clock,
    log,
    offlineCode,
    // A peer may connect at any time, so a listener waits without a limit and pauses only for a short time.
    startTimeoutMs: connects ? 60_000 : longestTimerMs,
    backoff: {
      firstMs: Math.max(20, (connects ? 1_000 : 200) * patience),
      maxMs: Math.max(200, (connects ? 60_000 : 5_000) * patience),
    },
    async open(signal) {
      const wire = connects ? await openWire(path ?? '', { baudRate, signal }) : await accepted(signal)
      newest = open(wire)
      return { device: newest, wire }
    },
    started: (device) => device.start(),
  })

  return {
    line,
    state: () => ({ line: line.state(), since: line.since, fault: line.lastFault, refusals: refusals() }),
    async close() {
      await Promise.all([line.close(), stopListening()])
    },
  }

  async function accepted(signal: AbortSignal): Promise<Duplex> {
    const isThere = async () => (await newest?.isThere()) ?? false
    listening ??= listenForWire({ host, port, isPeer: networks(peers), isThere, refused })
    try {
      return await (await listening).next(signal)
    } catch (error) {
      if (!signal.aborted) listening = null
      throw error
    }
  }

  async function stopListening(): Promise<void> {
    forgetVisitors()
    await listening?.then(
      (wire) => wire.close(),
      () => {},
    )
  }
}
