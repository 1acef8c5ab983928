import { type Answered, get, type Resource, send } from '../lib/api.ts'
import type { Profile, Stay } from '../lib/resources.ts'

// Every request of the kiosk, each as a kiosk of another maker would send it. The role `kiosk` may send all of them.

export interface StayOfGuest extends Stay {
  id: string
}

/** A stay that a search has found, and the profile of its guest. */
export interface Found {
  stay: StayOfGuest
  guest: Resource<GuestProfile> | null
}

export interface GuestProfile extends Profile {
  emails: { address: string; type: string; primary: boolean }[] | null
  phoneNumbers: { number: string; type: string }[] | null
}

type Reservations = Resource<{ stays: StayOfGuest[] }>[]

/** Finds stays by a number of their booking. Spaces and small letters make no difference. */
export async function findByNumber(typed: string, signal: AbortSignal): Promise<Found[]> {
  const number = typed.replace(/\s/g, '').toUpperCase()
  return found(await search(`filter[reservationIds.searchForm]=${encodeURIComponent(number)}`, signal))
}

/** Finds stays by the last name of a guest and the day of arrival. Accents and small letters make no difference. */
export async function findByName(name: string, arrival: string, signal: AbortSignal): Promise<Found[]> {
  const isLike = `filter[profile.normalizedName][like]=${encodeURIComponent(name)}`
  const all = found(await search(`${isLike}&filter[arrival]=${arrival}`, signal))
  return all.filter(({ stay }) => stay.startDate === arrival)
}

function search(filter: string, signal: AbortSignal): Promise<Answered<Reservations>> {
  return get<Reservations>(`/api/v2/reservations?${filter}&include=stays.profiles`, { signal })
}

function found({ data, included = [] }: Answered<Reservations>): Found[] {
  const profiles = included.filter((each): each is Resource<GuestProfile> => each.type === 'profile')
  return data
    .flatMap(({ attributes }) => attributes.stays)
    .map((stay) => {
      const first = stay.profiles.find(({ role }) => role === 'PrimaryGuest') ?? stay.profiles[0]
      return { stay, guest: profiles.find(({ id }) => id === first?.id) ?? null }
    })
}

const pathOf = ({ reservationId, id }: Pick<StayOfGuest, 'id' | 'reservationId'>) =>
  `/api/v2/reservations/${reservationId}/stays/${id}`

export async function readStay(stay: Pick<StayOfGuest, 'id' | 'reservationId'>, signal: AbortSignal) {
  const { data, etag } = await get<Resource<Stay>>(pathOf(stay), { signal })
  return { stay: { ...data.attributes, id: data.id } as StayOfGuest, etag }
}

/** Gives the stay a room that is clean and free until its end. A stay with a room keeps it. */
export async function assignRoom(stay: StayOfGuest, signal: AbortSignal): Promise<StayOfGuest> {
  const { data } = await send<Resource<Stay>>('POST', `${pathOf(stay)}/unit-assignment`, { signal })
  return { ...data.attributes, id: data.id }
}

/** Says that the guest has arrived. Refused with 412 when somebody changed the stay since it was read. */
export async function checkIn(stay: StayOfGuest, signal: AbortSignal): Promise<void> {
  const { stay: latest, etag } = await readStay(stay, signal)
  if (latest.status === 'InHouse') return
  const { id, ...attributes } = latest
  await send('PUT', pathOf(stay), {
    body: { data: { type: 'stay', id, attributes: { ...attributes, status: 'InHouse' } } },
    ifMatch: etag,
    signal,
  })
}

/** The guest may take as long at the terminal as the house allows: five minutes at most. */
const paymentTimeoutMs = 330_000

/** Has the guest pay what is outstanding. Answers when the box has recorded it. The same key never charges twice. */
export async function payAtTerminal(
  { id }: StayOfGuest,
  how: { terminalId: string; language: string; idempotencyKey: string },
  signal: AbortSignal,
): Promise<void> {
  const { terminalId, language, idempotencyKey } = how
  await send('POST', `/api/v2/stays/${id}/actions/pay-at-terminal`, {
    body: { terminalId, language },
    idempotencyKey,
    signal,
    timeoutMs: paymentTimeoutMs,
  })
}

