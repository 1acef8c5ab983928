import { type Answer, type Request, textOf } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import type { Machines, Property } from '../access.ts'
import { markOf, pinOrNull } from '../keys/orders/pins.ts'
import { key } from '../resources/key.ts'

type PinBox = Pick<Property, 'reader'> & Pick<Machines, 'workshop'>

interface Member {
  type?: string
  id?: string
  attributes?: Record<string, unknown>
}

/** The answer with the PINs of its keys, for a caller who may read PINs. */
export function asRead(access: PinBox, { caller }: Request, answer: Answer): Answer {
  return caller.may('keys.read-pin') ? withPins(access, answer) : answer
}

/** The answer to the making of a key with its PIN, for a caller who may see the PINs of the keys that it makes. */
export function asMade(access: PinBox, { caller }: Request, answer: Answer): Answer {
  return caller.may('keys.read-pin-issued') ? withPins(access, answer) : answer
}

/** The answer with decrypted PINs. This form is never stored. */
function withPins({ reader, workshop }: PinBox, answer: Answer): Answer {
  const text = textOf(answer)
  if (!text?.includes('"pin":"')) return answer
  const document = JSON.parse(text) as { data?: Member | Member[] }
  for (const { type, id, attributes } of [document.data ?? []].flat()) {
    if (type !== key.type || !id || typeof attributes?.pin !== 'string') continue
    const sealed = reader.row(key, id)?.pinSealed
    const pin = sealed && pinOrNull(workshop, sealed)
    if (pin) attributes.pin = pin
  }
  return { ...answer, text: JSON.stringify(document), describesMore: true }
}

const operators = ['eq', 'ne', 'isnull', 'notnull'] as const

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

function operatorOf(parameter: string): (typeof operators)[number] {
  const [, word = 'eq'] = /^filter\[pin\](?:\[(.*)\])?$/.exec(parameter) ?? []
  const found = operators.find((each) => each === word)
  if (found) return found
  throw new Problem('invalid-filter-operator', `A PIN cannot be filtered by ${word.slice(0, 40)}.`, {
    parameter,
    meta: { supportedOperators: operators },
  })
}
