import { deadline } from '../../../src/devices/inbox.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { FiasRecord } from '../record.ts'

/** The marks that match an answer to this request. Null for a field that was not sent. */
export interface Marks {
  KC: string | null
  WS: string | null
  'G#': string | null
}

/** A pending answer. */
interface Awaited {
  /** Resolves with the answer; with `late` or `gone` when none came. */
  answer: Promise<FiasRecord | 'late' | 'gone'>
  /** Call it when the request was never sent: no answer will come. */
  forget(): void
}

/**
 * The requests in progress, and those whose answer never came. An answer is matched only by these marks, and a late
 * answer must not be taken for that of the next request.
 */
export function outstanding(outstandingMs: number, clock: Clock) {
  const pending = new Set<Entry>()
  let waiting: { marks: Marks; until: ReturnType<typeof deadline> }[] = []

  function stillWaiting() {
    waiting = waiting.filter(({ until }) => until.left() > 0)
    return waiting
  }

  function giveUp(entry: Entry, why: 'late' | 'gone'): void {
    if (!pending.delete(entry)) return
    waiting.push({ marks: entry.marks, until: deadline(clock, outstandingMs) })
    entry.settle(why)
  }

  return {
    /** True when an answer to such a request could not be distinguished from a late answer to another. */
    wouldBeMistaken(marks: Marks): boolean {
      const others = [
        ...[...pending].map((entry) => entry.marks),
        ...stillWaiting().map((debt) => debt.marks),
      ]
      return others.some((other) => fits(other, marks))
    },

    await(marks: Marks, ms: number, signal: AbortSignal): Awaited {
      const { promise: answer, resolve } = Promise.withResolvers<FiasRecord | 'late' | 'gone'>()
      const late = () => giveUp(entry, 'late')
      // One more turn of the event loop accepts answers that arrived while the process was busy.
      const timer = clock.setTimeout(() => setImmediate(late), ms)
      signal.addEventListener('abort', late, { once: true })
      const stop = () => {
        timer.cancel()
        signal.removeEventListener('abort', late)
      }
      const entry: Entry = {
        marks,
        settle(received) {
          stop()
          resolve(received)
        },
      }
      pending.add(entry)
      return {
        answer,
        forget() {
          stop()
          pending.delete(entry)
        },
      }
    },

    /** Delivers an answer. False when no request waits for it. */
    receive(record: FiasRecord): boolean {
      const marks = marksOf(record)
      const found = [...pending].filter((entry) => fits(marks, entry.marks))
      const [entry, another] = found
      if (!entry || another) {
        const debt = stillWaiting().findIndex((each) => fits(marks, each.marks))
        if (debt >= 0) waiting.splice(debt, 1)
        return false
      }
      pending.delete(entry)
      entry.settle(record)
      return true
    },

    /** Call it when the line is lost, and with it every answer. */
    lost(): void {
      for (const entry of [...pending]) giveUp(entry, 'gone')
    },
  }
}

interface Entry {
  marks: Marks
  settle(answer: FiasRecord | 'late' | 'gone'): void
}

function marksOf({ fields }: FiasRecord): Marks {
  return { KC: fields.KC ?? null, WS: fields.WS ?? null, 'G#': fields['G#'] ?? null }
}

/** Whether all marks that both carry are equal. A mark that one of them lacks is ignored. */
function fits(one: Marks, other: Marks): boolean {
  return (['KC', 'WS', 'G#'] as const).every(
    (name) =>
      one[name] === null || other[name] === null || plain(name, one[name]) === plain(name, other[name]),
  )
}

/** Some key systems parse the number of an encoder and format it with two digits: 1 comes back as 01. */
function plain(name: keyof Marks, value: string): string {
  const text = value.trim()
  return name === 'KC' && /^\d+$/.test(text) ? String(Number(text)) : text
}
