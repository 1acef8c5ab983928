import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'

/**
 * Writes bytes to a wire. Resolves with `late` when the wire has not accepted them within `ms`: bytes that pile up
 * before a blocked wire would all be executed later. Never rejects.
 */
export function writeWithin(
  wire: Duplex,
  bytes: Uint8Array,
  ms: number,
  clock: Clock,
): Promise<'taken' | 'late' | 'failed'> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve('late'), ms)
    wire.write(bytes, (error) => {
      timer.cancel()
      resolve(error ? 'failed' : 'taken')
    })
  })
}
