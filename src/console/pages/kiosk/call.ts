import { encode } from 'uqr'
import type { ApiError, Resource } from '../lib/server/answer.ts'

// What a guest needs when something went wrong: a call of a person, the code for the desk, the telephone number to scan, and the
// card whose order had no readable answer. The first screen needs nothing of it, so this is loaded after it. It is given what the start script has: an import of it would cut the
// start script into parts, which compress less well.

interface Asked<A> {
  signal: AbortSignal
  timeoutMs: number
  needs: readonly (keyof A & string)[]
  body?: unknown
  idempotencyKey?: string
}

interface Tools<Picture> {
  getOne<A>(path: string, options: Asked<A>): Promise<{ data: Resource<A> }>
  getList<A>(path: string, options: Asked<A>): Promise<{ data: Resource<A>[] }>
  sendOne<A>(method: string, path: string, options: Asked<A>): Promise<{ data: Resource<A> }>
  /** Makes an element of the page. */
  h(tag: string, attributes: object, ...children: Picture[]): Picture
  /** Returns null for a defect of the page. */
  refusalOf(error: unknown): ApiError | null
}

/** What became of a call: the desk has it, a person is on the way, or the box has not answered. */
export type CallState = 'called' | 'coming' | 'failed'

/** What the desk reads of the guest: words, and no personal data. */
export interface Why {
  failure: string
  step: string
  language: string
}

interface Waiting {
  /** Aborted when the guest leaves. */
  signal: AbortSignal
  /** Rejects when the guest leaves. */
  pause(seconds: number): Promise<void>
}

interface HelpCall {
  takenAt: string | null
}

const path = '/api/v2/help-calls'
/** A guest who waits soon reads that no call was made. */
const callTimeoutMs = 5_000
const lookEverySeconds = 3

/** The deadline of the code, which is asked for again. */
const codeTimeoutMs = 8_000
const mostTries = 4

/** The box makes a card within 18 s. */
const mostLooks = 20
/** The order was repeated for two minutes already. */
const mostLostLooks = 2
/** The clock of the page follows that of the box. */
const clockErrorMs = 5_000

interface Run {
  keyId: string
  step: string
  ending: string | null
  createdAt: string
}

/** The order of a card. */
interface Unheard {
  stay: { id: string; units: readonly { unitName: string | null }[]; plannedEndsAt: string }
  /** The machine of this kiosk. Another one may make a card of the same stay. */
  controllerId: string
  /** The place of the room among those of the stay. */
  unit: number
  /** When it was ordered first, Unix milliseconds by the clock of the box. */
  since: number
  /** The keys whose cards the guest has already. */
  given: readonly string[]
}

interface MadeKey {
  unitName: string
  validFrom: string
  validUntil: string
}

/** Whether the box may have done what it was asked, or will do it in a moment. */
const isLost = ({ status, code }: ApiError) =>
  status === 0 || status === 401 || status >= 500 || code === 'idempotency-in-progress'

export type PersonHelp<Picture> = ReturnType<typeof personHelp<Picture>>

/** Returns what calls a person, and what shows the way to one. */
export function personHelp<Picture>(tools: Tools<Picture>) {
  return {
    callDesk: (why: Why & { stayId: string | null }, waiting: Waiting, changed: (state: CallState) => void) =>
      callDesk(tools, why, waiting, changed),
    codeForDesk: (stayId: string, why: Why, waiting: Waiting) => codeForDesk(tools, stayId, why, waiting),
    telephonePicture: (written: string) => telephonePicture(tools, written),
    cardUnheard: (order: Unheard, waiting: Waiting) => cardUnheard(tools, order, waiting),
  }
}

/**
 * Calls a person of the desk, and reports what becomes of the call until a person is on the way. A call that the box did not
 * answer is repeated with the same idempotency key. Rejects when the guest leaves.
 */
async function callDesk<Picture>(
  { getOne, sendOne, refusalOf }: Tools<Picture>,
  why: Why & { stayId: string | null },
  waiting: Waiting,
  changed: (state: CallState) => void,
): Promise<void> {
  const options = { signal: waiting.signal, timeoutMs: callTimeoutMs, needs: ['takenAt'] } as const
  const idempotencyKey = crypto.randomUUID()
  let id: string | null = null
  for (;;) {
    let wait = lookEverySeconds
    try {
      const asked: Promise<{ data: Resource<HelpCall> }> =
        id === null
          ? sendOne('POST', path, { ...options, body: why, idempotencyKey })
          : getOne(`${path}/${id}`, options)
      const { data } = await asked
      id = data.id
      const isComing = data.attributes.takenAt !== null
      changed(isComing ? 'coming' : 'called')
      if (isComing) return
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      if (id === null) changed('failed')
      // The call has ended.
      else if (refusal.status === 404) return
      wait = refusal.retryAfterSeconds ?? wait
    }
    await waiting.pause(wait)
  }
}

