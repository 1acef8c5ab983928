import { isDeepStrictEqual } from 'node:util'
import { invalidValue } from '../../resource/problem.ts'
import { checkCurrency, toMinor } from '../values/money.ts'
import { closedObject, currencySchema, type Schema } from '../values/value-schema.ts'

export const cancellationReferences = ['Arrival', 'Creation'] as const
type CancellationReference = (typeof cancellationReferences)[number]

/** The fee of a cancellation: a percentage, a number of nights, or an amount in major units. */
export type Fee =
  | { percent: number; of: 'Stay' | 'FirstNight' }
  | { nights: number }
  | { amount: number; currency: string }

/** A fee that applies from `offset` (an ISO 8601 duration) before arrival, or from `offset` after creation. */
interface Tier {
  offset: string
  fee: Fee
}

const feeSchema: Schema = {
  type: 'object',
  oneOf: [
    closedObject(
      { percent: { type: 'number', minimum: 0, maximum: 100 }, of: { enum: ['Stay', 'FirstNight'] } },
      ['percent', 'of'],
    ),
    closedObject({ nights: { type: 'integer', minimum: 1, maximum: 365 } }, ['nights']),
    closedObject({ amount: { type: 'number', minimum: 0 }, currency: currencySchema }, [
      'amount',
      'currency',
    ]),
  ],
}

const tierSchema = closedObject(
  {
    offset: {
      type: 'string',
      pattern: '^P[0-9DHMSTWY]{2,30}$',
      description: 'a duration of ISO 8601, such as P1D or PT6H',
    },
    fee: feeSchema,
  },
  ['offset', 'fee'],
)

/** The JSON Schemas of the terms of a cancellation policy in a body, by field. */
export const cancellationTermsSchemas = {
  reference: { enum: cancellationReferences },
  tiers: { type: 'array', minItems: 1, maxItems: 10, items: tierSchema },
  noShowFee: feeSchema,
  nonRefundable: { type: 'boolean' },
} satisfies Record<string, Schema>

/** The type of terms that the schemas accept. */
export interface CancellationTermsInput {
  reference?: CancellationReference | null
  tiers?: readonly Tier[] | null
  noShowFee?: Fee | null
  nonRefundable?: boolean | null
}

/** The complete terms of a cancellation policy. */
export interface CancellationTerms {
  reference: CancellationReference
  /** In the order in which they are reached: P7D before P1D for Arrival, PT1H before P1D for Creation. */
  tiers: Tier[]
  noShowFee: Fee
  nonRefundable: boolean
}

/**
 * Returns the complete terms. `nonRefundable` becomes one tier of 100 percent from creation on. A missing `noShowFee`
 * becomes the fee of the last tier. Throws 422 `validation-failed` when there are no tiers, when the tiers are out of
 * order, or when an amount does not fit its currency.
 */
export function cancellationTerms(input: CancellationTermsInput): CancellationTerms {
  const nonRefundable = input.nonRefundable ?? false
  const { reference, tiers } = nonRefundable ? fromCreation(input) : asGiven(input)
  for (const [at, { fee }] of tiers.entries()) checkFee(fee, `/tiers/${at}/fee`)
  if (input.noShowFee) checkFee(input.noShowFee, '/noShowFee')
  return { reference, tiers, noShowFee: input.noShowFee ?? tiers.at(-1)!.fee, nonRefundable }
}

type Timing = Pick<CancellationTerms, 'reference' | 'tiers'>

const allFromCreation: Timing = {
  reference: 'Creation',
  tiers: [{ offset: 'PT0S', fee: { percent: 100, of: 'Stay' } }],
}

/** A nonRefundable policy is stored with one tier. A client may send this tier back, and no other. */
function fromCreation({ tiers, reference }: CancellationTermsInput): Timing {
  const sentBack = reference === 'Creation' && isDeepStrictEqual(tiers, allFromCreation.tiers)
  if (!tiers || sentBack) return allFromCreation
  throw invalidValue('/tiers', 'A policy that is not refundable cannot have tiers.')
}

function asGiven({ reference, tiers }: CancellationTermsInput): Timing {
  const timing = { reference: reference ?? 'Arrival', tiers: [...(tiers ?? [])] }
  if (timing.tiers.length === 0) throw invalidValue('/tiers', 'At least one tier is needed.')
  checkOrder(timing)
  return timing
}

/** Before arrival the longest offset comes first, after creation the shortest. */
function checkOrder({ reference, tiers }: Timing): void {
  const lengths = tiers.map(({ offset }, at) => lengthOf(offset, `/tiers/${at}/offset`))
  for (const [at, length] of lengths.entries()) {
    const before = lengths[at - 1]
    if (before === undefined || (reference === 'Arrival' ? before > length : before < length)) continue
    throw invalidValue(`/tiers/${at}/offset`, 'The tiers must be in order of time, the earliest first.', {
      expected: reference === 'Arrival' ? 'longest first' : 'shortest first',
    })
  }
}

/** The longest offset: 100 years. No guest books further ahead. */
const mostHours = 100 * 366 * 24

/** Returns the length of an offset in hours, only for comparison. Months have their lengths from 2026-01-01 on. */
function lengthOf(offset: string, pointer: string): number {
  const hours = hoursOf(offset)
  if (hours !== null && hours <= mostHours) return hours
  const expected = 'ISO 8601 duration of at most 100 years'
  throw invalidValue(pointer, 'Expected an ISO 8601 duration of at most 100 years.', { expected })
}

function hoursOf(offset: string): number | null {
  try {
    return Temporal.Duration.from(offset).total({ unit: 'hours', relativeTo: '2026-01-01' })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function checkFee(fee: Fee, pointer: string): void {
  if (!('amount' in fee)) return
  checkCurrency(fee.currency, `${pointer}/currency`)
  toMinor(fee.amount, fee.currency, `${pointer}/amount`)
}
