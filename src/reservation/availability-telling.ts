import type { Clock, Timer } from '../host/clock.ts'
import type { Door } from '../resource/change.ts'
import type { Reader } from '../resource/keeper.ts'
import { isAvailabilityDue, tellDueAvailability, tellsEveryMs } from './availability-changed.ts'

interface TellingOptions {
  clock: Clock
  reader: Pick<Reader, 'counters'>
  door: Door
  /** Calls back when anything was written, until the returned function is called. */
  written(listener: () => void): () => void
  failed(error: unknown): void
}

const actor = { by: 'availability', requestId: null }

/** Has changes of availability that follow one another told as one, until it is closed; what waits then is told after the next start. */
export function availabilityTelling({ clock, reader, door, written, failed }: TellingOptions): {
  close(): void
} {
  let timer: Timer | null = null
  const stop = written(look)
  look()

  function look(): void {
    try {
      if (!timer && isAvailabilityDue(reader))
        timer = clock.setTimeout(() => void tell(), tellsEveryMs).unref()
    } catch (error) {
      failed(error)
    }
  }

  async function tell(): Promise<void> {
    try {
      await door.write(tellDueAvailability, null, { actor })
    } catch (error) {
      failed(error)
    }
    timer = null
    look()
  }

  return {
    close() {
      stop()
      timer?.cancel()
    },
  }
}
