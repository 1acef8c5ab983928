import { isCurrency } from './currency.ts'
import type { ProblemCode } from './problem.ts'

/** A column's value as SQLite keeps it. */
export type Stored = string | number | null

export type JsonSchema = Record<string, unknown>

/** How a column becomes JSON in a document; the store knows the SQL for each word. */
export type Shown = 'plain' | 'flag' | 'json' | 'instant' | 'decimal' | 'reference' | 'sealed'

/** A field type: one value, described once for JSON, SQL, filters and the words of a 400. */
interface FieldType<Value> {
  kind: 'scalar' | 'object' | 'list' | 'parts'
  /** JSON Schema of the value in a request body. */
  schema: JsonSchema
  column: 'TEXT' | 'INTEGER' | 'BLOB'
  shown: Shown
  /** Completes "expected …" when a filter value cannot be read. */
  form: string
  /** Reads a filter value; undefined when it is not of this form. */
  read(text: string): Stored | undefined
  encode(value: Value): Stored
  /** What a JSON Schema cannot say well: the problem with a value that is of the right type. */
  check?(value: Value): { code: ProblemCode; detail: string } | null
}

/** An expression that stands in the `computes` of the resource `by`, under the name `as`. */
export interface ComputedElsewhere {
  by: string
  as: string
}

export interface FieldOptions {
  required?: boolean
  /** Given at creation, refused when a replacement differs. */
  immutable?: boolean
  unique?: boolean
  /** Filterable but never shown. */
  hidden?: boolean
  /** The scope without which nobody is shown it: neither in a document nor in the answer to his own writing of it. */
  scope?: string
  filterable?: boolean
  /** Set by changes alone; in a body it is ignored, so that a client may send back what it read. */
  readOnly?: boolean
  /** A count that goes on by itself: a person may set it, but it is no setting. */
  operational?: boolean
  /** A change of this alone is no event: nothing is written down of it but its new revision. */
  unremarked?: boolean
  default?: unknown
  /** What it means, for who reads the documents of the interface, where the name does not say it. */
  note?: string
  /**
   * An SQL expression over the resource's own table, or one that another resource declares, because it reads the table of
   * that one; such a field is read-only and has no column.
   */
  computed?: string | ComputedElsewhere
  /** The resource pointed at gets a new revision whenever this one changes: its document shows something of it. */
  touches?: boolean
  /** It is found by any part of its text, through the search index: its number there, never given to another field. */
  search?: number
  /** The member beside it that is equal wherever this one is, and has an index. */
  foundBy?: string
}

/** A field type with its options. Need only tells TypeScript which attributes are required, and which no row has. */
export interface Field<Value = unknown, Need = unknown> extends FieldType<Value> {
  options: FieldOptions & { need?: Need }
  /** The type this field points at, when it is a reference. */
  to?: string
  /** What an object, a list of objects, or parts are made of. */
  members?: Fields
  /** Parts alone: the table that keeps them, and the member shown alone instead of an object. */
  table?: string
  only?: string
}

export type Fields = Record<string, Field>

export type Need<Options> = Options extends { required: true } ? 'required' : 'optional'

function fieldType<Value>(type: Omit<FieldType<Value>, 'kind'>) {
  return <const Options extends FieldOptions = Record<never, never>>(
    options?: Options,
  ): Field<Value, Need<Options>> => ({ kind: 'scalar', ...type, options: options ?? {} })
}

const same = { encode: (value: never) => value }

function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined)
}

interface TextOptions extends FieldOptions {
  min?: number
  max?: number
  pattern?: string
  /** Line breaks and tabs are allowed. */
  multiline?: boolean
}

/** No control characters, and no half of a surrogate pair, which SQLite would keep as something else. */
const printable = '^[^\\p{Cc}\\p{Cs}]*$'
const printableLines = '^([^\\p{Cc}\\p{Cs}]|[\\t\\n\\r])*$'

/** Unicode text in normal form C, without control characters; at most 255 characters unless said otherwise. */
export function text<const Options extends TextOptions = Record<never, never>>(
  options?: Options,
): Field<string, Need<Options>> {
  const { min = 1, max = 255, pattern, multiline = false } = (options ?? {}) as TextOptions
  return {
    kind: 'scalar',
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      pattern: pattern ?? (multiline ? printableLines : printable),
      ...(pattern === undefined && { $comment: 'text without control characters' }),
    },
    column: 'TEXT',
    shown: 'plain',
    form: 'text',
    read: (value) => value.normalize('NFC'),
    encode: (value) => value.normalize('NFC'),
    options: options ?? {},
  }
}

interface NumberOptions extends FieldOptions {
  min?: number
  max?: number
}

export function integer<const Options extends NumberOptions = Record<never, never>>(
  options?: Options,
): Field<number, Need<Options>> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = (options ?? {}) as NumberOptions
  return {
    kind: 'scalar',
    schema: { type: 'integer', minimum: min, maximum: max },
    column: 'INTEGER',
    shown: 'plain',
    form: 'a whole number',
    read: (value) =>
      /^-?\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined,
    encode: (value) => value,
    options: options ?? {},
  }
}

/** A number inside a value object, filtered as it stands there. */
export const number = fieldType<number>({
  schema: { type: 'number' },
  column: 'INTEGER',
  shown: 'plain',
  form: 'a number',
  read: (value) => (/^-?\d{1,15}(\.\d{1,10})?$/.test(value) ? Number(value) : undefined),
  encode: (value) => value,
})

