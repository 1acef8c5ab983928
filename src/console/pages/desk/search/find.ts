import { ApiError, get, type Resource } from '../../lib/api.ts'
import { guestOf, nameInList, type Stay } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { nameVariants } from './name-variants.ts'

/** How a stay was found. A stay that was found in several ways is listed in the first of them. */
export const kinds = ['code', 'number', 'room', 'guest'] as const
export type Kind = (typeof kinds)[number]

/** The results in the order of their kinds, and the last failure of a kind that did not answer. */
export interface Found {
  stays: { stay: Resource<Stay>; kind: Kind }[]
  included: Resource[]
  failed: ApiError | null
}

const most = 8

/**
 * Searches stays by number, by name, by room and by the code of a kiosk in parallel. If one kind fails, the others
 * still give results. Within a kind, stays in house or expected come before ended ones, newest first.
 */
export async function find(text: string, signal: AbortSignal): Promise<Found> {
  const words = text.trim()
  const escaped = encodeURIComponent
  const number = escaped(words.replace(/\s/g, '').toUpperCase())
  const searches: [Kind, ReturnType<typeof staysLike>][] = [
    ['number', staysLike(`filter[reservationIds.searchForm][like]=${number}`, signal)],
    ...nameVariants(words).map((name): [Kind, ReturnType<typeof staysLike>] => [
      'guest',
      staysLike(`filter[profile.normalizedName][like]=${escaped(name)}`, signal),
    ]),
  ]
  if (/^[\w.-]{1,8}$/.test(words))
    searches.push(['room', staysLike(`filter[units.unitName]=${escaped(words)}`, signal)])
  if (/^\d{4}$/.test(words) && may('hand-overs.read')) searches.push(['code', handedOver(words, signal)])
  const answers = await Promise.allSettled(searches.map(([, answer]) => answer))
  signal.throwIfAborted()
  const found = new Map<string, { stay: Resource<Stay>; kind: Kind }>()
  const included: Resource[] = []
  let failed: ApiError | null = null
  for (const kind of kinds)
    for (const [index, answer] of answers.entries()) {
      if (searches[index]?.[0] !== kind) continue
      if (answer.status === 'rejected') {
        if (!(answer.reason instanceof ApiError)) throw answer.reason
        failed = answer.reason
        continue
      }
      for (const stay of answer.value.data) if (!found.has(stay.id)) found.set(stay.id, { stay, kind })
      included.push(...(answer.value.included ?? []))
    }
  return { stays: kinds.flatMap((kind) => ofKind(kind, [...found.values()])), included, failed }
}

function ofKind(kind: Kind, all: Found['stays']): Found['stays'] {
  const own = all.filter((each) => each.kind === kind)
  own.sort(
    ({ stay: one }, { stay: other }) =>
      rank(one) - rank(other) || other.attributes.startDate.localeCompare(one.attributes.startDate),
  )
  return own.slice(0, most)
}

const staysLike = (filter: string, signal: AbortSignal) =>
  get<Resource<Stay>[]>(`/api/v2/stays?${filter}&sort=-startDate&include=profiles&page[size]=${most}`, {
    signal,
  })

/** The stay that a kiosk has handed over with this code of four digits. */
async function handedOver(code: string, signal: AbortSignal): ReturnType<typeof staysLike> {
  const path = `/api/v2/hand-overs?filter[code]=${code}`
  const [found] = (await get<Resource<{ stayId: string }>[]>(path, { signal })).data
  if (!found) return { data: [], etag: null }
  return staysLike(`filter[id]=${found.attributes.stayId}`, signal)
}

const order = ['InHouse', 'Confirmed', 'Tentative', 'Waitlisted']
function rank({ attributes: { status } }: Resource<Stay>): number {
  const found = order.indexOf(status)
  return found < 0 ? order.length : found
}

export const nameIn = (stay: Resource<Stay>, included: readonly Resource[]) =>
  nameInList(guestOf(stay, included))
