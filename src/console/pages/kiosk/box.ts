import { type Answered, ApiError, getList, getOne, type Resource, send, sendOne } from '../lib/server/api.ts'
import type { Profile, Stay, TerminalPayment } from '../lib/server/resources.ts'

// The requests of the kiosk, as any kiosk could send them; those for a person's help are in `call.ts`. The role `kiosk` has the scopes for all of them.

export interface StayOfGuest extends Stay {
  id: string
}

/** A found stay with the profile of its guest. */
export interface Found {
  stay: StayOfGuest
  guest: Resource<GuestProfile> | null
}

export interface GuestProfile extends Profile {
  emails: { address: string; type: string; primary: boolean }[] | null
  phoneNumbers: { number: string; type: string }[] | null
}

type Reservations = Resource<{ stays: StayOfGuest[] }>[]

/** What a guest has said to find the booking. */
export interface Said {
  /** A number of the booking, as it is typed. */
  number?: string
  /** The last name. Accents and letter case are ignored, and `ue` finds ü. */
  name?: string
  /** The day of arrival, YYYY-MM-DD. Without a number it belongs to the name. */
  arrival?: string
  /** Something that the profile of the guest has: see `profile.onFile` of the search. */
  onFile?: string
}

/** The stays that a guest has found. Of one that is not proven, only the dates and the status are known. */
export interface Finding {
  found: Found[]
  /** The ids of the stays for which the guest has said enough. */
  proven: ReadonlySet<string>
}

/** Finds stays. All that the guest has said must be right. */
export async function findStays(
  { number, name, arrival, onFile }: Said,
  signal: AbortSignal,
): Promise<Finding> {
  const filters = [
    ['reservationIds.searchForm', number],
    ['profile.normalizedName][like', name],
    ['arrival', number === undefined ? arrival : undefined],
    ['profile.onFile', onFile],
  ]
  const query = filters.flatMap(([path, value]) =>
    value === undefined ? [] : [`filter[${path}]=${encodeURIComponent(value)}`],
  )
  const answer = await getList<Reservations[number]['attributes']>(
    `/api/v2/reservations?${query.join('&')}&include=stays.profiles`,
    { signal, needs: ['stays'] },
  )
  return { found: found(answer), proven: new Set((answer.meta?.proven ?? []) as string[]) }
}

const profilesIn = ({ included = [] }: Answered<Reservations>) =>
  included.filter((each): each is Resource<GuestProfile> => each.type === 'profile')

/** The guest of a stay who shares it is the one who has the typed name, as the box says, else the first one. */
function found(answer: Answered<Reservations>): Found[] {
  const profiles = profilesIn(answer)
  const named = (answer.meta?.named ?? []) as string[]
  return answer.data
    .flatMap(({ attributes }) => attributes.stays)
    .map((stay) => {
      // A stay that is not proven has no profiles here.
      const guests = stay.profiles ?? []
      const first = guests.find(({ role }) => role === 'PrimaryGuest') ?? guests[0]
      const own = named.find((id) => guests.some((each) => each.id === id)) ?? first?.id
      return { stay, guest: profiles.find(({ id }) => id === own) ?? null }
    })
}

/** Without these a stay cannot be shown or checked in. */
const needs = ['status', 'startDate', 'endDate', 'units'] as const

const pathOf = ({ reservationId, id }: Pick<StayOfGuest, 'id' | 'reservationId'>) =>
  `/api/v2/reservations/${reservationId}/stays/${id}`

/** Reads the stay of a guest who has given a proof, with its revision. */
export async function readStay(stay: Pick<StayOfGuest, 'id' | 'reservationId'>, signal: AbortSignal) {
  const { data, etag } = await getOne<Stay>(pathOf(stay), { signal, needs })
  return { stay: { ...data.attributes, id: data.id } as StayOfGuest, etag }
}

/** Assigns a clean room that is free until the end of the stay. A stay with a room keeps it. */
export async function assignRoom(stay: StayOfGuest, signal: AbortSignal): Promise<StayOfGuest> {
  const { data } = await sendOne<Stay>('POST', `${pathOf(stay)}/unit-assignment`, { signal, needs })
  return { ...data.attributes, id: data.id }
}

/** Checks the guest in. Refused with 412 when the stay changed since it was read. */
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

/** The deadline of a payment: a guest may use the terminal for five minutes at most. */
const paymentTimeoutMs = 330_000

/**
 * Starts a payment of the outstanding amount. Resolves when the box has recorded it. A repeat with the same idempotency
 * key never charges twice.
 */
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

/** The deadline of a cancellation: the box answers within 8 s. */
const cancelTimeoutMs = 15_000

