import type { CodePage } from './code-page.ts'
import { fieldRow } from './protocol.ts'

/**
 * A record: its two-letter name, and its fields by their two-character names. The order of fields has no meaning; when
 * a field occurs twice, the last one counts.
 */
export interface FiasRecord {
  id: string
  fields: Readonly<Record<string, string>>
}

/**
 * Formats a record: `KR|KC1|KTN|`. Fields that are null, undefined or empty are left out; a forbidden character becomes
 * a blank, and a long value is truncated.
 */
export function recordText(id: string, fields: Readonly<Record<string, string | null | undefined>>): string {
  const filled = Object.entries(fields)
    .map(([name, value]) => [name, fieldText(name, value ?? '')] as const)
    .filter(([, value]) => value !== '')
  return [id, ...filled.map(([name, value]) => name + value), ''].join('|')
}

/** Parses a record; null for a text that is none. Fields without a name or a value are skipped. */
export function readRecord(text: string): FiasRecord | null {
  const [id = '', ...rest] = text.split('|')
  if (!/^[A-Z][A-Z0-9]$/.test(id)) return null
  const fields: [string, string][] = rest
    .filter((field) => field.length > 2)
    .map((field) => [field.slice(0, 2), field.slice(2)])
  return { id, fields: Object.fromEntries(fields) }
}

/** The names of the fields in an `FL` value: `KCRNG#` is KC, RN and G#. */
export function fieldNames(list: string): string[] {
  return list.match(/../gs) ?? []
}

/** Null when a text fits a field unchanged; otherwise the reason why not. */
export function fieldProblem(name: string, value: string): string | null {
  const most = longestOf(name)
  if (value.length === 0 || value.length > most) return `must have 1 to ${most} characters`
  return fieldText(name, value) === value ? null : 'must not contain vertical bars or control characters'
}

/** Null when a text can be sent as the number of a room; otherwise the reason why not. Cut, or without its accent, it could be another room. */
export function roomProblem(name: string, page: CodePage): string | null {
  const problem = fieldProblem('RN', name)
  if (problem) return `A room number ${problem}.`
  if (page.decode(page.encode(name)).text === name.normalize('NFC')) return null
  return 'A room number must have only characters of the code page.'
}

function longestOf(name: string): number {
  return fieldRow(name)?.longest ?? 200
}

function fieldText(name: string, value: string): string {
  const plain = Array.from(value, (letter) => (isForbidden(letter) ? ' ' : letter)).join('')
  return plain.slice(0, longestOf(name))
}

function isForbidden(letter: string): boolean {
  return letter < ' ' || letter === '\x7f' || letter === '|'
}
