import { type LinkRecord, UnreadableField } from '../../src/devices/network/guest-link.ts'
import { readDate } from './moments.ts'
import { fieldRow, rowOf } from './protocol.ts'

/** The maximum length of a reservation number or a room; a longer one is invalid. */
const longestRequired = 60

/** The value of a field, parsed by its row; null when the field is absent. Throws an UnreadableField. */
export function readField({ id, fields }: LinkRecord, name: string): string | null {
  const text = fields[name]
  const { means, holds } = fieldRow(name) ?? { means: name }
  const isRequired = rowOf(id)?.required?.some((each) => each === name) === true
  const value = text?.trim() ?? ''
  if (isRequired && value === '') throw new UnreadableField(`${name}, the ${means}, is missing.`)
  if (isRequired && value.length > longestRequired)
    throw new UnreadableField(`${name}, the ${means}, has more than ${longestRequired} characters.`)
  if (text === undefined) return null
  if (holds !== 'date') return value === '' ? null : value
  const date = readDate(value)
  if (!date) throw new UnreadableField(`${name} is ${text}; a date was expected, YYMMDD.`)
  return date
}
