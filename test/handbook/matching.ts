import { anything, type ShownValue, shownJson } from './shown-json.ts'

/**
 * What differs each time, by its kind: where a page shows one of a kind, any other of the same kind is right. Of what
 * has an identity (`same`), one that is shown twice must be the same twice.
 */
const kinds = [
  { name: 'id', pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', same: true },
  { name: 'token', pattern: 'lk_(?:live|test)_[0-9A-Za-z]{22}_[0-9A-Za-z]{6}', same: true },
  { name: 'secret', pattern: '(?:whsec_|age1|AGE-SECRET-KEY-1)[0-9A-Za-z+/=]{20,}', same: true },
  {
    name: 'instant',
    pattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)?',
  },
  { name: 'date', pattern: '\\d{4}-\\d\\d-\\d\\d' },
  { name: 'time', pattern: '(?<!\\d)\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?!\\d)' },
  {
    name: 'card',
    pattern: '(?<![0-9A-Za-z])(?=[0-9A-F]*[A-F])(?:[0-9A-F]{14}|[0-9A-F]{8})(?![0-9A-Za-z])',
    same: true,
  },
  { name: 'code', pattern: '(?<![0-9A-Za-z.])\\d{8}(?![0-9A-Za-z])', same: true },
  { name: 'duration', pattern: '(?<![0-9A-Za-z.])\\d+(?:\\.\\d+)?(?= (?:ms|s|seconds?)\\b)' },
  { name: 'version', pattern: '(?<![0-9A-Za-z.])\\d+\\.\\d+\\.\\d+(?![0-9A-Za-z.]*\\.\\d)' },
  { name: 'digest', pattern: '(?<![0-9A-Za-z])(?=[a-z]*[0-9])[0-9a-f]{32,}(?![0-9A-Za-z])' },
] as const
const anyKind = new RegExp(kinds.map(({ name, pattern }) => `(?<${name}>${pattern})`).join('|'), 'g')

/** What was shown, by what it really was, of the kinds that have an identity. */
export type Identities = Map<string, string>

/**
 * Returns what is wrong with `actual` for a page that shows `shown`, or null when nothing is. What it learns of
 * identities is added to `known`.
 */
export function differenceOfJson(shown: string, actual: string, known: Identities): string | null {
  let value: unknown
  try {
    value = JSON.parse(actual)
  } catch {
    return 'what was printed is not JSON'
  }
  const learned = new Map(known)
  const wrong = differenceAt('', shownJson(shown), value, learned)
  if (wrong === null) for (const [one, other] of learned) known.set(one, other)
  return wrong
}

/** The same for text, in which a line `...` stands for any lines, and `...` in a line for any characters. */
export function differenceOfText(
  shown: string,
  actual: string,
  known: Identities,
  isPart = false,
): string | null {
  const learned = new Map(known)
  // A last line `...` may stand for no line at all.
  const text = `${actual.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n`
  if (!isSame(shown.trimEnd(), text, learned, isPart)) return 'other text was printed'
  for (const [one, other] of learned) known.set(one, other)
  return null
}

function differenceAt(path: string, shown: ShownValue, actual: unknown, known: Identities): string | null {
  if (shown === anything) return null
  const differs = `${path || 'the answer'} is ${shorten(actual)}`
  if (typeof shown === 'string')
    return typeof actual === 'string' && isSame(shown, actual, known)
      ? null
      : `${differs}, not ${JSON.stringify(shown)}`
  if (Array.isArray(shown))
    return Array.isArray(actual) ? differenceOfArrays(path, shown, actual, known) : `${differs}, not an array`
  if (shown === null || typeof shown !== 'object') return shown === actual ? null : `${differs}, not ${shown}`
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual))
    return `${differs}, not an object`
  const members = actual as Record<string, unknown>
  for (const [name, value] of shown.members) {
    if (!Object.hasOwn(members, name)) return `${path}/${name} is not there`
    const wrong = differenceAt(`${path}/${name}`, value, members[name], known)
    if (wrong !== null) return wrong
  }
  const hidden = Object.keys(members).filter((name) => !shown.members.has(name))
  return shown.isPart || hidden.length === 0 ? null : `${path || 'the answer'} also has ${hidden.join(', ')}`
}

/** Elements that are left out may be anywhere that `...` stands: what follows is looked for in the rest. */
function differenceOfArrays(
  path: string,
  shown: ShownValue[],
  actual: unknown[],
  known: Identities,
): string | null {
  const [first, ...others] = shown
  if (first === undefined)
    return actual.length === 0 ? null : `${path} has ${actual.length} more elements than shown`
  if (first !== anything) {
    if (actual.length === 0) return `${path} has fewer elements than shown`
    const [element, ...rest] = actual
    return differenceAt(`${path}/0`, first, element, known) ?? differenceOfArrays(path, others, rest, known)
  }
  let wrong: string | null = null
  for (let left = 0; left <= actual.length; left++) {
    const learned = new Map(known)
    wrong = differenceOfArrays(path, others, actual.slice(left), learned)
    if (wrong !== null) continue
    for (const [one, other] of learned) known.set(one, other)
    return null
  }
  return wrong
}

function isSame(shown: string, actual: string, known: Identities, isPart = false): boolean {
  const named: { name: string; shown: string }[] = []
  let pattern = ''
  let at = 0
  for (const match of shown.matchAll(anyKind)) {
    const kind = kinds.find(({ name }) => match.groups?.[name] !== undefined)!
    pattern += `${literal(shown.slice(at, match.index))}(${kind.pattern})`
    named.push({ name: 'same' in kind ? kind.name : '', shown: match[0] })
    at = match.index + match[0].length
  }
  pattern += literal(shown.slice(at))
  const found = new RegExp(isPart ? pattern : `^(?:${pattern})\n?$`).exec(actual)
  if (!found) return false
  return named.every(({ name, shown: one }, index) => {
    const other = found[index + 1]!
    if (name === '') return true
    if ((known.get(one) ?? other) !== other) return false
    known.set(one, other)
    return true
  })
}

/** The columns of a table may be wider than shown. */
function literal(text: string): string {
  return text
    .split(/(?:(?<=^|\n)[ \t]*\.\.\.[ \t]*(?:\n|$))/)
    .map((lines) =>
      lines
        .split('...')
        .map((part) => part.split(/ {2,}/).map(RegExp.escape).join(' +'))
        .join('[^\\n]*?'),
    )
    .join('(?:[^\\n]*(?:\\n|$))*?')
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
