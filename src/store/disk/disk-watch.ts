import { Problem } from '../../resource/problem.ts'
import { fileTroubleIn, isOfDisk, problemOf, type Trouble, troubleIn } from './disk-trouble.ts'

/** The state of the store's disk, as reads, writes and checks reported it. */
export type DiskWatch = Omit<
  ReturnType<typeof diskWatch>,
  'well' | 'hangs' | 'answers' | 'isInTrouble' | 'beat'
>

/** A call that has waited for more beats than this is rejected when the disk is slow: 15 to 20 s. */
const mostBeats = 3
/**
 * And in any case after this many: ten minutes. A backup, a payment or a card takes less, and no fault that only another
 * disk has, such as that of the backups, keeps a client waiting without end.
 */
const mostBeatsEver = 120
/** So many beats after a slow command the disk counts as slow: ten minutes. */
const slowForBeats = 120

/** Creates the one record of the disk's state. */
export function diskWatch() {
  /** `unreadable` or `damaged`, until a check of the whole database finds it intact. */
  let reading: Trouble | null = null
  /** Any other trouble, until a test write succeeds. */
  let writing: Trouble | null = null
  let last: Trouble['is'] | null = null
  const listeners: ((trouble: Trouble | null) => void)[] = []
  const { hanging, ...waiting } = hangWatch(notify)
  /** The trouble that keeps the disk from working; null when none is known. */
  const trouble = (): Trouble | null => hanging() ?? reading ?? writing

  function notify(): void {
    const now = trouble()
    if ((now?.is ?? null) === last) return
    last = now?.is ?? null
    for (const listener of listeners) listener(now)
  }

  /** Records trouble that a read, a write or a check has met. */
  function is(found: Trouble): void {
    if (found.is === 'damaged') reading = found
    else if (found.is === 'unreadable') reading ??= found
    else writing = found
    notify()
  }

  /** Records trouble, and returns the Problem for the request that met it. */
  function refusal(found: Trouble): Problem {
    is(found)
    return problemOf((found.is === 'unreadable' && reading) || found)
  }

  return {
    ...waiting,
    trouble,
    /** Whether the last trouble still stands. */
    isInTrouble: () => reading !== null || writing !== null,
    is,
    refusal,
    /** A test write has succeeded. */
    well() {
      writing = null
      notify()
    },
    /** A check has read the whole database, and found it intact. */
    intact() {
      reading = null
      notify()
    },
    /**
     * Returns the Problem for an error of the disk, and records the trouble that SQLite has met; null for any other error. A file
     * may be on another disk than the database, and a test write finds trouble of that one.
     */
    problem(error: unknown): Problem | null {
      if (isOfDisk(error)) return error as Problem
      const found = troubleIn(error)
      if (found) return refusal(found)
      const ofFile = fileTroubleIn(error)
      return ofFile && problemOf(ofFile)
    },
    /**
     * Calls `listener` when the kind of trouble changes; with null when the disk is well again. It never calls
     * twice with the same kind.
     */
    subscribe: (listener: (trouble: Trouble | null) => void) => void listeners.push(listener),
  }
}

const noAnswer: Trouble = { is: 'hanging', code: 'no answer' }

/** Records whether the disk answers, and rejects the waiting calls when it does not. */
function hangWatch(changed: () => void) {
  let hanging: Trouble | null = null
  let beats = 0
  let slowAt = Number.NEGATIVE_INFINITY
  /** For each waiting call, the number of beats before it. */
  const waiting = new Map<(reason: Problem) => void, number>()

  function rejectAll(reason: Problem, isLong = (_since: number) => true): void {
    for (const [reject, since] of waiting)
      if (isLong(since)) {
        waiting.delete(reject)
        reject(reason)
      }
  }

  return {
    hanging: () => hanging,
    /** Whether a write has started and it is not known when it ends. */
    isHanging: () => hanging !== null,
    /** Whether a command has waited for a whole period of the heartbeat, five seconds, within the last ten minutes. */
    isSlow: () => beats - slowAt < slowForBeats,
    hangs() {
      hanging = noAnswer
      changed()
      rejectAll(problemOf(hanging))
    },
    /**
     * A period of the heartbeat is over. `isSlow`: a command has waited for all of it. A request may need several commands,
     * and each of them may wait for a slow flush: calls that have waited for more than three periods are rejected then.
     */
    beat(isSlow: boolean) {
      beats++
      if (isSlow) slowAt = beats
      const most = isSlow ? mostBeats : mostBeatsEver
      rejectAll(problemOf(noAnswer), (since) => beats - since > most)
    },
    /** Rejects all waiting calls, because the appliance stops; their work continues. */
    abandon() {
      const detail = 'The appliance is stopping. It is not known yet whether this was written.'
      rejectAll(new Problem('starting-up', detail, { meta: { retryAfterSeconds: 5, outcomeUnknown: true } }))
    },
    answers() {
      hanging = null
      changed()
    },
    /**
     * Returns the outcome of `work`. Rejects with a Problem as soon as the disk hangs, when `work` takes long on a slow disk,
     * and when the appliance stops; `work` continues.
     */
    within<T>(work: Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.set(reject, beats)
      work.then(resolve, reject)
      const done = () => waiting.delete(reject)
      promise.then(done, done)
      return promise
    },
  }
}
