import type { ApiError } from '../lib/server/api.ts'
import type { KioskTexts, Said } from './texts.ts'
import { t } from './texts.ts'

/** A sentence for the guest. */
export type Row = keyof KioskTexts['sentences']

/** Ends the guest's visit with a sentence. */
export class Stop extends Error {
  readonly row: Row
  readonly said: Said
  /** The code of the refusal, for the front desk. */
  readonly failure: string

  constructor(row: Row, said: Said = {}, failure: string = row) {
    super(row)
    this.row = row
    this.said = said
    this.failure = failure
  }
}

/** The rows that a colleague must complete, so the guest gets a code for the front desk. */
const forDesk: readonly Row[] = [
  'toPay',
  'toRegister',
  'refused',
  'paymentUnknown',
  'needsColleague',
  'changed',
  'notFree',
  'cannotMake',
  'past',
  'helpAtDesk',
  'lostCard',
  'leaveAtDesk',
  'cardKept',
]
export const isForDesk = (row: Row) => forDesk.includes(row)

/** Whether a person of the desk is called: also where no stay can be handed over, or its code would not help. */
export const callsDesk = (row: Row) => isForDesk(row) || row === 'inactive' || row === 'outOfService'

/** The box checks no guest in who is not registered, in a house that registers its guests. */
export const unregistered = 'registration-required'

/** The row for each refusal, by its code. */
const byCode: Readonly<Record<string, Row>> = {
  'rate-limited': 'tooMany',
  'stay-status-transition': 'changed',
  'unit-occupied': 'notFree',
  'unit-required': 'changed',
  'unit-change-refused': 'changed',
  'kiosk-scope': 'changed',
  'revision-mismatch': 'changed',
  'not-found': 'changed',
  'key-gone': 'changed',
  'balance-outstanding': 'toPay',
  [unregistered]: 'toRegister',
  'payment-refused': 'refused',
  'payment-outcome-unknown': 'paymentUnknown',
  'terminal-offline': 'toPay',
  'terminal-missing': 'toPay',
  'terminal-busy': 'moment',
  'clock-implausible': 'cannotMake',
  'box-fenced': 'cannotMake',
  'dispenser-busy-with-guest': 'moment',
  'idempotency-in-progress': 'moment',
}

/** The row for each device failure, by the word in `meta.guest`. */
const byGuestWord: Readonly<Record<string, Row>> = {
  wait: 'moment',
  desk: 'cannotMake',
  recard: 'newCard',
  'new-card': 'newCard',
  'place-card': 'placeCard',
  'lift-card': 'liftCard',
  'one-card': 'oneCard',
}

/** The rows for no answer, an ended session, and a box that is starting, full or busy. */
const isOutOfService = ({ status }: ApiError) => status === 0 || status === 401 || status === 503

/** What the front desk reads of a stay whose departure has come. */
export const stayOver = 'stay-over'

const isOver = ({ meta }: ApiError) => meta.guard === 'not-over-at-kiosk'

/** Returns what the front desk reads of a refusal. */
export const failureOf = (error: ApiError) => (isOver(error) ? stayOver : error.code)

/** Returns the row of the table of failures for an answer that the box has refused. */
export function rowOf(error: ApiError): Row {
  if (isOver(error)) return 'past'
  const known = byCode[error.code] ?? byGuestWord[String(error.meta.guest)]
  return known ?? (isOutOfService(error) ? 'outOfService' : 'cannotMake')
}

/** Returns the sentence for a failed search. A search that the box did not answer, or cannot do now, is repeated. */
export function rowOfSearch(error: ApiError): Row {
  const row = byCode[error.code]
  return row === 'tooMany' || row === 'changed' ? row : 'searchFailed'
}

/** The reasons of `no-eligible-unit` for which the guest must only wait. */
const isBeingPrepared = ['all-dirty', 'all-occupied']

/** Returns why no room can be assigned: the room is being cleaned, or a colleague must help. */
export function stopWithoutRoom(error: ApiError, timeText: (instant: string) => string): Stop {
  const { reason, nextExpectedAt } = error.meta
  if (!isBeingPrepared.includes(String(reason))) return new Stop('needsColleague', {}, error.code)
  const time = typeof nextExpectedAt === 'string' ? timeText(nextExpectedAt) : null
  return new Stop('preparing', { time }, error.code)
}

/** Returns the sentence of a row in the guest's language. */
export function sentenceOf(row: Row, said: Said = {}): string {
  const sentence = t.value.sentences[row]
  return typeof sentence === 'string' ? sentence : sentence(said)
}
