import type { Answer } from '../../jsonapi/route.ts'
import type { Access } from '../access.ts'
import { key } from '../resources/key.ts'
import { pinOrNull } from './pins.ts'

interface Member {
  type?: string
  id?: string
  attributes?: Record<string, unknown>
}

/** The same answer with the PINs of its keys out of their seal. It is never kept like that. */
export function withPins(access: Pick<Access, 'reader' | 'workshop'>, answer: Answer): Answer {
  if (!answer.text?.includes('"pin":"')) return answer
  const document = JSON.parse(answer.text) as { data?: Member | Member[] }
  for (const member of [document.data ?? []].flat()) show(access, member)
  return { ...answer, text: JSON.stringify(document), saysMore: true }
}

function show(
  { reader, workshop }: Pick<Access, 'reader' | 'workshop'>,
  { type, id, attributes }: Member,
): void {
  if (type !== key.type || !id || typeof attributes?.pin !== 'string') return
  const sealed = reader.row(key, id)?.pinSealed
  const pin = sealed && pinOrNull(workshop, sealed)
  if (pin) attributes.pin = pin
}
