import { computed, signal } from '@preact/signals'
import { changeLanguage, language } from '../lib/language/language.ts'
import { ApiError } from '../lib/server/api.ts'
import type { Found, Said } from './box.ts'
import type { CallState, Why } from './call.ts'
import { callsDesk, failureOf, isForDesk, type Row, rowOf, Stop } from './failures.ts'
import { loadLate } from './late.ts'
import { forget } from './pending.ts'
import { type Screen, type Step, stepOf } from './screen.ts'
import { chimeForGuest, isListening, readingHelp } from './speech.ts'

/** The screens on which the guest acts before anything is paid or made. Each one leads back to the one before it. */
const asking: readonly Screen['name'][] = [
  'number',
  'name',
  'onFile',
  'choose',
  'greeting',
  'detail',
  'registration',
  'how-many',
  'another-card',
  'check-out',
  'pay',
]

/** The page of the guest: each missing detail has its own. */
const placeOf = (screen: Screen) => ('detail' in screen ? screen.detail : screen.name)

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
  /** What was typed on the first page, where a scanner may be used. */
  typed = ''
  /** Whether the guest has begun with the button for the check-out. */
  wantsOut = false
  /** Whether the guest was in house when the stay was found, and pays to check out. */
  isLeaving = false
  /** Whether the machine has kept a card of a guest who checks out: the guest has one less. */
  hasKept = false
  /** How many cards the guests who share a room want; null before they were asked. */
  cards: number | null = null
  /** Whether the check-in has led back to the registration, as it may once. */
  isAskedAgain = false
  /** What the running step does now, for the front desk. A step may do several things. */
  doing = ''
  /** Why the guest needs a person, for the front desk. */
  failure = asks
  /** The step that the guest has reached; null on the first page. */
  reached: Step | null = null
  /** The screens before the present one to which the guest can go back, with what was said when each was shown. */
  #before: { screen: Screen; said: Said }[] = []
  #saidWhenShown: Said = {}
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
    const shown = this.screen.peek()
    // A page that is shown again, such as one with a refused entry, is no page to go back to.
    if (asking.includes(shown.name) && placeOf(shown) !== placeOf(next))
      this.#before.push({ screen: shown, said: this.#saidWhenShown })
    if (next.name !== 'searching' && !asking.includes(next.name)) this.forgetBefore()
    this.#turnTo(next)
  }

  #turnTo(next: Screen): void {
    this.#saidWhenShown = this.said
    this.reached = stepOf(next) ?? this.reached
    this.screen.value = next
  }

  /** Whether there is a way back: until something is paid or made, also where the check-in has led back to a question. */
  get hasBack(): boolean {
    return asking.includes(this.screen.value.name) && !this.isAskedAgain
  }

  /** Shows the page before this one, as the action of a button. The first page begins anew, in the language of the guest. */
  readonly back = () =>
    this.step('back', () => {
      const last = this.#before.pop()
      if (!last) return beginAnew()
      const { screen, said } = last
      this.said = said
      this.found = 'found' in screen && 'stay' in screen.found ? screen.found : null
      this.#turnTo(screen)
    })

  /** Another way to the booking begins: the first page is before it. */
  forgetBefore(): void {
    this.#before = []
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

/** Returns to the start page and drops the guest's data, and how the pages are shown to the guest. */
export function leave(): void {
  isLower.value = false
  readingHelp.end()
  beginAnew()
  void changeLanguage(first, false)
}

function beginAnew(): void {
  present.value.end()
  void forget()
  present.value = new Visit()
}

/** The guest asks for the staff, also while a search takes long. After a sentence, the desk reads what led to it. */
export function askForHelp({ screen, failure, doing }: Visit): void {
  const { name } = screen.value
  if (name === 'sentence') giveUp('helpAtDesk', failure, doing)
  else giveUp('helpAtDesk', asks, name)
}

/** Ends what is being done for the guest, and sends the guest to the desk with a code. */
export function giveUp(row: Row, failure: string, step: string): void {
  const { found, reached } = present.value
  present.value.end()
  const next = new Visit()
  Object.assign(next, { found, reached })
  present.value = next
  void next.step(step, () => {
    throw new Stop(row, {}, failure)
  })
}
