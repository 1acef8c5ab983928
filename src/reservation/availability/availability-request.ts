import { readEach, withSentBack } from '../../jsonapi/body.ts'
import { isObject, unwrap } from '../../jsonapi/envelope.ts'
import { namesOfFilter } from '../../jsonapi/query/filter-parameter.ts'
import { type RequestedQuery, readQuery } from '../../jsonapi/query/query.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { readAttributes } from '../../resource/attributes.ts'
import type { Fields, JsonSchema } from '../../resource/field.ts'
import { didYouMean } from '../../resource/nearest.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource } from '../../resource/resource.ts'
import { objectSchema } from '../../resource/schema.ts'
import { blockFields, unitAvailability } from '../resources/unit-availability.ts'
import { reportedFields, unitTypeAvailability } from '../resources/unit-type-availability.ts'
import type { PeriodInput } from './availability-period.ts'
import type { BlockInput } from './availability-update.ts'

/** The largest number of periods in one body. */
export const mostPeriods = 1_000

/** Reads the body of an update of a unit type's availability: an array of periods. */
export const readTypePeriods = periodReader<PeriodInput>(unitTypeAvailability, reportedFields)

/** Reads the body of an update of a unit's availability: an array of periods. */
export const readUnitPeriods = periodReader<BlockInput>(unitAvailability, blockFields)

/** The schema of one period. It accepts a period as a client read it. */
export function periodSchema(fields: Fields): JsonSchema {
  return withSentBack(objectSchema(fields), { unitTypeId: {}, unitId: {} })
}

/** Reads an array of periods, with or without `data`, each period with or without an envelope. */
function periodReader<Input>(resource: Resource, fields: Fields): (body: unknown) => Promise<Input[]> {
  const schema = periodSchema(fields)
  return (body) =>
    readEach(body, { limit: mostPeriods, one: 'period' }, async (item) => {
      const isEnveloped = isObject(item) && isObject(item.attributes)
      const attributes = unwrap(resource, isEnveloped ? { data: item } : item)
      await validate(schema, attributes)
      return readAttributes(fields, attributes) as Input
    })
}

/** The parameters of a list request, with the values of the filters by name. */
type ListQuery<Name extends string> = RequestedQuery & { filters: Partial<Record<Name, string>> }

/**
 * Reads the parameters of an availability list request. Each filter can occur once and only as an equality. Throws 400
 * `invalid-filter-field` and `invalid-filter-operator` with the allowed values.
 */
export function readListQuery<const Name extends string>(
  resources: Resources,
  resource: Resource,
  names: readonly Name[],
  search: URLSearchParams,
): ListQuery<Name> {
  const asked = readQuery(new Map([...resources, [resource.type, resource]]), resource, search)
  const filters: Partial<Record<Name, string>> = {}
  const written = [...search.keys()].filter((key) => namesOfFilter(key) !== null)
  for (const [index, { path, operator, value }] of asked.query.filters.entries()) {
    const parameter = written[index] ?? ''
    const name = names.find((each) => each === path)
    if (!name) {
      throw new Problem('invalid-filter-field', `${parameter} cannot be filtered here.`, {
        parameter,
        meta: { allowed: names, supportedOperators: ['eq'] },
        didYouMean: didYouMean(path, names),
      })
    }
    if (operator !== 'eq') {
      throw new Problem('invalid-filter-operator', `${path} can only be filtered with eq.`, {
        parameter,
        meta: { supportedOperators: ['eq'] },
      })
    }
    if (filters[name] !== undefined)
      throw new Problem('malformed-request', `Give ${parameter} once.`, { parameter })
    filters[name] = String(value)
  }
  return { ...asked, filters }
}
