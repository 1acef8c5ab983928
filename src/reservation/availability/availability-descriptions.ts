import { type Description, exactly, type Parameter } from '../../jsonapi/description.ts'
import { listMeta, totalDescription, totalParameter } from '../../jsonapi/list-total.ts'
import { defaultSize, largestSize, listRefusals } from '../../jsonapi/query/query.ts'
import { uuid } from '../../jsonapi/schemas/words.ts'
import type { Fields, JsonSchema } from '../../resource/field.ts'
import type { ProblemCode } from '../../resource/problem.ts'
import { blockFields } from '../resources/unit-availability.ts'
import { reportedFields } from '../resources/unit-type-availability.ts'
import {
  type ComputedList,
  type FilterName,
  freeForReservation,
  freeForStay,
  freeInPeriod,
  leftOfTypes,
} from './availability-entries.ts'
import { longestPeriod } from './availability-period.ts'
import { mostPeriods, periodSchema } from './availability-request.ts'

const date = { type: 'string', format: 'date' }

const filters = {
  startDate: { schema: date, notes: 'The first date; default today.' },
  endDate: {
    schema: date,
    notes: `The last date; default ${longestPeriod} days after the first, which is also the limit.`,
  },
  unitTypeId: { schema: { type: 'string' }, notes: 'The id or the code of a unit type.' },
  unitId: { schema: uuid },
  stayId: { schema: uuid, notes: 'One stay of the reservation.' },
} satisfies Record<FilterName, Parameter>

const pages = {
  sort: { schema: { type: 'string' }, notes: 'startDate, endDate, quantity, with `-` for descending.' },
  'page[size]': { schema: { type: 'integer', minimum: 1, maximum: largestSize, default: defaultSize } },
  'page[after]': { schema: { type: 'string' }, notes: 'The id of a period of an earlier page.' },
  'page[before]': { schema: { type: 'string' }, notes: 'The id of a period of an earlier page.' },
  [totalParameter]: totalDescription,
  include: { schema: { type: 'string' }, notes: 'unit or unitType, or a dotted path that begins with it.' },
} satisfies Record<string, Parameter>

function query({ filters: names }: ComputedList): Record<string, Parameter> {
  return { ...Object.fromEntries(names.map((name) => [`filter[${name}]`, filters[name]])), ...pages }
}

const problems: readonly ProblemCode[] = [...listRefusals, 'period-too-long']

/** The answer schema of a page of periods. Attributes are optional, because the parameter `fields` can exclude them. */
function list(
  type: string,
  relationship: string,
  target: string,
  quantity: JsonSchema,
): Description['answers'] {
  const attributes = { startDate: date, endDate: date, quantity }
  const linkage = exactly({ data: exactly({ type: { const: target }, id: uuid }) })
  const period = {
    type: { const: type },
    id: { type: 'string', pattern: '^[0-9a-f-]{36}:\\d{4}-\\d\\d-\\d\\d$' },
    attributes: exactly(attributes, Object.keys(attributes)),
    relationships: exactly({ [relationship]: linkage }, [relationship]),
  }
  const link = { type: 'string' }
  const schema = exactly(
    {
      data: { type: 'array', items: exactly(period, ['relationships']) },
      links: exactly({ self: link, next: link, prev: link }, ['next', 'prev']),
      meta: listMeta,
      included: { type: 'array', items: { type: 'object' } },
    },
    ['meta', 'included'],
  )
  return { 200: { schema } }
}

const unitTypes = list('unit-type-availability', 'unitType', 'unit-type', { type: 'integer', minimum: 0 })
const units = list('unit-availability', 'unit', 'unit', { const: 1 })

function periods(fields: Fields, example: object) {
  const array = { type: 'array', minItems: 1, maxItems: mostPeriods, items: periodSchema(fields) }
  const enveloped = {
    type: 'object',
    properties: { data: { type: 'array', items: { type: 'object' } } },
    required: ['data'],
  }
  return { schema: { anyOf: [array, enveloped] }, example: [example] }
}

const writing = ['batch-too-large', 'end-before-start', 'time-with-offset', 'seconds-not-zero'] as const

/** The OpenAPI descriptions of the operations of availability. */
export const availabilityDescriptions = {
  listUnitTypes: {
    id: 'listUnitTypeAvailability',
    summary: 'List how many units of each type are left, in periods',
    notes: `The quantity on a date is the count that the PMS last reported, minus local bookings since, plus local releases
since. Without a report, it is the number of units of the type that are in service, minus the units that stays hold. A date
stands for the night that begins on it. A type without units and without a report is not listed.`,
    query: query(leftOfTypes),
    answers: unitTypes,
    problems,
  },
  setUnitType: {
    id: 'updateUnitTypeAvailability',
    summary: 'Set how many units of a type are left',
    notes: `The body contains only the periods to change; other dates are unchanged. A period includes both of its dates. It starts
today by default, and ends ${longestPeriod} days after its start by default. Times of day are accepted and ignored, because units are
counted by the night.`,
    path: { unitTypeId: { schema: { type: 'string' }, notes: 'The id or the code.' } },
    body: periods(reportedFields, { startDate: '2026-07-01', endDate: '2026-07-31', quantity: 4 }),
    answers: { 204: {} },
    problems: [...writing, 'availability-not-compact'],
  },
  listUnits: {
    id: 'listUnitAvailability',
    summary: 'List the units that are free for a whole period',
    notes: `The period lasts from check-in time on the first date to check-out time on the day after the last date. Dirty units
are listed. Units that are blocked, out of order or occupied by an overdue guest are not.`,
    query: query(freeInPeriod),
    answers: units,
    problems,
  },
  block: {
    id: 'updateUnitAvailability',
    summary: 'Block a unit for whole dates, or unblock it',
    notes: `The quantity 0 blocks the unit, 1 unblocks it. A period includes both of its dates. Times of day are accepted and
ignored. A date on which a stay holds the unit is refused; the refusal names the stays.`,
    body: periods(blockFields, {
      startDate: '2026-12-01',
      endDate: '2026-12-03',
      quantity: 0,
      reason: 'Painting',
    }),
    answers: { 204: {} },
    problems: [...writing, 'unit-occupied'],
  },
  listForReservation: {
    id: 'listReservationUnitAvailability',
    summary: 'List units for the stays of a reservation that have none',
    notes: `Lists units of the types for which a stay has no unit, free for the period of that stay. For stays of several types,
request the list of one stay.`,
    query: query(freeForReservation),
    answers: units,
    problems,
  },
  listForStay: {
    id: 'listStayUnitAvailability',
    summary: 'List units that a stay could have',
    notes: `Lists units of the types of the stay that are free for its period, unless filters name other types or another period.
The units that the stay already has are not listed.`,
    query: query(freeForStay),
    answers: units,
    problems,
  },
} satisfies Record<string, Description>
