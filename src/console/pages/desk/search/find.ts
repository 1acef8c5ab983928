import { ApiError, get, type Resource } from '../../lib/api.ts'
import { guestOf, nameInList, type Stay } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'

/** What was found, and which kinds of search did not answer. */
export interface Found {
  stays: Resource<Stay>[]
  included: Resource[]
  failed: ApiError | null
}

const most = 8

/** Letters without accents, in lower case, as names are searched. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Finds stays by number, by name, by room and by the code of a kiosk at once. A kind that does not answer leaves the others. The newest come first, those
 * in house or expected before those that are over.
 */
export async function find(text: string, signal: AbortSignal): Promise<Found> {
  const words = text.trim()
  const escaped = encodeURIComponent
  const filters = [
    `filter[reservationIds.searchForm][like]=${escaped(words.replace(/\s/g, '').toUpperCase())}`,
    `filter[profile.normalizedName][like]=${escaped(plain(words))}`,
    ...(/^[\w.-]{1,8}$/.test(words) ? [`filter[units.unitName]=${escaped(words)}`] : []),
  ]
  const answers = await Promise.allSettled([
    ...filters.map((each) => staysLike(each, signal)),
    ...(/^\d{4}$/.test(words) && may('hand-overs.read') ? [handedOver(words, signal)] : []),
  ])
  signal.throwIfAborted()
  const stays = new Map<string, Resource<Stay>>()
  const included: Resource[] = []
  let failed: ApiError | null = null
  for (const answer of answers) {
    if (answer.status === 'rejected') {
      if (!(answer.reason instanceof ApiError)) throw answer.reason
      failed = answer.reason
    } else {
      for (const each of answer.value.data) stays.set(each.id, each)
      included.push(...(answer.value.included ?? []))
    }
  }
  const sorted = [...stays.values()].sort(
    (one, other) =>
      rank(one) - rank(other) || other.attributes.startDate.localeCompare(one.attributes.startDate),
  )
  return { stays: sorted.slice(0, most), included, failed }
}

const staysLike = (filter: string, signal: AbortSignal) =>
  get<Resource<Stay>[]>(`/api/v2/stays?${filter}&sort=-startDate&include=profiles&page[size]=${most}`, {
    signal,
  })

/** The stay that a kiosk has handed over with this code of four digits. */
async function handedOver(code: string, signal: AbortSignal) {
  const path = `/api/v2/hand-overs?filter[code]=${code}`
  const [found] = (await get<Resource<{ stayId: string }>[]>(path, { signal })).data
  if (!found) return { data: [], included: [] }
  return staysLike(`filter[id]=${found.attributes.stayId}`, signal)
}

const order = ['InHouse', 'Confirmed', 'Tentative', 'Waitlisted']
function rank({ attributes: { status } }: Resource<Stay>): number {
  const found = order.indexOf(status)
  return found < 0 ? order.length : found
}

export const nameIn = (stay: Resource<Stay>, included: readonly Resource[]) =>
  nameInList(guestOf(stay, included))
