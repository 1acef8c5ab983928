import type { Route } from '../../../src/jsonapi/route.ts'
import fc from '../../seed.ts'
import { bodyFor, Garbage, strange } from './bodies.ts'
import type { Fact } from './known-ids.ts'

export interface FuzzRequest {
  /** With query. */
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Requests for a route: ids that are there and ids that are not, good bodies made strange, any query and headers. */
export function requestFor(route: Route, facts: readonly Fact[]): fc.Arbitrary<FuzzRequest> {
  const anyId = fc.nat().map((index) => facts[index % facts.length]!.id!)
  const request = fc.record({
    path: pathFor(route, facts, anyId),
    // Few writes have anything to say there, and a word too many ends most of them.
    search: fc.oneof(
      { weight: route.method === 'GET' ? 0 : 5, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 1, arbitrary: fc.array(parameter(anyId), { maxLength: 2 }) },
    ),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyHeaders }),
    body:
      route.method === 'GET'
        ? fc.constant(undefined)
        : fc.option(bodyFor(route, anyId), { nil: undefined, freq: 12 }),
  })
  return request.map(({ path, search, headers, body }) => {
    const query = new URLSearchParams(
      search.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
    )
    const text = body instanceof Garbage ? body.text : body === undefined ? undefined : JSON.stringify(body)
    return { path: search.length > 0 ? `${path}?${query}` : path, headers, body: text }
  })
}

const names = [
  'id',
  'name',
  'code',
  'status',
  'startDate',
  'stays',
  'stays.status',
  'profile.lastName',
  'units',
  'amount',
  'createdAt',
  'revision',
  'unitType',
  'amenities',
  'address.city',
  'connection',
  'credentials',
  'providerId',
  'quantity',
  'endDate',
  'unitTypeId',
  'voided',
  'brand',
  'brandText',
  'outstanding',
  '__proto__',
  'x',
]
const anyName = fc.constantFrom(...names)
const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'like', 'isnull', 'notnull', 'regex']
const anyText = (anyId: fc.Arbitrary<string>) =>
  fc.oneof(
    strange.map((each) => JSON.stringify(each)),
    anyId,
    fc.constantFrom('2026-06-01', '1', 'true', 'é%_'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
/** One query parameter, name and value. */
function parameter(anyId: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> {
  const text = anyText(anyId)
  return fc.oneof(
    fc
      .tuple(anyName, fc.constantFrom(...operators), text)
      .map(([name, operator, value]) => [`filter[${name}][${operator}]`, value]),
    fc.tuple(fc.constantFrom('', '-'), anyName).map(([sign, name]) => ['sort', sign + name]),
    fc
      .tuple(fc.constantFrom('size', 'after', 'before', 'number'), fc.oneof(text, fc.integer().map(String)))
      .map(([name, value]) => [`page[${name}]`, value]),
    fc
      .constantFrom('stays', 'stays.profiles', 'unitType', 'stays.units', 'amenities', 'x')
      .map((name) => ['include', name]),
    fc
      .tuple(fc.constantFrom('unit', 'stay', 'reservation', 'x'), anyName)
      .map(([type, name]) => [`fields[${type}]`, name]),
    fc
      .constantFrom('dryRun', 'timeoutMs', 'startDate', 'endDate')
      .chain((name) => text.map((value) => [name, value])),
    fc.tuple(text, text),
  ) as fc.Arbitrary<[string, string]>
}

const anyHeaders = fc.record(
  {
    'If-Match': fc.constantFrom('"1"', '*', 'W/"1"', '1', '"x"'),
    'If-None-Match': fc.constantFrom('"1"', '*'),
    'Idempotency-Key': fc.constantFrom('a', 'b', 'c', ' ', 'x'.repeat(200)),
    'X-Request-Id': fc.constantFrom('a', '@'),
    'X-Tenant-ID': fc.constantFrom('demo', 'other'),
    'Content-Type': fc.constantFrom('application/vnd.api+json', 'application/json', 'text/plain', ''),
    Accept: fc.constantFrom('*/*', 'text/html', 'application/vnd.api+json'),
  },
  { requiredKeys: [] },
)

/** Words that paths of this appliance hold, besides ids. */
const words = [
  'active',
  'inactive',
  'accepting',
  'maintenance',
  'initialize',
  'encoder',
  'front',
  'hold',
  'capture',
  'stacker',
  'SGL',
  'sync',
  '..',
  '%00',
  'é',
]
const anyPart = (anyId: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 5, arbitrary: anyId },
    { weight: 2, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
  )

/** The path with its parameters filled in, mostly by ids of what it is about. */
function pathFor(
  { base, path }: Route,
  facts: readonly Fact[],
  anyId: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const [collection = ''] = path.split('/:')
  const fit = facts.filter((each) =>
    names.every((name) => name in each && (name !== 'id' || each.collection === collection)),
  )
  const others = fc.array(anyPart(anyId), { minLength: names.length, maxLength: names.length })
  const fitting = fc.nat().map((index) => names.map((name) => fit[index % fit.length]?.[name] ?? 'x'))
  return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: others }).map((parts) => {
    const given = parts.map((part) => (part.startsWith('%') ? part : encodeURIComponent(part.toWellFormed())))
    return `${base}/${path.replace(/:\w+/g, () => given.shift() ?? '')}`
  })
}
