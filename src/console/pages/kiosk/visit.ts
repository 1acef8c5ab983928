import { signal } from '@preact/signals'
import { ApiError } from '../lib/api.ts'
import { changeLanguage, language } from '../lib/language.ts'
import { type Found, handOver } from './box.ts'
import { isForDesk, type Row, rowOf, Stop } from './failures.ts'
import { forget } from './pending.ts'
import { readingHelp } from './speech.ts'
import type { Said } from './texts/en.ts'

/** What a guest is asked or told. */
export type Screen =
  | { name: 'welcome' }
  | { name: 'number' }
  | { name: 'name' }
  | { name: 'choose'; found: readonly Found[] }
  | { name: 'greeting'; found: Found }
  | { name: 'detail'; detail: 'email' | 'phone'; found: Found }
  | { name: 'pay'; amount: string; found: Found }
  | { name: 'another-card'; found: Found }
  /** The box is at work; `row` says what it had to do differently, and the guest waits. */
  | { name: 'working'; does: 'room' | 'card' | 'payment'; row: Row | null }
  | { name: 'take-card'; secondsLeft: number | null; card: number; of: number }
  /** The card was taken back. `again` makes another one. */
  | { name: 'not-taken'; again(): void }
  | { name: 'room'; found: Found; rooms: readonly RoomFacts[] }
  | { name: 'sentence'; row: Row; said: Said; code: string | null }

export interface RoomFacts {
  name: string
  floor: string | null
  validFrom: string
  validUntil: string
}

/** Everything that the kiosk knows of a guest. It is thrown away whole when the guest leaves. */
export interface Visit {
  /** Aborted when the guest leaves: no answer to this guest reaches the next one. */
  signal: AbortSignal
  /** How the guest was found: only a number together with name and day gets another card. */
  foundBy: Set<'number' | 'name'>
  found: Found | null
}

export const screen = signal<Screen>({ name: 'welcome' })
/** Controls are in the bottom third of the screen. */
export const isLower = signal(false)

const first = language.value
let ending = new AbortController()
export let visit = newVisit()

function newVisit(): Visit {
  return { signal: ending.signal, foundBy: new Set(), found: null }
}

/** Back to the start. Nothing of the guest is left. */
export function leave(): void {
  ending.abort()
  ending = new AbortController()
  visit = newVisit()
  forget()
  isLower.value = false
  readingHelp.end()
  screen.value = { name: 'welcome' }
  void changeLanguage(first, false)
}

export function show(next: Screen): void {
  screen.value = next
}

/** Does a step of the guest's way. Whatever stops it is told to the guest in a sentence. */
export async function step(name: string, work: (visit: Visit) => Promise<void>): Promise<void> {
  const current = visit
  try {
    await work(current)
  } catch (error) {
    if (current.signal.aborted) return
    await tell(current, name, stopOf(error))
  }
}

function stopOf(error: unknown): Stop {
  if (error instanceof Stop) return error
  if (error instanceof ApiError) return new Stop(rowOf(error), {}, error.code)
  throw error
}

/** Shows the sentence, with a code for the front desk where a colleague goes on. */
export async function tell(current: Visit, name: string, { row, said, failure }: Stop): Promise<void> {
  forget()
  const stayId = current.found?.stay.id
  const code = stayId && isForDesk(row) ? await codeFor(current, stayId, name, failure) : null
  if (!current.signal.aborted) show({ name: 'sentence', row, said, code })
}

/** Without a code the sentence is still true: the desk finds the guest by name. */
async function codeFor(
  { signal }: Visit,
  stayId: string,
  name: string,
  failure: string,
): Promise<string | null> {
  const why = { failure: word(failure), step: name, language: language.value }
  return handOver(stayId, why, signal).catch(() => null)
}

/** The box takes small letters, digits and hyphens. */
const word = (text: string) => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).slice(0, 60)

/** Waits; rejects when the guest leaves. */
export function pause(seconds: number, { signal }: Visit): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, seconds * 1_000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      fail(signal.reason)
    })
  })
}
