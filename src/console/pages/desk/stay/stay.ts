import { timeText } from '../../lib/language/format.ts'
import { ApiError, getList, getOne, type Resource, send, sendMaybe, sendOne } from '../../lib/server/api.ts'
import type { Key, Profile, Stay, Unit } from '../../lib/server/resources.ts'
import { nameInList } from '../../lib/server/resources.ts'
import { now, today } from '../../lib/server/session.ts'
import { writeOver } from './write-over.ts'

/** A stay with its guests and rooms. */
export interface ShownStay {
  stay: Resource<Stay>
  included: Resource[]
}

export const pathOf = ({ id, attributes }: Resource<Stay>) =>
  `/api/v2/reservations/${attributes.reservationId}/stays/${id}`

/** Reads a stay with its guests and rooms. */
export async function readStay(id: string, signal?: AbortSignal): Promise<ShownStay> {
  const path = `/api/v2/stays/${id}?include=profiles,units`
  const { data, included = [] } = await getOne<Stay>(path, signal ? { signal } : {})
  return { stay: data, included }
}

/** Reads the keys of a stay, the newest first. */
export async function readKeys(stayId: string, signal?: AbortSignal): Promise<Resource<Key>[]> {
  const path = `/api/v2/access/keys?filter[stayId]=${stayId}&sort=-createdAt&page[size]=100`
  return (await getList<Key>(path, signal ? { signal } : {})).data
}

/** Some fields of a stay in the body of a change. A guest without a profile is named. */
export type StayChange = Partial<Omit<Stay, 'personCount' | 'profiles'>> & {
  personCount?: Omit<Stay['personCount'], 'total'>
  profiles?: readonly (
    | { id: string; role: string; name?: string }
    | { role: string; lastName: string; firstName: string }
  )[]
}

/** Writes some fields of a shown stay, as `writeOver` does. Throws ChangedMeanwhile and ApiError. */
export function writeStay(shown: Resource<Stay>, change: StayChange): Promise<void> {
  return writeOver<Stay>(shown, Object.keys(change) as (keyof Stay)[], {
    write: (over) => patch(over, change),
    read: async () => {
      const { stay, included } = await readStay(shown.id)
      return {
        ...stay,
        attributes: { ...stay.attributes, profiles: withNames(stay.attributes.profiles, included) },
      }
    },
    textOf,
  })
}

/** Returns profiles of a stay with their names, by which a person compares them. */
export function withNames<P extends object>(
  profiles: readonly P[],
  included: readonly Resource[],
): (P & { name?: string })[] {
  return profiles.map((each) => {
    const found = included.find(({ id, type }) => type === 'profile' && 'id' in each && id === each.id)
    return found ? { ...each, name: nameInList(found as Resource<Profile>) } : each
  })
}

/** Returns the stay as a change would make it, by the rules of the box, such as its price or its fee. Stores nothing. Throws ApiError. */
export async function stayWith(
  shown: Resource<Stay>,
  change: Partial<Stay>,
  signal: AbortSignal,
): Promise<Stay> {
  const { data } = await sendMaybe<Stay>('PATCH', trialOf(shown), { body: bodyOf(shown, change), signal })
  // Without a stay in the answer, the box would set nothing besides the change.
  return { ...shown.attributes, ...change, ...data?.attributes }
}

/** Returns the comment of a stay with one more line. */
export function noted({ attributes: { comment } }: Resource<Stay>, line: string): Pick<Stay, 'comment'> {
  return { comment: comment ? `${comment}\n${line}` : line }
}

/** Returns why the box would refuse a change of a stay as it is now; null when it would not. Stores nothing. */
export async function refusalOf(shown: Resource<Stay>, change: Partial<Stay>): Promise<ApiError | null> {
  try {
    await send('PATCH', trialOf(shown), { body: bodyOf(shown, change) })
    return null
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return error
    throw error
  }
}