export const flag = fieldType<boolean>({
  schema: { type: 'boolean' },
  column: 'INTEGER',
  shown: 'flag',
  form: 'true or false',
  read: (value) => (value === 'true' ? 1 : value === 'false' ? 0 : undefined),
  encode: Number,
})

/** A calendar day of the property. As a filter value a full timestamp is read as its day. */
export const date = fieldType<string>({
  schema: { type: 'string', format: 'date' },
  column: 'TEXT',
  shown: 'plain',
  form: 'date (YYYY-MM-DD); a timestamp is read as its day',
  read: dayOf,
  ...same,
})

/** The day of a date or a timestamp as it stands there; undefined for neither, and for a day that no month has. */
function dayOf(value: string): string | undefined {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|[+ -]\d\d:?\d\d)?)?$/.exec(value) ?? []
  // A plus that was not encoded in a URL arrives as a space.
  const moment = Date.parse(`${day}T${time ?? '00:00'}Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${day}T`) ? day : undefined
}

/** A time of day of the property, HH:MM. Seconds, when given, are 00 and are dropped. */
export const time = fieldType<string>({
  schema: {
    type: 'string',
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:?\\d\\d)?$',
    description: 'a time (HH:MM)',
  },
  column: 'TEXT',
  shown: 'plain',
  form: 'time (HH:MM)',
  read: (value) => /^([01]\d|2[0-3]):[0-5]\d(?=$|:00$)/.exec(value)?.[0],
  encode: (value) => value.slice(0, 5),
  check(value) {
    if (/[Z+-]/.test(value))
      return { code: 'time-with-offset', detail: 'expected a time of the property, HH:MM' }
    if (value.length > 5 && !value.endsWith(':00'))
      return { code: 'seconds-not-zero', detail: 'seconds must be 00' }
    return null
  },
})

/** A moment, given as text or as Unix milliseconds and kept as these, shown in UTC. */
export const instant = fieldType<number>({
  schema: { type: 'string', format: 'date-time' },
  column: 'INTEGER',
  shown: 'instant',
  form: 'UTC timestamp (YYYY-MM-DDTHH:MM:SSZ)',
  read(value) {
    const whole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(value)
    const instant = whole
      ? Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$|^[^T]*$/.test(value) ? value : `${value}Z`)
      : NaN
    return Number.isNaN(instant) || dayOf(value) === undefined ? undefined : instant
  },
  encode: millisecondsOf,
  // A leap second and an offset without minutes fit the schema's date-time, and are no moment to a Date.
  check: (value) =>
    Number.isNaN(millisecondsOf(value))
      ? { code: 'validation-failed', detail: 'expected a UTC timestamp (YYYY-MM-DDTHH:MM:SSZ)' }
      : null,
})

function millisecondsOf(moment: string | number): number {
  return typeof moment === 'string' ? Date.parse(moment) : moment
}

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of something outside this store. */
export const uuid = fieldType<string>({
  schema: { type: 'string', format: 'uuid' },
  column: 'TEXT',
  shown: 'plain',
  form: 'id (UUID)',
  read: (value) => (uuidPattern.test(value) ? value.toLowerCase() : undefined),
  encode: (value) => value.toLowerCase(),
})

/** One of a closed set of words. */
export function oneOf<const Word extends string, const Options extends FieldOptions = Record<never, never>>(
  words: readonly Word[],
  options?: Options,
): Field<Word, Need<Options>> {
  return {
    kind: 'scalar',
    schema: { enum: words },
    column: 'TEXT',
    shown: 'plain',
    form: `one of ${words.join(', ')}`,
    read: (value) => words.find((word) => word === value),
    encode: (value) => value,
    options: options ?? {},
  }
}

/** ISO 3166-1 alpha-2, upper case. */
export const country = fieldType<string>({
  schema: { type: 'string', pattern: '^[A-Z]{2}$', description: 'a country code (two upper-case letters)' },
  column: 'TEXT',
  shown: 'plain',
  form: 'country code (two upper-case letters)',
  read: matching(/^[A-Z]{2}$/),
  ...same,
})

/** ISO 639-1, lower case. */
export const language = fieldType<string>({
  schema: { type: 'string', pattern: '^[a-z]{2}$', description: 'a language code (two lower-case letters)' },
  column: 'TEXT',
  shown: 'plain',
  form: 'language code (two lower-case letters)',
  read: matching(/^[a-z]{2}$/),
  ...same,
})

/** ISO 4217, three upper-case letters. */
export const currency = fieldType<string>({
  schema: {
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description: 'a currency code (three upper-case letters)',
  },
  column: 'TEXT',
  shown: 'plain',
  form: 'currency code (three upper-case letters)',
  read: matching(/^[A-Z]{3}$/),
  ...same,
  check: (value) =>
    isCurrency(value) ? null : { code: 'validation-failed', detail: 'expected a currency code of ISO 4217' },
})

/** Points at another resource, which cannot be deleted while this holds it. */
export function reference<const Options extends FieldOptions = Record<never, never>>(
  to: string,
  options?: Options,
): Field<string, Need<Options>> {
  return { ...uuid(options), column: 'INTEGER', shown: 'reference', to }
}
