import type { Clock } from '../host/clock.ts'
import { Problem } from '../resource/problem.ts'

/** How long others wait for a slice of work, about. */
const sliceMs = 4
/** And so many steps, however fast they are. */
const sliceSteps = 16
/** Works that share the time between slices, and those that wait for a place. */
const mostAtWork = 3
const mostWaiting = 30
/** So many begin before all have to end, and rest: SQLite reuses its log only when nobody reads of an earlier moment. */
const mostWithoutRest = 16
const restMs = 50

interface Work {
  steps(): Generator<void, unknown>
  isGone(): boolean
  started?: Generator<void, unknown>
  done(result: unknown): void
  failed(error: unknown): void
}

/** Works that would take long, done in slices, so that everything else is answered in between. */
export interface Turns {
  /**
   * Begins when there is a place, ends with the value that `steps` returns. Rejects with busy when too many wait, and before
   * the next slice when who waits for it `isGone`.
   */
  take<T>(steps: () => Generator<void, T>, isGone: () => boolean): Promise<T>
  /** Ends everything that is not done yet. */
  close(): void
}

export function turns(clock: Clock): Turns {
  const waiting: Work[] = []
  const atWork: Work[] = []
  let isClosed = false
  let isDue = false
  let begun = 0

  function take<T>(steps: () => Generator<void, T>, isGone: () => boolean): Promise<T> {
    if (isClosed) return Promise.reject(stopping())
    if (waiting.length >= mostWaiting) return Promise.reject(tooMany(waiting.length))
    return new Promise<T>((resolve, reject) => {
      waiting.push({ steps, isGone, done: resolve as Work['done'], failed: reject })
      soon()
    })
  }

  function soon(): void {
    if (!isDue) setImmediate(turn)
    isDue = true
  }

  /** One slice of one work; then whatever else there is to do has its turn. */
  function turn(): void {
    isDue = false
    for (; atWork.length < mostAtWork && waiting.length > 0 && begun < mostWithoutRest; begun++) {
      atWork.push(waiting.shift()!)
    }
    const work = atWork.shift()
    if (!work) return
    if (!isOver(work)) atWork.push(work)
    if (atWork.length === 0 && begun === mostWithoutRest) clock.setTimeout(goOn, restMs)
    else if (atWork.length + waiting.length > 0) soon()
  }

  function goOn(): void {
    begun = 0
    if (waiting.length > 0) soon()
  }

  function isOver(work: Work): boolean {
    const until = clock.monotonic() + sliceMs
    let steps = 0
    try {
      if (work.isGone()) {
        end(work, new Problem('busy', 'Nobody waits for the answer.'))
        return true
      }
      work.started ??= work.steps()
      do {
        const { done, value } = work.started.next()
        if (done) {
          work.done(value)
          return true
        }
      } while (clock.monotonic() < until && ++steps < sliceSteps)
      return false
    } catch (error) {
      work.failed(error)
      return true
    }
  }

  function close(): void {
    isClosed = true
    for (const work of [...atWork.splice(0), ...waiting.splice(0)]) end(work, stopping())
  }

  function end({ started, failed }: Work, why: Problem): void {
    started?.return(undefined)
    failed(why)
  }

  return { take, close }
}

function stopping(): Problem {
  return new Problem('starting-up', 'The appliance is stopping.')
}

function tooMany(count: number): Problem {
  return new Problem('busy', `${count} long searches are waiting.`, { meta: { retryAfterSeconds: 5 } })
}
