import type { Field, FieldOptions, Requirement } from '../field.ts'

const units = 10_000

/**
 * A decimal number with at most nine digits before the point and four after it, stored as an integer number
 * of ten-thousandths: 1.5 is stored as 15000.
 */
export function decimal<const Options extends FieldOptions = Record<never, never>>(
  options?: Options,
): Field<number, Requirement<Options>> {
  return {
    kind: 'scalar',
    schema: { type: 'number', minimum: -999_999_999, maximum: 999_999_999 },
    column: 'INTEGER',
    shown: 'decimal',
    form: 'a number with at most four decimals',
    read: (value) => (/^-?\d{1,9}(\.\d{1,4})?$/.test(value) ? toTenThousandths(value) : undefined),
    encode: (value) => toTenThousandths(String(value)),
    check: (value) =>
      /^-?\d+(\.\d{1,4})?$/.test(String(value))
        ? null
        : { code: 'validation-failed', detail: 'expected at most four decimals' },
    options: options ?? {},
  }
}

/** Converts decimal text digit by digit, without binary fractions. */
function toTenThousandths(value: string): number {
  const [whole = '0', fraction = ''] = value.replace('-', '').split('.')
  const size = Number(whole) * units + Number(fraction.padEnd(4, '0').slice(0, 4))
  return value.startsWith('-') ? -size : size
}
