import type { Stored } from '../resource/fields.ts'
import { predicateOf, type ValueTest } from './value-test.ts'

/** The values of a column in memory, each at its place; what is added is never taken out again. */
export interface ColumnValues {
  /** False when there are too many different values for this kind of keeping. */
  add(value: Stored): boolean
  /** The places whose value passes every test, and maybe some others; null when they would be more than `limit`. */
  places(tests: readonly ValueTest[], limit: number): number[] | null
  bytes(): number
}

const mostWords = 65_535
const mostLetters = 2_000_000
const bytesOfAWord = 80

/** Each different value once, and its number at every place: for few values, which is what most fields have. */
export function words(): ColumnValues {
  const numbers = new Map<Stored, number>()
  const values: Stored[] = []
  const counts: number[] = []
  let kept = new Uint16Array(1024)
  let length = 0
  let letters = 0

  function add(value: Stored): boolean {
    const number = numbers.get(value) ?? learn(value)
    if (number === null) return false
    if (length === kept.length) kept = copied(kept, new Uint16Array(length * 2))
    kept[length++] = number
    counts[number]!++
    return true
  }

  function learn(value: Stored): number | null {
    letters += typeof value === 'string' ? value.length : 0
    if (values.length >= mostWords || letters > mostLetters) return null
    numbers.set(value, values.length)
    counts.push(0)
    return values.push(value) - 1
  }

  function places(tests: readonly ValueTest[], limit: number): number[] | null {
    const passing = new Uint8Array(values.length)
    let expected = 0
    for (const number of numbersPassing(tests)) {
      passing[number] = 1
      expected += counts[number]!
      if (expected > limit) return null
    }
    const found: number[] = []
    for (let at = 0; found.length < expected; at++) if (passing[kept[at]!]) found.push(at)
    return found
  }

  function* numbersPassing(tests: readonly ValueTest[]): Generator<number> {
    const passes = predicateOf(tests)
    const equal = tests.find(({ operator }) => operator === 'eq')
    const known = equal && numbers.get(equal.value)
    if (known !== undefined && passes(values[known]!)) yield known
    if (equal) return
    for (const [number, value] of values.entries()) if (passes(value)) yield number
  }

  return { add, places, bytes: () => kept.byteLength + letters * 2 + values.length * bytesOfAWord }
}

/**
 * A number at every place; of a text a number that equal texts share: for values that are nearly all different. It can tell
 * what is equal, and what lies between numbers; whatever else is asked of it, there are too many.
 */
export function figures(): ColumnValues {
  let kept = new Float64Array(1024)
  let length = 0
  let hasTexts = false

  function add(value: Stored): boolean {
    if (length === kept.length) kept = copied(kept, new Float64Array(length * 2))
    hasTexts ||= typeof value === 'string'
    kept[length++] = value === null ? Number.NaN : figureOf(value)
    return true
  }

  function places(tests: readonly ValueTest[], limit: number): number[] | null {
    const isNull = tests.some(({ operator }) => operator === 'isnull')
    const [least, greatest] = boundsOf(tests)
    if (!isNull && least === -Infinity && greatest === Infinity) return null
    const found: number[] = []
    for (let at = 0; at < length && found.length <= limit; at++) {
      const figure = kept[at]!
      if (isNull ? Number.isNaN(figure) : figure >= least && figure <= greatest) found.push(at)
    }
    return found.length > limit ? null : found
  }

  /** Between which figures all lie that pass; of texts nothing is known but what is equal. */
  function boundsOf(tests: readonly ValueTest[]): [least: number, greatest: number] {
    let [least, greatest] = [-Infinity, Infinity]
    for (const { operator, value } of tests) {
      const isKnown = operator === 'eq' || (!hasTexts && typeof value === 'number')
      if (value === null || !isKnown) continue
      const figure = figureOf(value)
      if (operator === 'eq' || operator === 'gt' || operator === 'gte') least = Math.max(least, figure)
      if (operator === 'eq' || operator === 'lt' || operator === 'lte') greatest = Math.min(greatest, figure)
    }
    return [least, greatest]
  }

  return { add, places, bytes: () => kept.byteLength }
}

/** Of a text a hash (FNV-1a), made such as no field holds. */
function figureOf(value: string | number): number {
  if (typeof value === 'number') return value
  let hash = 0x811c9dc5
  for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193)
  return -(hash >>> 0) - 0.5
}

function copied<Values extends Uint16Array | Float64Array>(from: Values, to: Values): Values {
  to.set(from)
  return to
}