/** Adds to the guest's profile what was missing. */
export async function completeProfile(
  profileId: string,
  more: Partial<Pick<GuestProfile, 'emails' | 'phoneNumbers'>>,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v2/profiles/${profileId}`
  const { data, etag } = await get<Resource<GuestProfile>>(path, { signal })
  const attributes = { ...data.attributes, ...more }
  await send('PUT', path, {
    body: { data: { type: 'profile', id: profileId, attributes } },
    ifMatch: etag,
    signal,
  })
}

/** A card that is wished for: the body of the request, and the key that makes a repetition harmless. */
export interface Wish {
  controllerId: string
  /** The same key asks for the same card. A new key is a new card. */
  idempotencyKey: string
  order: {
    type: string
    unitName: string
    /** False for another card beside those that open already. */
    original: boolean
    startDate: string
    startTime?: string
    endDate: string
    endTime?: string
    externalId: string
  }
}

export interface Key {
  unitName: string
  validFrom: string
  validUntil: string
}

/** The box answers within 18 s. */
const cardTimeoutMs = 30_000

/** Makes a card. Answers when the card was written, read back and compared. */
export async function makeCard(wish: Wish, signal: AbortSignal): Promise<Resource<Key>> {
  const { controllerId, idempotencyKey, order } = wish
  const path = `/api/v2/access/controllers/${controllerId}/key`
  const { data } = await send<Resource<Key>>('POST', path, {
    body: order,
    idempotencyKey,
    signal,
    timeoutMs: cardTimeoutMs,
  })
  return data
}

/** Makes the key of the stay as it is wished for, whatever became of the last card: the box looks before it makes another. */
export async function reconcileCard(
  { controllerId, order }: Wish,
  signal: AbortSignal,
): Promise<Resource<Key>> {
  const path = `/api/v2/access/controllers/${controllerId}/keys/by-reservation/${encodeURIComponent(order.externalId)}`
  const { data } = await send<Resource<Key>>('PUT', path, { body: order, signal, timeoutMs: cardTimeoutMs })
  return data
}

export interface CardRun {
  step: 'asked' | 'writing' | 'verified' | 'presented' | 'recalled' | 'ended'
  ending: 'taken' | 'handed' | 'captured' | 'left' | 'failed' | 'unknown' | null
}

/** What happened to the last card of a key. */
export async function readCardRun(keyId: string, signal: AbortSignal): Promise<CardRun | null> {
  const path = `/api/v2/access/card-runs?filter[keyId]=${keyId}&sort=-createdAt`
  const { data } = await get<Resource<CardRun>[]>(path, { signal })
  return data[0]?.attributes ?? null
}

/** When the card at the gate is taken back, Unix milliseconds by the clock of the box; null without a card at the gate. */
export async function readDeadline(dispenserId: string, signal: AbortSignal): Promise<number | null> {
  const { data } = await get<Resource<{ guestWaiting: { deadline: string } | null }>>(
    `/api/v2/access/dispensers/${dispenserId}/status`,
    { signal },
  )
  return data.attributes.guestWaiting ? Date.parse(data.attributes.guestWaiting.deadline) : null
}

/** Hands the stay over to the front desk, and returns the code that the guest tells there. */
export async function handOver(
  stayId: string,
  why: { failure: string; step: string; language: string },
  signal: AbortSignal,
): Promise<string> {
  const path = `/api/v2/stays/${stayId}/actions/hand-over`
  const { data } = await send<Resource<{ code: string }>>('POST', path, { body: why, signal })
  return data.attributes.code
}

/** The floor of a room, as the house names it. */
export async function readFloor(unitId: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await get<Resource<{ floor: string | null }>>(`/api/v2/units/${unitId}`, { signal })
  return data.attributes.floor
}
