import { Problem } from '../resource/problem.ts'
import type { EventKind } from './event-kinds.ts'
import type { FeedEvent } from './feed.ts'

type May = (scope: string) => boolean

/** Whether these scopes allow the event: the scope of its kind, or audit.read. */
export function canRead({ scope }: EventKind, may: May): boolean {
  return may(scope) || may('audit.read')
}

/** Event types: `stay.checked-in`, a whole family as `stay.*`, or `*`. */
export const typePattern = '^(\\*|[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)*\\.(\\*|[a-z][a-z0-9-]*))$'
const isPattern = new RegExp(typePattern)
const maxPatterns = 50

/** Returns a function that returns whether a type matches one of the patterns. */
export function typesIn(patterns: readonly string[]): (type: string) => boolean {
  const words = new Set(patterns.filter((each) => !each.endsWith('*')))
  const families = patterns.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1))
  return (type) => words.has(type) || families.some((family) => type.startsWith(family))
}

/**
 * Returns a function that selects the requested events that the caller may receive. Throws
 * invalid-filter-value for an invalid type.
 */
export function eventFilter(
  query: URLSearchParams,
  may: May,
): (feedEvent: Pick<FeedEvent, 'kind' | 'event'>) => boolean {
  const [types, subject, by] = ['type', 'subject', 'by'].map((name) => query.get(`filter[${name}]`))
  const isRequested = types == null ? () => true : typesIn(readTypes(types))
  const subjects = subject == null ? null : new Set<unknown>(subject.split(','))
  return ({ kind, event }) =>
    isRequested(event.type) &&
    (subjects === null || subjects.has(event.subject)) &&
    (by == null || event.data.by.id === by) &&
    canRead(kind, may)
}

/** Reads event types with commas between them. Throws invalid-filter-value. */
export function readTypes(text: string): string[] {
  const patterns = text.split(',').map((each) => each.trim())
  const strange = patterns.find((each) => !isPattern.test(each))
  if (strange === undefined && patterns.length <= maxPatterns) return patterns
  const expected = `at most ${maxPatterns} types with commas between them, such as stay.checked-in,key.*`
  throw new Problem('invalid-filter-value', `filter[type]: expected ${expected}.`, {
    parameter: 'filter[type]',
    meta: { expected },
  })
}
