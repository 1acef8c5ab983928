import type { Request } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import type { Machines } from '../access.ts'
import { markOf } from './pins.ts'

const supported = ['eq', 'ne', 'isnull', 'notnull'] as const

/**
 * Splits the parameters of a list into PIN filters and the rest. A PIN filter becomes a filter on the keyed hash of the
 * PIN, so only a whole PIN is found. Throws scope-required for a caller who may not read PINs, because such a caller
 * could find every PIN by trying.
 */
export function withoutPinFilters(
  { workshop }: Pick<Machines, 'workshop'>,
  { query, caller }: Request,
): { query: URLSearchParams; pins: Filter[] } {
  const rest = new URLSearchParams(query)
  const pins = [...query].flatMap(([parameter, value]): Filter[] => {
    if (!parameter.startsWith('filter[pin]')) return []
    if (!caller.may('keys.read-pin')) {
      throw new Problem('scope-required', `${parameter} needs the scope keys.read-pin.`, {
        parameter,
        meta: { scope: 'keys.read-pin' },
      })
    }
    rest.delete(parameter)
    const operator = operatorOf(parameter)
    const isAbout = operator === 'eq' || operator === 'ne'
    return [{ path: 'pinMark', operator, value: isAbout ? markOf(workshop, value) : null }]
  })
  return { query: rest, pins }
}

function operatorOf(parameter: string): (typeof supported)[number] {
  const [, word = 'eq'] = /^filter\[pin\](?:\[(.*)\])?$/.exec(parameter) ?? []
  const found = supported.find((each) => each === word)
  if (found) return found
  throw new Problem('invalid-filter-operator', `A PIN cannot be filtered by ${word.slice(0, 40)}.`, {
    parameter,
    meta: { supportedOperators: supported },
  })
}