/**
 * Cancels the payment of a stay that is under way. Resolves when it has ended, with whether the amount was taken. Rejects
 * while the terminal does not report its end.
 */
export async function cancelTerminalPayment({ id }: StayOfGuest, signal: AbortSignal): Promise<boolean> {
  const path = `/api/v2/stays/${id}/actions/cancel-terminal-payment`
  const { data } = await sendOne<{ state: string }>('POST', path, {
    signal,
    needs: ['state'],
    timeoutMs: cancelTimeoutMs,
  })
  return data.attributes.state === 'paid'
}

/** Returns the last payment of a stay at a terminal; null without one. It starts no payment. */
export async function readTerminalPayment(
  { id }: StayOfGuest,
  signal: AbortSignal,
): Promise<TerminalPayment | null> {
  try {
    const path = `/api/v2/stays/${id}/terminal-payment`
    return (await getOne<TerminalPayment>(path, { signal, needs: ['state', 'createdAt'] })).data.attributes
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** Adds missing details to the guest's profile. */
export async function completeProfile(
  profileId: string,
  more: Partial<Pick<GuestProfile, 'emails' | 'phoneNumbers'>>,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v2/profiles/${profileId}`
  const { data, etag } = await getOne<GuestProfile>(path, { signal })
  const attributes = { ...data.attributes, ...more }
  await send('PUT', path, {
    body: { data: { type: 'profile', id: profileId, attributes } },
    ifMatch: etag,
    signal,
  })
}

/** An order of a card: the request body and its idempotency key. */
export interface Wish {
  controllerId: string
  /** A repeat with the same idempotency key asks for the same card. A new key orders a new card. */
  idempotencyKey: string
  order: {
    type: string
    unitName: string
    /** False for a copy, which leaves the present cards valid. */
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

const needsOfKey = ['unitName', 'validFrom', 'validUntil'] as const

/** The deadline of a card request: the box answers within 18 s. */
const cardTimeoutMs = 30_000

/** Makes a card. Resolves when the card was written, read back and compared. */
export async function makeCard(wish: Wish, signal: AbortSignal): Promise<Resource<Key>> {
  const { controllerId, idempotencyKey, order } = wish
  const path = `/api/v2/access/controllers/${controllerId}/key`
  const { data } = await sendOne<Key>('POST', path, {
    body: order,
    idempotencyKey,
    signal,
    needs: needsOfKey,
    timeoutMs: cardTimeoutMs,
  })
  return data
}

/**
 * Brings the key of the stay into its ordered state after an unknown outcome. The box first finds out whether the last
 * card is good.
 */
export async function reconcileCard(
  { controllerId, order }: Wish,
  signal: AbortSignal,
): Promise<Resource<Key>> {
  const path = `/api/v2/access/controllers/${controllerId}/keys/by-reservation/${encodeURIComponent(order.externalId)}`
  const { data } = await sendOne<Key>('PUT', path, {
    body: order,
    signal,
    needs: needsOfKey,
    timeoutMs: cardTimeoutMs,
  })
  return data
}

/** The deadline of a look at a card at the gate, which is repeated. */
const lookTimeoutMs = 5_000

export interface CardRun {
  step: 'asked' | 'writing' | 'verified' | 'presented' | 'recalled' | 'ended'
  ending: 'taken' | 'handed' | 'captured' | 'left' | 'failed' | 'unknown' | null
}

/** The outcome of the last card of a key. */
export async function readCardRun(keyId: string, signal: AbortSignal): Promise<CardRun | null> {
  const path = `/api/v2/access/card-runs?filter[keyId]=${keyId}&sort=-createdAt`
  const { data } = await getList<CardRun>(path, { signal, needs: ['step'], timeoutMs: lookTimeoutMs })
  return data[0]?.attributes ?? null
}

/**
 * When the machine takes the card at the gate back, Unix milliseconds by the clock of the box; null without a card at
 * the gate.
 */
export async function readDeadline(dispenserId: string, signal: AbortSignal): Promise<number | null> {
  const { data } = await getOne<{ guestWaiting: { deadline: string } | null }>(
    `/api/v2/access/dispensers/${dispenserId}/status`,
    { signal, needs: ['guestWaiting'], timeoutMs: lookTimeoutMs },
  )
  return data.attributes.guestWaiting ? Date.parse(data.attributes.guestWaiting.deadline) : null
}

/** Returns the floor of a room by the hotel's name for it. */
export async function readFloor(unitId: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await getOne<{ floor: string | null }>(`/api/v2/units/${unitId}`, { signal })
  return data.attributes.floor
}
