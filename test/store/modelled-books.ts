import type { Filter, SortKey } from '../../src/resource/query.ts'
import fc from '../seed.ts'
import { noon } from './library.ts'

/** A book as a model keeps it: plain values, what it is related to standing inside it. */
export interface Modelled {
  id: string
  /** The order of creation. */
  place: number
  title: string
  pages: number | null
  price: number | null
  inPrint: boolean | null
  published: string
  opens: string | null
  addedAt: number | null
  binding: string | null
  cover: { colour?: string; weight?: number } | null
  prizes: { name: string; year: number }[]
  tags: string[]
  publisher: { name: string; city: string | null } | null
  authors: { name: string; born: number | null; publisher: { name: string; city: string | null } | null }[]
  loans: { reader: string | null; due: string | null; returned: boolean | null }[]
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

/** Texts that are hard to find rightly: case in several scripts, signs that mean something to LIKE or to a search index. */
const words = ['Müller', 'MÜLLER', 'ΟΔΟΣ', 'οδός', 'İzmir', 'a"b*c', '100%', '100_1', 'ab ab', '😀lol']
const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  fc.string({ maxLength: 5, unit: 'grapheme' }),
)
/** Some of the letters that stand together in such a text. */
const anyPart = fc.tuple(anyText, fc.nat(2), fc.integer({ min: 1, max: 7 })).map(([text, from, length]) =>
  Array.from(text)
    .slice(from, from + length)
    .join(''),
)
const storable = anyText.map((text) => text.normalize('NFC').replace(/[\p{Cc}\p{Cs}]/gu, ''))
const title = storable.map((text) => text || 'T')

/** The publishers that every library of the tests has, by their places. */
export const publishers = [
  { name: 'Aurora', city: 'Łódź' },
  { name: 'Borealis', city: null },
]
const publisher = maybe(fc.constantFrom(...publishers))

export const anyBook: fc.Arbitrary<Omit<Modelled, 'id' | 'place' | 'published'>> = fc.record({
  title,
  pages: maybe(fc.integer({ min: -2, max: 2 })),
  price: maybe(fc.constantFrom(0, 1.5, 1.25, -3, 20)),
  inPrint: maybe(fc.boolean()),
  opens: maybe(fc.constantFrom('08:00', '17:30')),
  addedAt: maybe(fc.constantFrom(noon, noon + 1, noon - 86_400_000)),
  binding: maybe(fc.constantFrom('Cloth', 'Paper')),
  cover: maybe(fc.record({ colour: storable, weight: fc.nat(2) }, { requiredKeys: [] })),
  prizes: fc.array(fc.record({ name: title, year: fc.nat(2) }), { maxLength: 2 }),
  tags: fc.array(title, { maxLength: 2 }),
  publisher,
  authors: fc.array(fc.record({ name: title, born: maybe(fc.nat(2)), publisher }), { maxLength: 2 }),
  loans: fc.array(
    fc.record({
      reader: maybe(title),
      due: maybe(fc.constantFrom('2026-06-01', '2026-07-01')),
      returned: maybe(fc.boolean()),
    }),
    { maxLength: 2 },
  ),
})

const texts = [
  'title',
  'cover.colour',
  'prizes.name',
  'tags',
  'authors.name',
  'publisher.name',
  'publisher.city',
  'authors.publisher.name',
  'loans.reader',
]
const numbers = ['pages', 'cover.weight', 'prizes.year', 'authors.born']
const flags = ['inPrint', 'loans.returned']
const days = ['published', 'loans.due']
const comparing = fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte')

