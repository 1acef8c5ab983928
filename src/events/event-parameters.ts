import { unknownParameter } from '../jsonapi/query/query.ts'
import { Problem } from '../resource/problem.ts'

const defaultSize = 100
const largestSize = 1_000

/** Throws unknown-parameter for any other name, and malformed-request for a repeated one. */
export function expectParameters(query: URLSearchParams, allowed: string[]): void {
  for (const name of query.keys()) {
    if (!allowed.includes(name)) throw unknownParameter(name, allowed)
    if (query.getAll(name).length > 1) {
      throw new Problem('malformed-request', `${name} is given more than once.`, { parameter: name })
    }
  }
}

/** Returns `page[size]`. Throws invalid-page-size. */
export function sizeIn(query: URLSearchParams): number {
  const text = query.get('page[size]') ?? String(defaultSize)
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= largestSize) return Number(text)
  throw new Problem('invalid-page-size', `page[size]: expected a whole number from 1 to ${largestSize}.`, {
    parameter: 'page[size]',
    meta: { page: { maxSize: largestSize } },
  })
}

/**
 * Percent-encodes the brackets and other characters that a URI's query may not contain; the rest stays as it
 * was sent.
 */
export function inUri(url: string): string {
  return url.replace(/[[\]"<>\\^`{|}]/g, encodeURIComponent)
}
