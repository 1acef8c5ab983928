/** How the number of a booking is named in codes, the surest first. They are the beginnings of words. */
const sure = ['confirm', 'pnr', 'locator', 'localiza', 'book', 'reserv', 'buch']
const likely = ['number', 'nummer', 'num', 'ref', 'code', 'id']
/** What else has an id or a number. */
const others = ['date', 'datum', 'fecha', 'data', 'hotel', 'property', 'utm', 'room', 'guest', 'pin']

type Pair = readonly [name: string, value: string]

/**
 * Returns the number of the booking in what a guest has typed, or in what a scanner has typed from a QR code or a barcode: a link, JSON,
 * lines such as `Booking: NP-1002`, or the number alone. A text without such a number is returned as it is.
 */
export function numberIn(typed: string): string {
  // Some scanners send the kind of the code before its text, as ISO/IEC 15424 names it: `]Q1`.
  const text = typed.replace(/^\][A-Za-z]\d/, '').trim()
  const found = isLink(text) ? inLink(new URL(text)) : named(pairsIn(text), [...sure, ...likely])
  return found ?? alone(text.split(/;\s*/)) ?? text
}

/** Of several lines, the one that may be a number. */
const alone = (lines: readonly string[]) =>
  lines.length === 1
    ? undefined
    : lines.find((line) => /^[\p{L}\d/._-]+$/u.test(line) && hasDigit(line) && !isDay(line))

const isLink = (text: string) => /^[a-z][\w+.-]*:\/\//i.test(text) && URL.canParse(text)

const hasDigit = (text: string) => /\d/.test(text)

/** The words of a name without their accents. */
const wordsOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)

function named(pairs: readonly Pair[], starts: readonly string[]): string | null {
  const numbers = pairs
    .map(([name, value]) => ({ words: wordsOf(name), value }))
    .filter(({ words, value }) => hasDigit(value) && !isDay(value) && !words.some(begins(others)))
  for (const start of starts) {
    const found = numbers.find(({ words }) => words.some(begins([start])))
    if (found) return found.value
  }
  return null
}

const begins = (starts: readonly string[]) => (word: string) => starts.some((start) => word.startsWith(start))

const isDay = (value: string) => /^(\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4})/.test(value)

/** A parameter with a sure name goes before a part of the path, and the last part before those above it. */
function inLink({ searchParams, pathname, hash }: URL): string | null {
  const [place = '', query = ''] = hash.slice(1).split('?')
  const pairs = [...searchParams, ...new URLSearchParams(query || (place.includes('=') ? place : ''))]
  const parts = `${pathname}/${place.includes('=') ? '' : place}`.split('/').map(decoded)
  return (
    named(pairs, sure) ??
    parts.findLast((part) => hasDigit(part) && !/^v\d+$/.test(part)) ??
    named(pairs, likely) ??
    pairs.find(([, value]) => hasDigit(value))?.[1] ??
    null
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Pairs as JSON and as people write them. */
function pairsIn(text: string): Pair[] {
  const all = text.matchAll(/(\p{L}[\p{L} _.-]*)["']?\s*[:=#]\s*["']?([\p{L}\d][\p{L}\d/._-]*)/gu)
  return [...all].map(([, name = '', value = '']) => [name, value])
}