const filterOn = (paths: string[], operator: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.record({ path: fc.constantFrom(...paths), operator, value }) as fc.Arbitrary<Filter>

/** Filters for one of several values, at most three of them, and some of them twice. */
const oneOfSeveral = (paths: string[], value: fc.Arbitrary<unknown>) =>
  filterOn(
    paths,
    fc.constant('in'),
    fc.array(value, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  )

export const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  oneOfSeveral(texts, title),
  oneOfSeveral(numbers, fc.integer({ min: -2, max: 2 })),
  oneOfSeveral(flags, fc.nat(1)),
  oneOfSeveral(days, fc.constantFrom('2026-06-02', '2026-06-05', '2026-06-15')),
  oneOfSeveral(['price'], fc.constantFrom(15_000, -30_000, 0)),
  oneOfSeveral(['binding'], fc.constantFrom('Cloth', 'Paper')),
  oneOfSeveral(['addedAt'], fc.constantFrom(noon, noon + 1)),
  filterOn(texts, comparing, title),
  { weight: 3, arbitrary: filterOn(texts, fc.constant('like'), anyPart) },
  { weight: 3, arbitrary: filterOn(['title', 'authors.name', 'prizes.name'], fc.constant('like'), anyPart) },
  filterOn(numbers, comparing, fc.integer({ min: -2, max: 2 })),
  filterOn(flags, comparing, fc.nat(1)),
  filterOn(days, comparing, fc.constantFrom('2026-06-02', '2026-06-05', '2026-06-15')),
  filterOn(['price'], comparing, fc.constantFrom(15_000, -30_000, 0)),
  filterOn(['binding'], comparing, fc.constantFrom('Cloth', 'Paper')),
  filterOn(['addedAt'], comparing, fc.constantFrom(noon, noon + 1)),
  filterOn(
    [...texts, ...numbers, ...flags, ...days, 'price', 'binding', 'addedAt'],
    fc.constantFrom('isnull', 'notnull'),
    fc.constant(null),
  ),
)

export const anySort: fc.Arbitrary<SortKey[]> = fc.array(
  fc.record({
    path: fc.constantFrom(
      'title',
      'pages',
      'price',
      'inPrint',
      'addedAt',
      'binding',
      'cover.weight',
      'cover.colour',
      'id',
    ),
    descending: fc.boolean(),
  }),
  { maxLength: 2 },
)

type Item = Record<string, unknown>

/** Whether a book passes all filters; those through one relationship are about one and the same related thing. */
export function passes(item: Item, filters: Filter[]): boolean {
  const groups = Map.groupBy(filters, ({ path }) => (path.includes('.') ? path.split('.')[0]! : ''))
  return [...groups].every(([name, group]) => {
    if (name === '')
      return [...Map.groupBy(group, ({ path }) => path)].every(([path, same]) =>
        passesHere(item[path], path, same),
      )
    const inner = group.map((filter) => ({ ...filter, path: filter.path.slice(name.length + 1) }))
    const there = item[name] as Item | Item[] | null
    if (name === 'cover') return passes((there as Item) ?? {}, inner)
    const related = [there ?? []].flat()
    const holdsOfNothing = inner.every(({ operator }) => operator === 'isnull')
    return (holdsOfNothing && related.length === 0) || related.some((each) => passes(each, inner))
  })
}

/** Filters of one list are about one and the same item of it. */
function passesHere(found: unknown, path: string, filters: Filter[]): boolean {
  if (!Array.isArray(found)) return filters.every((filter) => passesAlone(stored(path, found), filter))
  const holdsOfNothing = filters.every(({ operator }) => operator === 'isnull')
  return (
    (holdsOfNothing && found.length === 0) ||
    found.some((each) => filters.every((filter) => passesAlone(each, filter)))
  )
}

/** What a column holds of it. */
function stored(path: string, value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  if (path === 'price' && typeof value === 'number') return Math.round(value * 10_000)
  return value ?? null
}

function passesAlone(found: unknown, { operator, value }: Filter): boolean {
  if (operator === 'isnull') return found === null
  if (operator === 'notnull') return found !== null
  if (operator === 'ne') return found !== value
  if (operator === 'in') return (JSON.parse(String(value)) as unknown[]).includes(found)
  if (found === null) return false
  if (operator === 'like') return contains(String(found), String(value))
  const order = compared(found, value)
  return { eq: order === 0, lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[operator]
}

const fold = (text: string) => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function contains(text: string, part: string): boolean {
  const isAscii = /^[\x20-\x7e]*$/.test(part)
  return isAscii ? asciiLower(text).includes(asciiLower(part)) : fold(text).includes(fold(part))
}

/** NULL before everything, numbers by size, texts by their bytes. */
function compared(left: unknown, right: unknown): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return Number(left) - Number(right)
}

function keyOf(book: Modelled, path: string): unknown {
  if (path === 'id') return book.place
  const [name = '', member] = path.split('.')
  const value = (book as unknown as Item)[name]
  return stored(path, member ? ((value as Item | null)?.[member] ?? null) : value)
}

export const inOrder = (sort: SortKey[]) => (left: Modelled, right: Modelled) => {
  for (const { path, descending } of sort) {
    const order = compared(keyOf(left, path), keyOf(right, path))
    if (order !== 0) return descending ? -order : order
  }
  return left.place - right.place
}
