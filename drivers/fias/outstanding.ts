import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { FiasRecord } from './record.ts'

/** By what an answer is known for the one to this request. Null for what was not sent. */
export interface Marks {
  KC: string | null
  WS: string | null
  'G#': string | null
}

/** An answer that is waited for. */
interface Awaited {
  /** Resolves with the answer; with `late` or `gone` when none came. */
  answer: Promise<FiasRecord | 'late' | 'gone'>
  /** The request never left: nothing will come. */
  forget(): void
}

/**
 * The requests that are under way, and those whose answer never came. Nothing but these marks says whose an answer is, and
 * one that comes too late must not be taken for the next one's.
 */
export function outstanding(owedMs: number, clock: Clock) {
  const pending = new Set<Entry>()
  let owed: { marks: Marks; until: ReturnType<typeof deadline> }[] = []

  function stillOwed() {
    owed = owed.filter(({ until }) => until.left() > 0)
    return owed
  }

  function giveUp(entry: Entry, why: 'late' | 'gone'): void {
    if (!pending.delete(entry)) return
    owed.push({ marks: entry.marks, until: deadline(clock, owedMs) })
    entry.settle(why)
  }

  return {
    /** An answer to such a request could not be told from one that is still to come for another. */
    wouldBeMistaken(marks: Marks): boolean {
      const others = [...[...pending].map((entry) => entry.marks), ...stillOwed().map((debt) => debt.marks)]
      return others.some((other) => fits(other, marks))
    },

    await(marks: Marks, ms: number, signal: AbortSignal): Awaited {
      const { promise: answer, resolve } = Promise.withResolvers<FiasRecord | 'late' | 'gone'>()
      const late = () => giveUp(entry, 'late')
      // One more turn of the loop lets in what came while the process was held up.
      const timer = clock.setTimeout(() => setImmediate(late), ms)
      signal.addEventListener('abort', late, { once: true })
      const stop = () => {
        timer.cancel()
        signal.removeEventListener('abort', late)
      }
      const entry: Entry = {
        marks,
        settle(said) {
          stop()
          resolve(said)
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

    /** An answer has come. False when nobody waits for it. */
    hear(record: FiasRecord): boolean {
      const marks = marksOf(record)
      const found = [...pending].filter((entry) => fits(marks, entry.marks))
      const [entry, another] = found
      if (!entry || another) {
        const debt = stillOwed().findIndex((each) => fits(marks, each.marks))
        if (debt >= 0) owed.splice(debt, 1)
        return false
      }
      pending.delete(entry)
      entry.settle(record)
      return true
    },

    /** The line is gone, and with it every answer. */
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

/** What both name is the same. A mark that one of them has not tells nothing. */
function fits(one: Marks, other: Marks): boolean {
  return (['KC', 'WS', 'G#'] as const).every(
    (name) =>
      one[name] === null || other[name] === null || plain(name, one[name]) === plain(name, other[name]),
  )
}

/** Some key systems read the number of an encoder as one, and write it with two digits: 1 comes back as 01. */
function plain(name: keyof Marks, value: string): string {
  const text = value.trim()
  return name === 'KC' && /^\d+$/.test(text) ? String(Number(text)) : text
}
