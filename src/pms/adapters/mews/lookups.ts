import type { MewsCall, MewsClient } from './client.ts'
import type { MewsAgeCategory, MewsAssignment, MewsCategory, MewsResource } from './records.ts'

/** The Mews objects that reservations name by ids. */
export interface Lookups {
  /** The rooms of the service. */
  rooms: readonly MewsResource[]
  unitName(resourceId: string): string | null
  resourceId(unitName: string): string | null
  unitTypeCode(categoryId: string): string | null
  categoryId(unitTypeCode: string): string | null
  /** Null for an unknown age category. */
  isAdult(ageCategoryId: string): boolean | null
  /** The first age category of adults or of children. */
  ageCategoryId(isAdult: boolean): string | null
}

interface LookupOptions {
  client: MewsClient
  /** The bookable service of the property. */
  serviceId: string
  /** Unit type codes by category id, where the code differs from the category's own identifier. */
  unitTypes: Readonly<Record<string, string>>
  now(): number
}

/** How long the cache is valid; a renamed room is known by its new name after this time. */
const holdMs = 600_000
/** How long the cache is valid for a caller that misses an id. */
const shortHoldMs = 60_000

export interface LookupSource {
  /** The objects, ten minutes old at most. */
  cached(call: MewsCall): Promise<Lookups>
  /** The objects, one minute old at most: for a caller with an unknown id. */
  refreshed(call: MewsCall): Promise<Lookups>
  /** The next caller fetches them: something of them has changed. */
  forget(): void
}

/** Fetches the lookups of a property, and caches them. */
export function lookupsOf({ client, serviceId, unitTypes, now }: LookupOptions): LookupSource {
  let kept: { at: number; lookups: Promise<Lookups> } | null = null

  async function fetched(call: MewsCall): Promise<Lookups> {
    const service = { ServiceIds: [serviceId] }
    const resources = await client.all<MewsResource>(
      'resources/getAll',
      'Resources',
      { Extent: { Resources: true } },
      call,
    )
    const categories = await client.all<MewsCategory>(
      'resourceCategories/getAll',
      'ResourceCategories',
      service,
      call,
    )
    const ages = await client.all<MewsAgeCategory>('ageCategories/getAll', 'AgeCategories', service, call)
    const assignments = await client.all<MewsAssignment>(
      'resourceCategoryAssignments/getAll',
      'ResourceCategoryAssignments',
      { ResourceCategoryIds: categories.map(({ Id }) => Id) },
      call,
    )
    return lookups({ resources, categories, ages, assignments, unitTypes })
  }

  /** Concurrent callers share one request; a failure is not cached. */
  async function noOlderThan(longestMs: number, call: MewsCall): Promise<Lookups> {
    const age = kept ? now() - kept.at : longestMs
    if (kept && age >= 0 && age < longestMs) return kept.lookups
    const mine = { at: now(), lookups: fetched(call) }
    kept = mine
    try {
      return await mine.lookups
    } catch (error) {
      if (kept === mine) kept = null
      throw error
    }
  }

  return {
    cached: (call) => noOlderThan(holdMs, call),
    refreshed: (call) => noOlderThan(shortHoldMs, call),
    forget() {
      kept = null
    },
  }
}

interface Fetched {
  resources: MewsResource[]
  categories: MewsCategory[]
  ages: MewsAgeCategory[]
  assignments: MewsAssignment[]
  unitTypes: Readonly<Record<string, string>>
}

/** Rooms of other services are left out. */
function lookups({ resources, categories, ages, assignments, unitTypes }: Fetched): Lookups {
  const ours = new Set(assignments.map(({ ResourceId }) => ResourceId))
  const rooms = resources.filter(({ Id }) => ours.has(Id))
  const names = new Map(rooms.map(({ Id, Name }) => [Id, Name]))
  const ids = new Map(rooms.map(({ Id, Name }) => [Name, Id]))
  const codes = new Map(categories.map((each) => [each.Id, unitTypes[each.Id] ?? codeOf(each)]))
  const adults = new Map(ages.map(({ Id, Classification }) => [Id, Classification === 'Adult']))
  const categoryIds = new Map([...codes].map(([id, code]) => [code, id]))
  return {
    rooms,
    unitName: (resourceId) => names.get(resourceId) ?? null,
    resourceId: (unitName) => ids.get(unitName) ?? null,
    unitTypeCode: (categoryId) => codes.get(categoryId) ?? null,
    categoryId: (unitTypeCode) => categoryIds.get(unitTypeCode) ?? null,
    isAdult: (ageCategoryId) => adults.get(ageCategoryId) ?? null,
    ageCategoryId: (isAdult) => ages.find(({ Id }) => adults.get(Id) === isAdult)?.Id ?? null,
  }
}

function codeOf({ ExternalIdentifier, ShortNames }: MewsCategory): string | null {
  return ExternalIdentifier || Object.values(ShortNames ?? {})[0] || null
}
