import { Problem } from '../resource/problem.ts'
import type { EventKind } from './event-kinds.ts'
import type { Heard } from './feed.ts'

type May = (scope: string) => boolean

/** Whether who holds these scopes may hear of it: whoever may look through such things, and whoever audits the house. */
export function mayHear({ scope }: EventKind, may: May): boolean {
  return may(scope) || may('audit.read')
}

/** Types of events: `stay.checked-in`, all of a family as `stay.*`, or `*`. */
export const typePattern = '^(\\*|[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)*\\.(\\*|[a-z][a-z0-9-]*))$'
const isPattern = new RegExp(typePattern)
const mostPatterns = 50

/** Whether a type is one of these, or of a family of these. */
export function typesIn(patterns: readonly string[]): (type: string) => boolean {
  const words = new Set(patterns.filter((each) => !each.endsWith('*')))
  const families = patterns.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1))
  return (type) => words.has(type) || families.some((family) => type.startsWith(family))
}

/** What a request asks to hear, of what its caller may. Throws invalid-filter-value for what is no type. */
export function wanted(
  types: string | null,
  subject: string | null,
  may: May,
): (heard: Pick<Heard, 'kind' | 'event'>) => boolean {
  const isAsked = types === null ? () => true : typesIn(readTypes(types))
  return ({ kind, event }) =>
    isAsked(event.type) && (subject === null || event.subject === subject) && mayHear(kind, may)
}

function readTypes(text: string): string[] {
  const patterns = text.split(',').map((each) => each.trim())
  const strange = patterns.find((each) => !isPattern.test(each))
  if (strange === undefined && patterns.length <= mostPatterns) return patterns
  const expected = `at most ${mostPatterns} types with commas between them, such as stay.checked-in,key.*`
  throw new Problem('invalid-filter-value', `filter[type]: expected ${expected}.`, {
    parameter: 'filter[type]',
    meta: { expected },
  })
}
