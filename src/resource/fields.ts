import type { Field, FieldOptions, FieldType, Requirement } from './field.ts'
import { isStoredCurrency } from './values/currency.ts'

function fieldType<Value>(type: Omit<FieldType<Value>, 'kind'>) {
  return <const Options extends FieldOptions = Record<never, never>>(
    options?: Options,
  ): Field<Value, Requirement<Options>> => ({ kind: 'scalar', ...type, options: options ?? {} })
}

const same = { encode: (value: never) => value }

function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined)
}

interface TextOptions extends FieldOptions {
  min?: number
  max?: number
  pattern?: string
  /** What the pattern says, as words after "must be". */
  patternForm?: string
  /** Allows line breaks and tabs. */
  multiline?: boolean
}

/** No control characters and no lone surrogates; SQLite would store a lone surrogate as another character. */
const printable = '^[^\\p{Cc}\\p{Cs}]*$'
const printableLines = '^([^\\p{Cc}\\p{Cs}]|[\\t\\n\\r])*$'

/** Unicode text in normal form C, without control characters; by default at most 255 characters. */
export function text<const Options extends TextOptions = Record<never, never>>(
  options?: Options,
): Field<string, Requirement<Options>> {
  const { min = 1, max = 255, pattern, patternForm, multiline = false } = (options ?? {}) as TextOptions
  const form = pattern === undefined ? 'text without control characters' : patternForm
  return {
    kind: 'scalar',
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      pattern: pattern ?? (multiline ? printableLines : printable),
      ...(form && { $comment: form }),
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

/** A whole number from `min` to `max`. */
export function integer<const Options extends NumberOptions = Record<never, never>>(
  options?: Options,
): Field<number, Requirement<Options>> {
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

/** A number inside a value object. Filters compare it unchanged. */
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

/** A calendar day of the property. A filter value may be a timestamp; its date part is used. */
export const date = fieldType<string>({
  schema: { type: 'string', format: 'date' },
  column: 'TEXT',
  shown: 'plain',
  form: 'date (YYYY-MM-DD); a timestamp is read as its day',
  read: dayOf,
  ...same,
})

/** Returns the date part of a date or a timestamp; undefined for an invalid one, such as 30 February. */
function dayOf(value: string): string | undefined {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|[+ -]\d\d:?\d\d)?)?$/.exec(value) ?? []
  // A plus sign that was not encoded in a URL arrives as a space.
  const moment = Date.parse(`${day}T${time ?? '00:00'}Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${day}T`) ? day : undefined
}

/** A time of day of the property, HH:MM. Seconds, when given, must be 00 and are dropped. */
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

/** A point in time, given as text or as Unix milliseconds, stored as Unix milliseconds, shown in UTC. */
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
  // A leap second and an offset without minutes match the schema's date-time, and JavaScript cannot parse
  // them.
  check: (value) =>
    Number.isNaN(millisecondsOf(value))
      ? { code: 'validation-failed', detail: 'expected a UTC timestamp (YYYY-MM-DDTHH:MM:SSZ)' }
      : null,
})

function millisecondsOf(moment: string | number): number {
  return typeof moment === 'string' ? Date.parse(moment) : moment
}

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of an object outside this store. */
export const uuid = fieldType<string>({
  schema: { type: 'string', format: 'uuid' },
  column: 'TEXT',
  shown: 'plain',
  form: 'id (UUID)',
  read: (value) => (uuidPattern.test(value) ? value.toLowerCase() : undefined),
  encode: (value) => value.toLowerCase(),
})

/** One word of a closed set. */
export function oneOf<const Word extends string, const Options extends FieldOptions = Record<never, never>>(
  words: readonly Word[],
  options?: Options,
): Field<Word, Requirement<Options>> {
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

/**
 * An ISO 3166-1 alpha-2 country code, upper case. A former one passes, because rows from before have it: a rule says that a new one
 * is current.
 */
export const country = fieldType<string>({
  schema: { type: 'string', pattern: '^[A-Z]{2}$', description: 'a country code (two upper-case letters)' },
  column: 'TEXT',
  shown: 'plain',
  form: 'country code (two upper-case letters)',
  read: matching(/^[A-Z]{2}$/),
  ...same,
})

/** An ISO 639-1 language code, lower case. */
export const language = fieldType<string>({
  schema: { type: 'string', pattern: '^[a-z]{2}$', description: 'a language code (two lower-case letters)' },
  column: 'TEXT',
  shown: 'plain',
  form: 'language code (two lower-case letters)',
  read: matching(/^[a-z]{2}$/),
  ...same,
})

/** An ISO 4217 currency code, three upper-case letters. A withdrawn one passes: a rule says where a code must be in force. */
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
    isStoredCurrency(value)
      ? null
      : { code: 'validation-failed', detail: 'expected a currency code of ISO 4217' },
})

/** A reference to another resource. The referenced resource cannot be deleted. */
export function reference<const Options extends FieldOptions = Record<never, never>>(
  to: string,
  options?: Options,
): Field<string, Requirement<Options>> {
  return { ...uuid(options), column: 'INTEGER', shown: 'reference', to }
}

/** Whether commands alone set the field. A body may contain it, and its value is ignored. */
export function isReadOnly(options: { readOnly?: boolean; computed?: unknown }): boolean {
  return options.readOnly === true || options.computed !== undefined
}
