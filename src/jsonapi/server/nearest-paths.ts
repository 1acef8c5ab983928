import { editsBetween } from '../../resource/nearest.ts'
import type { Route } from '../route.ts'

/** A path of the appliance, as the OpenAPI document writes it, with its methods. */
export interface KnownPath {
  path: string
  methods: string[]
  segments: string[]
}

/** The paths that a request may have meant, the nearest first, and the lists of the ids in the first. */
export interface Nearest {
  paths: Pick<KnownPath, 'path' | 'methods'>[]
  lists: string[]
}

const mostShown = 3
/** A longer path is not compared, because each comparison takes time. */
const mostSegments = 12
const longestSegment = 60

/** What it costs to turn one path into another. A wrong letter costs 1. */
const costs = {
  segment: 2,
  /** A segment of the base, which many clients leave out. */
  base: 0.5,
  id: 0.25,
  wordAsId: 1.5,
  synonym: 0.5,
  containedWord: 1.5,
  sharedWord: 1.75,
  farthest: 3.5,
}

/** The words of hotels for the words of the interfaces. */
const synonyms: Record<string, string> = {
  rooms: 'units',
  'room-types': 'unit-types',
  guests: 'profiles',
  customers: 'profiles',
  bookings: 'reservations',
  encoders: 'controllers',
}

/**
 * Returns the nearest of the known paths for a path that the appliance does not have. The result depends on the form of
 * the path only, never on what is stored.
 */
export function nearestOf(known: readonly KnownPath[], path: string, method: string): Nearest {
  const segments = segmentsOf(path)
  const isLong = segments.length > mostSegments || segments.some(({ length }) => length > longestSegment)
  const spellings = new Map<string, number>()
  const found = (isLong ? [] : known)
    .filter((each) => hasWordOf(segments, each, spellings))
    .map((each) => ({ ...each, cost: distance(segments, each.segments, spellings) }))
    .filter(({ cost }) => cost <= costs.farthest)
    .toSorted((a, b) => a.cost - b.cost || allows(b, method) - allows(a, method))
  const [best] = found
  if (!best) return { paths: [], lists: [] }
  const near = found.filter(({ cost }) => cost <= best.cost + costs.id).slice(0, mostShown)
  return {
    paths: near.map(({ path, methods }) => ({ path, methods })),
    lists: idListsOf(known, best.path),
  }
}

/** Returns the paths of the routes, each with its methods. */
export function knownPaths(routes: readonly Route[]): KnownPath[] {
  const byForm = Map.groupBy(routes, ({ base, path }) => `${base}/${path}`.replace(/:\w+/g, '{}'))
  return [...byForm.values()].flatMap((all) => {
    const path = templateOf(all[0]!)
    const methods = [...new Set(all.map(({ method }) => method))]
    return path === '/' ? [] : [{ path, methods, segments: segmentsOf(path) }]
  })
}

/** Returns the path of a route as the OpenAPI document writes it: `/api/v2/units/{id}`. */
export function templateOf({ base, path }: Route): string {
  return `${base}/${path}`.replace(/:(\w+)/g, '{$1}')
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function allows({ methods }: KnownPath, method: string): number {
  return methods.includes(method) ? 1 : 0
}

/** Whether a segment of the request resembles a word of the path. */
function hasWordOf(segments: readonly string[], known: KnownPath, spellings: Map<string, number>): boolean {
  const words = known.segments.filter((each) => !each.startsWith('{') && costOf(each) === costs.segment)
  return words.some((word) => segments.some((segment) => between(segment, word, spellings) <= costs.segment))
}

/** The lowest cost of turning one path into the other: segments are left out, added, and spelt otherwise. */
function distance(from: readonly string[], to: readonly string[], spellings: Map<string, number>): number {
  let row = [0]
  for (const target of to) row.push(row.at(-1)! + costOf(target))
  for (const segment of from) {
    const next = [row[0]! + costOf(segment)]
    for (const [column, target] of to.entries()) {
      const spelt = row[column]! + between(segment, target, spellings)
      const added = next[column]! + costOf(target)
      next.push(Math.min(spelt, added, row[column + 1]! + costOf(segment)))
    }
    row = next
  }
  return row.at(-1)!
}

function costOf(segment: string): number {
  return /^(api|v\d+)$/.test(segment) ? costs.base : costs.segment
}

function between(segment: string, target: string, spellings: Map<string, number>): number {
  if (segment === target) return 0
  if (target.startsWith('{')) return /\d/.test(segment) ? costs.id : costs.wordAsId
  return spellings.getOrInsertComputed(`${segment}/${target}`, () => spelling(segment, target))
}

function spelling(segment: string, target: string): number {
  const [one, other] = [segment.toLowerCase().replaceAll('_', '-'), target.toLowerCase()]
  if (one === other || synonyms[one] === other) return costs.synonym
  const [some, others] = [new Set(one.split('-')), new Set(other.split('-'))]
  if (some.isSubsetOf(others) || others.isSubsetOf(some)) return costs.containedWord
  if (!some.isDisjointFrom(others)) return costs.sharedWord
  return Math.abs(one.length - other.length) > costs.farthest ? Infinity : editsBetween(one, other)
}

/**
 * Returns the lists of the ids in a path: `/api/v2/units` for `/api/v2/units/{id}`. A parameter that is no id, such as the
 * state of a dispenser, has none.
 */
export function idListsOf(known: readonly KnownPath[], path: string): string[] {
  const lists = known.filter(({ path, methods }) => methods.includes('GET') && !path.endsWith('}'))
  return [...path.matchAll(/\{(id|code|\w+Id)\}/g)].flatMap(({ index, 1: parameter = '' }) => {
    const prefix = path.slice(0, index - 1)
    const [parent = '', collection = ''] = prefix.split('/').slice(-2)
    const elsewhere = [`${parent}-${collection}`, `${parent}-${parameter.replace(/Id$/, '')}s`, collection]
    const paths = [prefix, ...elsewhere.flatMap((name) => [`/api/v2/${name}`, `/api/config/v1/${name}`])]
    return paths.find((each) => lists.some((list) => list.path === each)) ?? []
  })
}
