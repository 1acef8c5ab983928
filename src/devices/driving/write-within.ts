import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'

/**
 * Gives bytes to a wire. `late` when it has not taken them within `ms`: what piles up before a wire that takes nothing would
 * all be carried out later. Never rejects.
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
