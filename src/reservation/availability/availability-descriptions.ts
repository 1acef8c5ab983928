import { type Description, exactly, type Parameter } from '../../jsonapi/description.ts'
import { defaultSize, largestSize, listRefusals } from '../../jsonapi/query/query.ts'
import type { Fields, JsonSchema } from '../../resource/field.ts'
import type { ProblemCode } from '../../resource/problem.ts'
import { blockFields } from '../resources/unit-availability.ts'
import { reportedFields } from '../resources/unit-type-availability.ts'
import { longestPeriod } from './availability-period.ts'
import { mostPeriods, periodSchema } from './availability-request.ts'

const date = { type: 'string', format: 'date' }
const uuid = { type: 'string', format: 'uuid' }

const filters = {
  startDate: { schema: date, notes: 'The first date; today of the property unless it is given.' },
  endDate: {
    schema: date,
    notes: `The last date, at most ${longestPeriod} days after the first, which it is unless it is given.`,
  },
  unitTypeId: { schema: { type: 'string' }, notes: 'The id or the code of a unit type.' },
  unitId: { schema: uuid },
  stayId: { schema: uuid, notes: 'One stay of the reservation.' },
} satisfies Record<string, Parameter>

const pages = {
  sort: { schema: { type: 'string' }, notes: 'startDate, endDate, quantity, with `-` for descending.' },
  'page[size]': { schema: { type: 'integer', minimum: 1, maximum: largestSize, default: defaultSize } },
  'page[after]': { schema: { type: 'string' }, notes: 'The id of a period already received.' },
  'page[before]': { schema: { type: 'string' }, notes: 'The id of a period already received.' },
  include: { schema: { type: 'string' }, notes: 'unit or unitType, and on from there with dots.' },
} satisfies Record<string, Parameter>

function query(...names: (keyof typeof filters)[]): Record<string, Parameter> {
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
      included: { type: 'array', items: { type: 'object' } },
    },
    ['included'],
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
    notes: `What upstream last told for a date, less what was booked here and plus what was released here since; where nobody
told anything, the units of the type in service less what stays hold. The date is that of the night. Where the appliance
has no unit of a type and nobody told anything, nothing is listed.`,
    query: query('startDate', 'endDate', 'unitTypeId'),
    answers: unitTypes,
    problems,
  },
  setUnitType: {
    id: 'updateUnitTypeAvailability',
    summary: 'Tell how many units of a type are left',
    notes: `Only periods that change; the rest stays as it was told. Both dates are in a period; without a start it begins today,
without an end it lasts ${longestPeriod} days. Times of day are taken, and change nothing: units are counted by the night.`,
    path: { unitTypeId: { schema: { type: 'string' }, notes: 'The id or the code.' } },
    body: periods(reportedFields, { startDate: '2026-07-01', endDate: '2026-07-31', quantity: 4 }),
    answers: { 204: {} },
    problems: [...writing, 'availability-not-compact'],
  },
  listUnits: {
    id: 'listUnitAvailability',
    summary: 'List the units that are free for a whole period',
    notes: `From check-in on the first date to check-out on the day after the last. Units are listed whether they are clean or
not; not those that are blocked or out of order, or in which a guest is past his time.`,
    query: query('startDate', 'endDate', 'unitId', 'unitTypeId'),
    answers: units,
    problems,
  },
  block: {
    id: 'updateUnitAvailability',
    summary: 'Block a unit for whole dates, or free it',
    notes: `0 blocks and 1 frees; both dates are in a period, times of day are taken and change nothing. What a stay holds is not
blocked: the refusal names the stays.`,
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
    notes: `Units of the types that are lacking, each free for the stay's own period. With stays of several types, ask for one stay.`,
    query: query('stayId', 'unitId', 'unitTypeId'),
    answers: units,
    problems,
  },
  listForStay: {
    id: 'listStayUnitAvailability',
    summary: 'List units that a stay could have',
    notes: `For its own period and of its own types, unless filters say otherwise. The units that it has are not among them.`,
    query: query('startDate', 'endDate', 'unitId', 'unitTypeId'),
    answers: units,
    problems,
  },
} satisfies Record<string, Description>
