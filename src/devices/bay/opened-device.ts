import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { atMost } from '../at-most.ts'

/** A device and the wire it is on. */
export interface Opened<Device> {
  device: Device
  wire: Duplex
}

/** Aborts a life with the reason as soon as the wire has ended, failed or been closed. */
export function abortWhenLost(wire: Duplex, life: AbortController) {
  const lost = () => life.abort(new Error('the line was closed'))
  // This listener stays: without a listener, an `error` event ends the process.
  wire.on('error', (error) => life.abort(error))
  wire.once('close', lost)
  wire.once('end', lost)
  if (wire.destroyed || wire.readableEnded) lost()
}

/**
 * Closes the device and the wire. Waits for the wire 1 s at most, because a line that is still locked cannot be opened
 * again.
 */
export async function discard<Device extends { close(): void }>(
  { device, wire }: Opened<Device>,
  clock: Clock,
): Promise<void> {
  wire.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    wire.once('close', resolve)
    if (wire.closed) resolve()
  })
  try {
    device.close()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)))
  }
  wire.destroy()
  await atMost(clock, 1_000, closed)
}