/**
 * Hands the stay over to the front desk, and returns the code that the guest states there; empty when the box gives none. A
 * lost answer is asked for again with the same idempotency key. Rejects when the guest leaves.
 */
async function codeForDesk<Picture>(
  { sendOne, refusalOf }: Tools<Picture>,
  stayId: string,
  why: Why,
  waiting: Waiting,
): Promise<string> {
  const idempotencyKey = crypto.randomUUID()
  for (let tries = 1; ; tries++) {
    try {
      const { data } = await sendOne<{ code: string }>('POST', `/api/v2/stays/${stayId}/actions/hand-over`, {
        body: why,
        idempotencyKey,
        signal: waiting.signal,
        needs: ['code'],
        timeoutMs: codeTimeoutMs,
      })
      return data.attributes.code
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      if (!isLost(refusal) || tries === mostTries) return ''
      await waiting.pause(refusal.retryAfterSeconds ?? 2)
    }
  }
}

/** The telephone number as a picture that a guest's telephone reads; null for a number that it cannot call. */
function telephonePicture<Picture>({ h }: Tools<Picture>, written: string): Picture | null {
  const address = telephoneAddress(written)
  if (address === null) return null
  const { data, size } = encode(address)
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  const path = h('path', { d: dots.join('') })
  return h('svg', { class: 'scan', viewBox: `0 0 ${size} ${size}`, 'aria-hidden': true }, path)
}

/**
 * Returns the card of an order without a readable answer, when it is at the gate or the guest has it; null for none. A card that
 * the box still makes is waited for. Rejects when the guest leaves.
 */
async function cardUnheard<Picture>(
  { getList, refusalOf }: Tools<Picture>,
  order: Unheard,
  waiting: Waiting,
): Promise<Resource<MadeKey> | null> {
  const { stay, controllerId, unit, since, given } = order
  const options = { signal: waiting.signal, timeoutMs: callTimeoutMs, needs: ['step', 'keyId'] } as const
  let lost = 0
  for (let looks = 0; looks < mostLooks; looks++) {
    try {
      const { data } = await getList<Run>(
        `/api/v2/access/card-runs/by-stay/${stay.id}?filter[controllerId]=${controllerId}&sort=-createdAt&page[size]=1`,
        options,
      )
      const run = data[0]?.attributes
      if (!run || given.includes(run.keyId)) return null
      const isOver = run.step === 'ended'
      const isReceived = run.ending === 'taken' || run.ending === 'handed'
      if (isOver && !(isReceived && Date.parse(run.createdAt) > since - clockErrorMs)) return null
      if (run.step !== 'asked' && run.step !== 'writing')
        return {
          type: 'key',
          id: run.keyId,
          attributes: {
            unitName: stay.units[unit]?.unitName ?? '',
            validFrom: new Date(since).toISOString(),
            validUntil: stay.plannedEndsAt,
          },
        }
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      if (!isLost(refusal) || ++lost > mostLostLooks) return null
    }
    await waiting.pause(1)
  }
  return null
}

/**
 * A shorter number is that of a telephone in the house, which the guest's own telephone cannot call. A longer one is none (E.164):
 * it is two numbers with a slash or a dash between them.
 */
const digits = { fewest: 5, most: 15 }

/** Returns the address by which a telephone calls a written number, such as `tel:+351225550142`; null for none. */
export function telephoneAddress(written: string): string | null {
  const numbers = (written.match(/\+?[\d\s().\-/\u2010-\u2015]+/g) ?? []).map((each) =>
    each.replace(/^(\s*\+[\d\s]*)\(0\)/, '$1').replace(/[^\d+]/g, ''),
  )
  // What follows the first number is another one, or an extension. A short number before it is that of the house.
  const digitsOf = (number: string) => number.replace('+', '').length
  const number = numbers.find((each) => digitsOf(each) >= digits.fewest)
  return number === undefined || digitsOf(number) > digits.most ? null : `tel:${number}`
}
