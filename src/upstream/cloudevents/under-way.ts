/** What was sent and has no acknowledgement yet: so much at most, and what comes then waits for a place. */
export interface UnderWay {
  /**
   * Sends when there is a place and the signal has not fired; settles as `send` says through its callback. Rejects when
   * everything is lost, or when the signal fires before it was sent.
   */
  send<T>(send: (done: (error: Error | null, result?: T) => void) => void, signal: AbortSignal): Promise<T>
  /** Nothing will be acknowledged any more. */
  lose(error: Error): void
}

export interface UnderWayOptions {
  most: number
  /** Called when nothing of what is under way was acknowledged for so long. */
  patienceMs: number
  silent(): void
}

const mostWaiting = 1_000

interface Waiting {
  start(): void
  /** Rejects with why the signal fired. */
  giveUp(): void
  signal: AbortSignal
}

export function underWay({ most, patienceMs, silent }: UnderWayOptions): UnderWay {
  const sent = new Set<(error: Error) => void>()
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let lost: Error | null = null

  function send<T>(
    start: (done: (error: Error | null, result?: T) => void) => void,
    signal: AbortSignal,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (waiting.length >= mostWaiting) forgetAborted()
    if (lost || waiting.length >= mostWaiting) {
      reject(lost ?? new Error(`${waiting.length} messages wait to be sent already`))
      return promise
    }
    waiting.push({
      signal,
      giveUp: () => reject(signal.reason),
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
    for (const each of waiting) if (each.signal.aborted) each.giveUp()
    waiting = waiting.filter(({ signal }) => !signal.aborted)
  }

  function next(): void {
    while (sent.size < most && waiting.length > 0) {
      const { signal, start, giveUp } = waiting.shift()!
      if (signal.aborted) giveUp()
      else start()
      if (sent.size === 1) restart()
    }
  }

  function restart(): void {
    clearTimeout(timer)
    if (sent.size > 0) timer = setTimeout(silent, patienceMs)
  }

  function lose(error: Error): void {
    lost = error
    clearTimeout(timer)
    for (const reject of sent) reject(error)
    sent.clear()
    for (const { start: _, ...each } of waiting) each.giveUp()
    waiting = []
  }

  return { send, lose }
}
