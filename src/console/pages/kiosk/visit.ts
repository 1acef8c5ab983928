import { computed, type Signal, signal } from '@preact/signals'
import { ApiError } from '../lib/api.ts'
import { changeLanguage, language } from '../lib/language.ts'
import type { Found, Said } from './box.ts'
import type { CallState, Why } from './call.ts'
import { callsDesk, failureOf, isForDesk, type Row, rowOf, Stop } from './failures.ts'
import { loadLate } from './late.ts'
import { forget } from './pending.ts'
import { chimeForGuest, isListening, readingHelp } from './speech.ts'
import type { Said as Values } from './texts.ts'

/** The pages of a visit. */
export type Screen =
  | { name: 'welcome' }
  | { name: 'number' }
  | { name: 'name' }
  | { name: 'onFile' }
  /** The search takes long, or is repeated. `choice`: the guest may wait on, or go to the desk. */
  | { name: 'searching'; choice: null | { waitOn(): void } }
  | { name: 'choose'; found: readonly Found[] }
  | { name: 'greeting'; found: Found }
  | { name: 'detail'; detail: 'email' | 'phone'; found: Found; isRefused: boolean }
  /** `isCanceled`: the guest has canceled a payment at the terminal. */
  | { name: 'pay'; amount: string; found: Found; isCanceled: boolean }
  /** The guest is at the payment terminal. */
  /** `until`: when the terminal ends the payment, Unix milliseconds by the clock of the box. */
  | { name: 'paying'; amount: string; until: number; cancellation: Cancellation }
  | { name: 'another-card'; found: Found }
  /** The box is working. `row` names an unusual cause of the wait. */
  | { name: 'working'; does: 'room' | 'card'; row: Row | null }
  /** `deadline`: when the machine takes the card back, Unix milliseconds by the clock of the box. */
  | { name: 'take-card'; deadline: number | null; card: number; of: number }
  /** The machine took the card back. `again` makes another one. */
  | { name: 'not-taken'; again(): void }
  | { name: 'room'; found: Found; rooms: readonly RoomFacts[] }
  /** `code`: for the front desk; null while there is none, and empty when the box gives none. */
  | { name: 'sentence'; row: Row; said: Values; code: string | null }

/** How a guest cancels a payment while the terminal waits for the card. */
export interface Cancellation {
  /** `refused`: the terminal did not end the payment, and the guest may try again. */
  state: Signal<'none' | 'asked' | 'refused'>
  ask(): void
}

export interface RoomFacts {
  name: string
  floor: string | null
  validFrom: string
  validUntil: string
}

/** What the front desk reads of a guest who asks for a person. */
const asks = 'guest-asks'

let visits = 0

/**
 * One guest at the kiosk. Everything that is known of the guest, and everything that is begun for the guest, belongs to
 * the visit. When the guest leaves, the visit ends: its requests are aborted and its screen is not shown any more, so
 * that nothing of it reaches the next guest.
 */
export class Visit {
  readonly number = ++visits
  readonly screen = signal<Screen>({ name: 'welcome' })
  /** Whether a step is running. A visit has one step at a time. */
  readonly isBusy = signal(false)
  /** What became of the call of a person of the desk; null before the box has answered, and without a call. */
  readonly call = signal<CallState | null>(null)
  /** What the guest has said to find the booking. */
  said: Said = {}
  found: Found | null = null
  /** What the running step does now, for the front desk. A step may do several things. */
  doing = ''
  /** Why the guest needs a person, for the front desk. */
  failure = asks
  readonly #ending = new AbortController()

  /** Aborted when the guest leaves. Each request of the visit has it. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  end(): void {
    this.#ending.abort()
  }

  /** Throws when the guest has left. */
  show(next: Screen): void {
    this.signal.throwIfAborted()
    this.screen.value = next
  }

  /**
   * Runs a step, the action of a button. While one is running, another is not begun. A refusal is shown to the
   * guest as a sentence. Rejects for a defect of the page.
   */
  async step(name: string, work: () => void | Promise<void>): Promise<void> {
    if (this.isBusy.value || this.signal.aborted) return
    this.isBusy.value = true
    this.doing = name
    try {
      await work()
    } catch (error) {
      if (this.signal.aborted) return
      const stop = stopOf(error)
      // The page goes on with what is under way, see `recover`.
      if (stop === null) throw error
      await this.#tell(stop)
    } finally {
      this.isBusy.value = false
    }
  }

  /** Waits. Rejects when the guest leaves. */
  pause(seconds: number): Promise<void> {
    const { signal } = this
    return new Promise((done, fail) => {
      const timer = setTimeout(done, seconds * 1_000)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        fail(signal.reason)
      })
    })
  }

  /** Shows the sentence, and then a code for the front desk if a colleague must continue. */
  async #tell({ row, said, failure }: Stop): Promise<void> {
    void forget()
    this.show({ name: 'sentence', row, said, code: null })
    this.failure = callsDesk(row) ? failure : asks
    if (!callsDesk(row)) return
    const stayId = this.found?.stay.id ?? null
    const why = { failure: word(failure), step: word(this.doing), language: language.value }
    void this.#callDesk({ ...why, stayId })
    if (stayId === null || !isForDesk(row)) return
    // The sentence is correct without a code too: the front desk finds the guest by name.
    const code = await loadLate()
      .then(({ codeForDesk }) => codeForDesk(stayId, why, this))
      .catch(() => '')
    if (!this.signal.aborted) this.show({ name: 'sentence', row, said, code })
  }

  /** Calls a person of the desk, once for each visit. Resolves when a person is on the way, and when the guest leaves. */
  async #callDesk(why: Why & { stayId: string | null }): Promise<void> {
    if (this.call.value !== null) return
    try {
      const { callDesk } = await loadLate()
      await callDesk(why, this, (state) => {
        if (state === 'coming') chimeForGuest()
        this.call.value = state
      })
    } catch {
      // The script could not be loaded; otherwise the guest has left.
      this.call.value = 'failed'
    }
  }
}

function stopOf(error: unknown): Stop | null {
  if (error instanceof ApiError) return new Stop(rowOf(error), {}, failureOf(error))
  return error instanceof Stop ? error : null
}

/** The API accepts lower-case letters, digits and hyphens. */
const word = (text: string) => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).slice(0, 60)

/** The visit of the present guest. Only what draws the page reads it: a step has its own visit. */
export const present = signal(new Visit())
/** The screen of the present guest. */
export const screen = computed(() => present.value.screen.value)
/** Whether all controls are in the bottom third of the screen. */
export const isLower = signal(false)

const first = language.value
/** Whether a guest has changed how the pages are shown. */
export const isChanged = () => language.peek() !== first || isLower.peek() || isListening.peek()

/** Returns to the start page and drops the guest's data. */
export function leave(): void {
  present.value.end()
  void forget()
  isLower.value = false
  readingHelp.end()
  present.value = new Visit()
  void changeLanguage(first, false)
}

/** The guest asks for the staff, also while a search takes long. After a sentence, the desk reads what led to it. */
export function askForHelp({ screen, failure, doing }: Visit): void {
  const { name } = screen.value
  if (name === 'sentence') giveUp('helpAtDesk', failure, doing)
  else giveUp('helpAtDesk', asks, name)
}

/** Ends what is being done for the guest, and sends the guest to the desk with a code. */
export function giveUp(row: Row, failure: string, step: string): void {
  const { found } = present.value
  present.value.end()
  const next = new Visit()
  next.found = found
  present.value = next
  void next.step(step, () => {
    throw new Stop(row, {}, failure)
  })
}
