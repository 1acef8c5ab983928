import type { Clock, Timer } from '../../../../host/clock.ts'
import { LineLost } from './reasons.ts'

/** The messages in flight: sent, and without an acknowledgement. Their number is limited; further ones wait. */
export interface InFlight {
  /**
   * Sends when the limit permits it and the signal is not aborted; settles as the callback of `send` says. Rejects with
   * a LineLost when the connection is lost, or when the signal was aborted before the sending.
   */
  send<T>(send: (done: (error: Error | null, result?: T) => void) => void, signal: AbortSignal): Promise<T>
  /** Call it when no acknowledgement will come any more. */
  lose(reason: string): void
}

interface InFlightOptions {
  clock: Clock
  most: number
  /** Called when no message in flight was acknowledged for this long. */
  patienceMs: number
  silent(): void
}

const maxWaiting = 1_000

const late = () => new LineLost('nothing could be sent in time', { sent: false })

interface Waiting {
  start(): void
  giveUp(error: Error): void
  signal: AbortSignal
}

/** Limits the messages in flight of one connection. */
export function inFlight({ clock, most, patienceMs, silent }: InFlightOptions): InFlight {
  const sent = new Set<(error: Error) => void>()
  let waiting: Waiting[] = []
  let timer: Timer | null = null
  let lost: string | null = null

  function send<T>(
    start: (done: (error: Error | null, result?: T) => void) => void,
    signal: AbortSignal,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (waiting.length >= maxWaiting) forgetAborted()
    if (lost || waiting.length >= maxWaiting) {
      reject(new LineLost(lost ?? `${waiting.length} messages already wait to be sent`, { sent: false }))
      return promise
    }
    waiting.push({
      signal,
      giveUp: reject,
      start() {
        sent.add(reject)
        start((error, result) => {
          if (!sent.delete(reject)) return
          if (error) reject(error)
          else resolve(result as T)
          restart()
          next()
        })
      },
    })
    next()
    return promise
  }

  function forgetAborted(): void {
    for (const each of waiting) if (each.signal.aborted) each.giveUp(late())
    waiting = waiting.filter(({ signal }) => !signal.aborted)
  }

  function next(): void {
    while (sent.size < most && waiting.length > 0) {
      const { signal, start, giveUp } = waiting.shift()!
      if (signal.aborted) giveUp(late())
      else start()
      if (sent.size === 1) restart()
    }
  }

  function restart(): void {
    timer?.cancel()
    if (sent.size > 0) timer = clock.setTimeout(silent, patienceMs)
  }

  function lose(reason: string): void {
    lost = reason
    timer?.cancel()
    for (const reject of sent) reject(new LineLost(reason, { sent: true }))
    sent.clear()
    for (const { giveUp } of waiting) giveUp(new LineLost(reason, { sent: false }))
    waiting = []
  }

  return { send, lose }
}
