/**
 * Every problem of a request, by its stable code: the HTTP status and the fixed title. A new failure is a new
 * line here, never a new class.
 */
export const problems = {
  'malformed-json': [400, 'The body is not JSON'],
  'malformed-request': [400, 'The request is malformed'],
  'unknown-parameter': [400, 'Unknown query parameter'],
  'invalid-filter-field': [400, 'This field cannot be filtered'],
  'invalid-filter-operator': [400, 'Unknown filter operator'],
  'invalid-filter-value': [400, 'The filter value cannot be read'],
  'invalid-sort-field': [400, 'This field cannot be sorted by'],
  'invalid-include': [400, 'This relationship cannot be included'],
  'invalid-fields': [400, 'Unknown field'],
  'invalid-page-size': [400, 'The page size is out of range'],
  'page-cursor-unknown': [400, 'The page cursor is unknown'],
  'range-pagination-unsupported': [400, 'page[after] and page[before] exclude each other'],
  'period-too-long': [400, 'The period is too long'],
  'time-with-offset': [400, 'A time of day must not have an offset'],
  'missing-external-id': [400, 'externalId is missing'],
  'external-id-mismatch': [400, 'externalId disagrees with the path'],
  'unknown-state': [400, 'Unknown state'],
  'unknown-position': [400, 'Unknown card position'],
  unauthenticated: [401, 'Authentication is required'],
  'scope-required': [403, 'The token lacks a scope'],
  'reauthentication-required': [403, 'The password is asked again'],
  'session-locked': [403, 'The session is locked'],
  'cross-origin': [403, 'The request comes from another page'],
  'station-required': [403, 'This works only at a station'],
  'tenant-mismatch': [403, 'Another tenant'],
  'kiosk-scope': [403, 'A kiosk may not do this'],
  'not-found': [404, 'Not found'],
  'extension-not-implemented': [404, 'The extension is not implemented'],
  'key-gone': [404, 'The key is gone'],
  'controller-not-found': [404, 'No such controller'],
  'dispenser-cache-empty': [404, 'The dispenser holds no cache entry'],
  'method-not-allowed': [405, 'The method is not allowed here'],
  'not-acceptable': [406, 'The answer would be application/vnd.api+json'],
  'resource-referenced': [409, 'Other resources refer to this one'],
  'already-claimed': [409, 'The appliance has an owner already'],
  'last-administrator': [409, 'One administrator must remain'],
  'own-account': [409, 'Nobody disables the own account'],
  'last-stay': [409, 'The last stay of a reservation cannot be deleted'],
  'configuration-disabled': [409, 'The configuration is switched off'],
  'unit-change-refused': [409, 'The unit cannot be changed'],
  'unit-status-transition': [409, 'The unit cannot go to this status'],
  'stay-status-transition': [409, 'The stay cannot go to this status'],
  'registration-required': [409, 'A guest is not registered'],
  'unit-occupied': [409, 'The unit is occupied'],
  'unit-blocked': [409, 'The unit is blocked'],
  'no-original-key': [409, 'There is no original key to copy'],
  'card-required': [409, 'A card is required'],
  'no-card-in-path': [409, 'No card is in the path'],
  'foreign-card': [409, 'The card belongs to somebody else'],
  'idempotency-in-progress': [409, 'The same request is still running'],
  'personal-data-needed': [409, 'The personal data is still needed'],
  'external-id-conflict': [409, 'The externalId is taken'],
  'terminal-missing': [409, 'There is no payment terminal'],
  'terminal-busy': [409, 'The payment terminal is busy'],
  'payment-settled': [409, 'The payment is settled already'],
  'payment-under-way': [409, 'A payment is under way at a terminal'],
  'payment-duplicate': [409, 'The payment is recorded already'],
  'payment-refunded': [409, 'The payment was given back'],
  'conflict-resolved': [409, 'The conflict is resolved already'],
  'person-known': [409, 'The person has a profile already'],
  'dispenser-busy-with-guest': [409, 'The dispenser is busy with a guest'],
  'dispenser-state': [409, 'The dispenser cannot go to this state'],
  'key-not-live': [409, 'The card in the path holds no live key'],
  'key-status-transition': [409, 'The key cannot go to this status'],
  'certificate-fixed': [409, 'The certificate cannot be changed here'],
  'backup-refused': [409, 'No backup can be made now'],
  'box-fenced': [409, 'Another box has this property'],
  'restore-refused': [409, 'The backup cannot be restored like this'],
  'network-refused': [409, 'The network cannot be changed like this'],
  'support-refused': [409, 'The support console cannot be opened or closed now'],
  'update-refused': [409, 'No update is possible now'],
  'events-gone': [410, 'These events are no longer kept'],
  'revision-mismatch': [412, 'The resource has changed'],
  'body-too-large': [413, 'The body is too large'],
  'batch-too-large': [413, 'The batch is too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'validation-failed': [422, 'The body is not valid'],
  'reference-unknown': [422, 'The referenced resource does not exist'],
  'person-count-exceeds-occupancy': [422, 'Too many persons'],
  'no-eligible-unit': [422, 'No unit can be assigned'],
  'unit-name-required': [422, 'unitName is required'],
  'unit-required': [422, 'A unit is required'],
  'seconds-not-zero': [422, 'Seconds must be 00'],
  'availability-not-compact': [422, 'Periods that follow one another have the same quantity'],
  'end-before-start': [422, 'The end is before the start'],
  'reservation-id-duplicate-type': [422, 'More than one id of a type'],
  'rate-plan-derivation': [422, 'The rate plan cannot be derived'],
  'balance-outstanding': [422, 'There is an outstanding balance'],
  'payment-refused': [422, 'The payment was refused'],
  'payment-due-unknown': [422, 'What is due is not known'],
  'payment-amount-mismatch': [422, 'The amount is not what is outstanding'],
  'payment-exceeds-outstanding': [422, 'The amount exceeds what is outstanding'],
  'refund-exceeds-surplus': [422, 'The amount exceeds what is to be given back'],
  'refund-exceeds-payment': [422, 'The amount exceeds what is left of the payment'],
  'payment-currency-mismatch': [422, 'The currency is not that of the stay'],
  'receipt-contains-pan': [422, 'The receipt holds a card number'],
  'provider-immutable': [422, 'The provider of a key cannot change'],
  'key-type-not-supported': [422, 'The key type is not supported'],
  'too-many-extra-units': [422, 'The lock system cannot open that many units with one key'],
  'position-not-supported': [422, 'The model has no such position'],
  'idempotency-key-reused': [422, 'The idempotency key was used for another request'],
  'rate-limited': [429, 'Too many requests'],
  internal: [500, 'Unexpected error'],
  'starting-up': [503, 'The appliance is starting or stopping'],
  'storage-full': [503, 'The storage is full'],
  'storage-read-only': [503, 'The storage cannot be written'],
  'storage-failing': [503, 'The storage fails'],
  'storage-damaged': [503, 'The stored data is damaged or incomplete'],
  busy: [503, 'Too much is waiting'],
  'clock-implausible': [503, 'Date and time are not certain'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof problems

export interface ProblemOptions {
  /** The place in the attributes, such as `/personCount/adults`. The serializer adds its own prefix. */
  pointer?: string
  /** The place in the body when it is not in the attributes, such as `/data/type`. */
  place?: string
  /** The index of the batch item that contains the pointer or the place. */
  item?: number
  parameter?: string
  header?: string
  /**
   * Data for machines: what was expected, what is allowed, when to retry (`retryAfterSeconds`). Never
   * a PIN, and personal data only for a caller who may read the guest in the way (`inHouse`).
   */
  meta?: Record<string, unknown>
  /** The known name that was probably meant; undefined where none is near. The answer asks for it after the detail. */
  didYouMean?: string | undefined
  /** The language of the guest concerned, for a client that names none. */
  guestLanguage?: string | null
  cause?: unknown
}

/** A problem of a request, in the caller's terms. Any other thrown error is a fault of the program. */
export class Problem extends Error {
  code: string
  status: number
  title: string
  options: ProblemOptions
  /** Further problems of the same request; this one is the first. */
  others: Problem[] = []
  /** How many further problems were found and are not among the others. */
  more = 0

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    ;[this.status, this.title] = problems[code]
    this.options = options
  }

  /** Creates the Problem for a failure of a device or another system: a 502 with the code of that system. */
  static upstream(code: string, title: string, detail: string, options: ProblemOptions): Problem {
    const problem = new Problem('internal', detail, options)
    problem.code = code
    problem.status = 502
    problem.title = title
    return problem
  }

  /** Combines all problems of one body into one error; `more` were not listed. Throws RangeError for an empty list. */
  static all(problems: Problem[], more = 0): Problem {
    const [first, ...others] = problems
    if (!first) throw new RangeError('no problem to report')
    first.others = others
    first.more = more
    return first
  }
}

/** Runs checks that do not depend on each other, and throws the problems of all of them together. */
export async function expectAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const found: Problem[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      found.push(error)
    }
  }
  const problems = found.flatMap((each) => [each, ...each.others])
  if (problems.length === 0) return
  throw Problem.all(
    problems,
    found.reduce((sum, { more }) => sum + more, 0),
  )
}

/**
 * Returns the refusal of a list that has more things than one request takes, with how to split it. `things` is their
 * plural, such as `units`.
 */
export function batchTooLarge(things: string, count: number, limit: number): Problem {
  const requests = Math.ceil(count / limit)
  return new Problem(
    'batch-too-large',
    `One request takes at most ${limit} ${things}, and this one has ${count}. Nothing was written. Send them in ${requests} requests of at most ${limit}.`,
    { meta: { limit, count, requests } },
  )
}

/** Returns the error of one batch item, to be thrown again. All its problems point into that item. */
export function inItem(item: number, error: unknown): unknown {
  if (error instanceof Problem) for (const { options } of [error, ...error.others]) options.item = item
  return error
}

/**
 * Returns a 422 about one value. The pointer is relative to the attributes, as in `/personCount/adults`. The detail
 * must not contain PII.
 */
export function invalidValue(pointer: string, detail: string, meta: Record<string, unknown> = {}): Problem {
  return new Problem('validation-failed', detail, { pointer, meta })
}
