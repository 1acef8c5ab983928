import { type Answer, type Request, textOf } from '../../jsonapi/route.ts'
import type { Machines, Property } from '../access.ts'
import { key } from '../resources/key.ts'
import { pinOrNull } from './pins.ts'

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
function withPins(access: PinBox, answer: Answer): Answer {
  const text = textOf(answer)
  if (!text?.includes('"pin":"')) return answer
  const document = JSON.parse(text) as { data?: Member | Member[] }
  for (const member of [document.data ?? []].flat()) show(access, member)
  return { ...answer, text: JSON.stringify(document), describesMore: true }
}

function show({ reader, workshop }: PinBox, { type, id, attributes }: Member): void {
  if (type !== key.type || !id || typeof attributes?.pin !== 'string') return
  const sealed = reader.row(key, id)?.pinSealed
  const pin = sealed && pinOrNull(workshop, sealed)
  if (pin) attributes.pin = pin
}
