import { isObject, sentBack, unwrap } from '../jsonapi/body.ts'
import { validate } from '../jsonapi/validate.ts'
import { readAttributes } from '../resource/attributes.ts'
import type { Fields, JsonSchema } from '../resource/fields.ts'
import { inItem, Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import { objectSchema } from '../resource/schema.ts'
import type { PeriodInput } from './availability-period.ts'
import type { BlockInput } from './availability-update.ts'
import { blockFields, unitAvailability } from './resources/unit-availability.ts'
import { toldFields, unitTypeAvailability } from './resources/unit-type-availability.ts'

/** Periods of one body. */
export const mostPeriods = 1_000

/** The body of an update of a unit type's availability, period by period. */
export const readToldPeriods = periodReader<PeriodInput>(unitTypeAvailability, toldFields)

/** The body of an update of a unit's availability, period by period. */
export const readBlockPeriods = periodReader<BlockInput>(unitAvailability, blockFields)

/** The schema of one period, which may be sent back as it was read. */
export function periodSchema(fields: Fields): JsonSchema {
  const schema = objectSchema(fields)
  return {
    ...schema,
    properties: { ...sentBack, unitTypeId: {}, unitId: {}, ...(schema.properties as object) },
  }
}

/** Reads an array of periods, bare or under `data`, each enveloped or bare. Problems point into the item. */
function periodReader<Input>(resource: Resource, fields: Fields): (body: unknown) => Promise<Input[]> {
  const schema = periodSchema(fields)
  return async (body) => {
    const read: Input[] = []
    for (const [index, item] of itemsOf(body).entries()) {
      try {
        const isEnveloped = isObject(item) && isObject(item.attributes)
        const attributes = unwrap(resource, isEnveloped ? { data: item } : item)
        await validate(schema, attributes)
        read.push(readAttributes(fields, attributes) as Input)
      } catch (error) {
        throw inItem(index, error)
      }
    }
    return read
  }
}

function itemsOf(body: unknown): unknown[] {
  const list = isObject(body) && 'data' in body ? body.data : body
  if (!Array.isArray(list) || list.length === 0) {
    throw new Problem('validation-failed', 'Expected an array of at least one period.', { pointer: '' })
  }
  if (list.length <= mostPeriods) return list
  throw new Problem('batch-too-large', `At most ${mostPeriods} periods a request.`, {
    meta: { limit: mostPeriods },
  })
}