/** Changes a stay, if it has not changed since it was read. */
async function patch(shown: Resource<Stay>, change: StayChange): Promise<void> {
  await send('PATCH', pathOf(shown), {
    ifMatch: `"${shown.attributes.revision}"`,
    body: bodyOf(shown, change),
  })
}

const trialOf = (shown: Resource<Stay>) => `${pathOf(shown)}?dryRun=true`
const bodyOf = ({ id }: Resource<Stay>, attributes: StayChange) => ({
  data: { type: 'stay', id, attributes },
})

/** Returns a field as a text, to compare values. The flag that a unit has a key is ignored, and the names of profiles. */
function textOf(name: keyof Stay, { attributes }: Resource<Stay>): string {
  if (name === 'profiles') return JSON.stringify(attributes.profiles.map(({ id, role }) => [id, role]))
  if (name !== 'units') return JSON.stringify(attributes[name])
  return JSON.stringify(attributes.units.map(({ unitId, unitTypeId }) => [unitId, unitTypeId]))
}

export const hasRoom = ({ attributes: { units } }: Resource<Stay>) => units.every(({ unitId }) => unitId)

/** Returns the names of the rooms of a stay. */
export const roomNames = ({ attributes: { units } }: Resource<Stay>): string[] =>
  units.flatMap(({ unitName }) => unitName ?? [])

/** The same as one text; an empty one without any. */
export const roomsOf = (stay: Resource<Stay>): string => roomNames(stay).join(', ')

/** Returns the persons who sleep in the house for a stay, and not who booked or pays. */
export function guestsOf({ stay, included }: ShownStay): Resource<Profile>[] {
  return stay.attributes.profiles.flatMap(({ id, role }) =>
    role === 'PrimaryGuest' || role === 'AdditionalGuest'
      ? included.filter((each): each is Resource<Profile> => each.type === 'profile' && each.id === id)
      : [],
  )
}

/** Returns the rooms of a stay in `included`, with their status. */
export function unitsOf(stay: Resource<Stay>, included: readonly Resource[]): Resource<Unit>[] {
  const ids = stay.attributes.units.map(({ unitId }) => unitId)
  return included.filter((each): each is Resource<Unit> => each.type === 'unit' && ids.includes(each.id))
}

/** Assigns a room to the stay by the assignment rules. Throws ApiError. */
export async function assignRoom(stay: Resource<Stay>): Promise<Resource<Stay>> {
  const { data } = await sendOne<Stay>('POST', `${pathOf(stay)}/unit-assignment`)
  return data
}

/** Assigns the chosen room to the stay, or the room that the box chooses. A stay with all its rooms is not changed. */
export async function withRoom(shown: ShownStay, unitId: string): Promise<ShownStay> {
  if (hasRoom(shown.stay)) return shown
  if (unitId === '') return { ...shown, stay: await assignRoom(shown.stay) }
  await writeStay(shown.stay, { units: unitsWith(shown.stay, null, unitId) })
  const now = await readStay(shown.stay.id)
  return hasRoom(now.stay) ? now : { ...now, stay: await assignRoom(now.stay) }
}

/** Returns the rooms of a stay with another one in the place of one of them, or in the first place without a room. */
export function unitsWith({ attributes: { units } }: Resource<Stay>, instead: string | null, unitId: string) {
  const place = units.findIndex((each) => each.unitId === instead)
  return units.map((each, index) => (index === place ? { ...each, unitId, unitName: null } : each))
}

/** Returns the window in an order of a key. On the day of arrival before check-in time, the key opens at once. */
export function windowOf({ id, attributes }: Resource<Stay>) {
  const { startDate, startTime, endDate, endTime, plannedStartsAt, externalId } = attributes
  const isEarly = startDate === today.value && now() < Date.parse(plannedStartsAt)
  const from = isEarly ? timeText(now()) : startTime
  return {
    startDate,
    ...(from !== null && { startTime: from }),
    endDate,
    ...(endTime !== null && { endTime }),
    externalId: externalId ?? id,
  }
}
