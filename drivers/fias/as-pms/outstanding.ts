import { deadline } from '../../../src/devices/inbox.ts'
import type { Unanswered } from '../../../src/devices/lock-system.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { FiasRecord } from '../record.ts'

/** The marks that match an answer to this request. Null for a field that was not sent. */
export interface Marks {
  KC: string | null
  WS: string | null
  'G#': string | null
}

interface Awaited {
  /** Resolves with the answer; with `late` or `gone` when none came. */
  answer: Promise<FiasRecord | 'late' | 'gone'>
  /** Call it when the request was never sent: no answer will come. */
  forget(): void
}

interface Entry {
  marks: Marks
  settle(answer: FiasRecord | 'late' | 'gone'): void
}

/** A request whose answer never came, and may still come. */
interface Debt {
  marks: Marks
  until: ReturnType<typeof deadline>
}

/** The requests whose answer never came. They outlive the link. */
export interface Debts {
  list: Debt[]
}

/** The debts at the start of the program, of the requests of its earlier runs. */
export function debtsOf(unanswered: readonly Unanswered[], outstandingMs: number, clock: Clock): Debts {
  const list = unanswered.map(({ grant: { encoder, family }, agoMs }) => ({
    marks: { KC: encoder, WS: null, 'G#': String(family) },
    until: deadline(clock, outstandingMs - agoMs),
  }))
  return { list }
}

/** The requests in progress, and those whose answer never came. */
interface Requests {
  clock: Clock
  /** How long a missing answer may still arrive. */
  outstandingMs: number
  pending: Set<Entry>
  debts: Debts
}

/**
 * Matches answers with requests. An answer is matched only by its marks, and a late answer must not be taken for that of
 * the next request.
 */
export function outstanding(outstandingMs: number, clock: Clock, debts: Debts) {
  const requests: Requests = { clock, outstandingMs, pending: new Set(), debts }
  return {
    /** True when an answer to such a request could not be distinguished from a late answer to another. */
    wouldBeMistaken: (marks: Marks): boolean =>
      [...requests.pending, ...stillWaiting(requests)].some((other) => fits(other.marks, marks)),
    await: (marks: Marks, ms: number, signal: AbortSignal): Awaited => begin(requests, marks, ms, signal),
    /** Delivers an answer. False when no request waits for it. */
    receive: (record: FiasRecord): boolean => receive(requests, record),
    /** Call it when the line is lost, and with it every answer. */
    lost(): void {
      for (const entry of [...requests.pending]) giveUp(requests, entry, 'gone')
    },
  }
}

function stillWaiting({ debts }: Requests): Debt[] {
  debts.list = debts.list.filter(({ until }) => until.left() > 0)
  return debts.list
}

function giveUp(
  { pending, debts, clock, outstandingMs }: Requests,
  entry: Entry,
  why: 'late' | 'gone',
): void {
  if (!pending.delete(entry)) return
  debts.list.push({ marks: entry.marks, until: deadline(clock, outstandingMs) })
  entry.settle(why)
}

function begin(requests: Requests, marks: Marks, ms: number, signal: AbortSignal): Awaited {
  const { clock, pending } = requests
  const { promise: answer, resolve } = Promise.withResolvers<FiasRecord | 'late' | 'gone'>()
  const late = () => giveUp(requests, entry, 'late')
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
}

function receive(requests: Requests, record: FiasRecord): boolean {
  const { pending } = requests
  const marks = marksOf(record)
  const [entry, another] = [...pending].filter((each) => fits(marks, each.marks))
  if (!entry || another) {
    const debt = stillWaiting(requests).findIndex((each) => fits(marks, each.marks))
    if (debt >= 0) requests.debts.list.splice(debt, 1)
    return false
  }
  pending.delete(entry)
  entry.settle(record)
  return true
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
