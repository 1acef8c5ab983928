import { ApiError, getAll, getOne, type Resource } from '../../lib/server/api.ts'
import { guestOf, type Profile, type Stay, spokenName } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'

/** What a kiosk reports of a guest: its codes for what stopped the guest, and at which step. */
interface Report {
  failure: string | null
  step: string | null
  language: string | null
  createdAt: string
}

export interface HandOver extends Report {
  code: string
  stayId: string
}

export interface HelpCall extends Report {
  kioskName: string | null
  stayId: string | null
  takenAt: string | null
}

/** The guests whom a kiosk could not help. */
export interface Waiting {
  /** The calls that no person has taken. */
  calls: Resource<HelpCall>[]
  /** The stays with a code. */
  handOvers: Resource<HandOver>[]
  /** Guest and room, by the id of the stay. */
  guests: ReadonlyMap<string, string>
}

const mostShown = 20

/** Reads who waits now, the newest first: what has ended is not among them. */
export async function readWaiting(signal: AbortSignal): Promise<Waiting> {
  const all = async <A>(path: string) =>
    (await getAll<A>(`/api/v2/${path}?sort=-createdAt&page[size]=${mostShown}`, mostShown, signal)).data
  const [calls, handOvers] = await Promise.all([all<HelpCall>('help-calls'), all<HandOver>('hand-overs')])
  const open = calls.filter(({ attributes }) => attributes.takenAt === null)
  const stayIds = [...open, ...handOvers].flatMap(({ attributes: { stayId } }) => stayId ?? [])
  return { calls: open, handOvers, guests: await readGuests([...new Set(stayIds)], signal) }
}

/** A guest whose stay cannot be read waits without a name. */
async function readGuests(ids: readonly string[], signal: AbortSignal): Promise<Waiting['guests']> {
  if (!may('reservations.read')) return new Map()
  const one = async (id: string): Promise<[string, string][]> => {
    try {
      const { data, included = [] } = await getOne<Stay>(`/api/v2/stays/${id}?include=profiles`, { signal })
      return [[id, described(data, guestOf(data, included))]]
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ApiError) return []
      throw error
    }
  }
  return new Map((await Promise.all(ids.map(one))).flat())
}

/** `Lucia Garcia, 214`. */
function described(stay: Resource<Stay>, guest: Resource<Profile> | null): string {
  const rooms = stay.attributes.units.map(({ unitName }) => unitName)
  return [spokenName(guest), ...rooms].filter(Boolean).join(', ')
}
