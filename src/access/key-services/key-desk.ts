import type { ServiceAnswer, ServiceRequest } from '../../devices/key-service.ts'
import { localDate, localTime } from '../../host/zone.ts'
import { staysNamed } from '../../reservation/stays/find-stays.ts'
import type { Actor } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { first, having } from '../../resource/query.ts'
import type { Access, Property } from '../access.ts'
import { readCard } from '../cards/read-card.ts'
import { issueKey } from '../keys/issuing/make-key.ts'
import { orderOf } from '../keys/issuing/order-of.ts'
import { keysOnCard } from '../keys/life/keys-on-card.ts'
import { nameIn, stayBy } from '../keys/life/stay-of-key.ts'
import { earlyCheckIn } from '../keys/orders/key-window.ts'
import { revokeKey } from '../keys/revoke-keys.ts'
import { controllerBy, settingsOf } from '../lookups.ts'
import { doorsWithLock } from '../resources/door.ts'
import { type Key, type KeyStatus, key, openStatuses } from '../resources/key.ts'
import type { KeyRequest } from '../resources/key-request.ts'
import type { ServedEncoder } from '../resources/key-service.ts'
import { failedAnswer } from './key-service-texts.ts'

/** The PMS that orders a key: its driver, the prefix of its reservation numbers here, and its codes for encoders. */
interface Orderer {
  way: string
  encoders: readonly ServedEncoder[]
}

/** Executes a key order of a foreign PMS. Never rejects: every failure is an answer. */
export type KeyDesk = (from: Orderer, request: ServiceRequest) => Promise<ServiceAnswer>

/** Returns the function that executes the key orders of foreign PMSs at the property's controllers. */
export function keyDesk(access: Access): KeyDesk {
  const kinds: Record<ServiceRequest['kind'], typeof create> = { create, revoke, read }
  return async (from, request) => {
    try {
      return await kinds[request.kind](access, from, request)
    } catch (error) {
      return failedAnswer(error, access.failed)
    }
  }
}

const actor: Actor = { by: 'key-service', requestId: null }
const done = { outcome: 'done', text: null, uid: null, found: null } as const

/** The controller for the PMS's encoder code. Throws controller-not-found for a code that is not configured. */
function controllerOf(access: Property, { encoders }: Orderer, { encoder }: ServiceRequest) {
  const found = encoders.find(({ code }) => code === encoder)
  if (!found) throw new Problem('controller-not-found', 'The encoder is not set up here')
  return controllerBy(access, found.controllerId)
}

/** Makes a card in the same way as a request over HTTP. Rejects with the same errors. */
async function create(access: Access, from: Orderer, request: ServiceRequest): Promise<ServiceAnswer> {
  const { reader } = access
  const controller = controllerOf(access, from, request)
  const wanted = keyRequestOf(access, from.way, request)
  const order = orderOf(access, controller, wanted, { confirmed: null })
  // A guest who moves has a card of the earlier unit. It ends when the guest has the new one.
  const isOfStay = stayBy(reader, nameIn(wanted)) !== null
  const { id } = await issueKey(access, controller, { ...order, isOfStay }, { actor })
  return { ...done, uid: reader.row(key, id)?.uid ?? null }
}

/** Converts an order of a PMS into a key request. */
function keyRequestOf(access: Property, way: string, order: ServiceRequest): KeyRequest {
  const house = settingsOf(access)
  const now = access.clock.now()
  const today = localDate(now, house.timeZone)
  const isOneShot = order.key === 'one-shot'
  const startDate = isOneShot ? today : (order.from ?? today)
  const externalId = isOneShot ? null : externalIdOf(access, way, order)
  return {
    unitName: order.unit,
    original: order.key !== 'copy',
    startDate,
    startTime: isOneShot ? localTime(now, house.timeZone) : earlyCheckIn(startDate, now, house),
    endDate: order.until ?? today,
    endTime: order.untilTime ?? (isOneShot ? '23:59' : null),
    authorizations: [...order.on],
    deAuthorizations: [...order.off],
    extraUnits: [...order.extraUnits],
    externalId,
    ...(externalId !== order.reservation && { stayName: order.reservation ?? undefined }),
    usage: isOneShot ? 'OneShot' : 'Guest',
    printText: null,
  }
}

/**
 * The externalId for a reservation of a PMS. A copy gets that of the key that it copies, which may have been made before the stay was
 * known here.
 */
function externalIdOf(access: Property, way: string, order: ServiceRequest): string | null {
  const { reservation } = order
  if (reservation === null) return null
  const [copied] = order.key === 'copy' ? keysFor(access, way, order, ['live']) : []
  if (copied) return copied.externalId ?? null
  const [own, prefixed] = numbersOf(way, reservation)
  return staysNamed(access.reader, own).length > 0 ? own : prefixed
}

/**
 * The externalIds that keys for a reservation of a PMS have: the number of its stay, and for a key that was made before the stay was
 * known here the number with the driver as prefix, which no stay of another PMS has.
 */
function numbersOf(way: string, reservation: string): [own: string, prefixed: string] {
  return [reservation, `${way}:${reservation}`]
}

/** The keys of a unit that have one of the statuses, or only those of one reservation, at most 1000 of each status. */
function keysFor(
  { reader }: Property,
  way: string,
  { unit, reservation }: ServiceRequest,
  statuses: readonly KeyStatus[],
): Key[] {
  const sort = [{ path: 'id', descending: true }]
  const keys = statuses.flatMap((status) =>
    reader.rows(key, { ...first(having({ unitName: unit ?? '', status })), sort }),
  )
  if (reservation === null) return keys
  const numbers = numbersOf(way, reservation)
  const stayIds = staysNamed(reader, reservation)
  return keys.filter(
    ({ externalId, stayId }) => numbers.includes(externalId ?? '') || (stayId && stayIds.includes(stayId)),
  )
}

const revocable: readonly KeyStatus[] = [
  'virtual',
  ...openStatuses.filter((status) => status !== 'superseded'),
]

/** Keys that have expired within this time are revoked, too: they open again when the clock is set back. */
const recentMs = 30 * 86_400_000

/** Revokes the keys of a unit, or only those of one reservation. A card stays open until something proves it dead. */
async function revoke(access: Access, { way }: Orderer, request: ServiceRequest): Promise<ServiceAnswer> {
  const since = access.clock.now() - recentMs
  const expired = keysFor(access, way, request, ['expired']).filter((row) => (row.provenDeadAt ?? 0) > since)
  const found = [...keysFor(access, way, request, revocable), ...expired]
  const meant = found.filter(({ usage }) => usage !== 'Staff')
  const why = { as: 'invalidated', reason: 'revoked by the PMS' } as const
  for (const { id } of meant) await access.writer.execute(revokeKey, { keyId: id, ...why }, { actor })
  if (meant.length === 0) return { ...done, text: 'There was no such key' }
  access.chase()
  return { ...done, text: 'Noted; the card works until it is ended' }
}

/** The content of a card where the lock system reads none. */
const nothingRead = { uid: null, lock: null, credential: null, validUntil: null, blank: false }

/** Reads the card on an encoder. Nothing of it is stored. */
async function read(access: Access, from: Orderer, request: ServiceRequest): Promise<ServiceAnswer> {
  const controller = controllerOf(access, from, request)
  const { uid, lock, credential, validUntil, blank } = (await readCard(access, controller)) ?? nothingRead
  if (blank) return { outcome: 'refused', text: 'The card is blank' }
  const keys = uid === null ? [] : keysOnCard(access, uid)
  const stored = keys.find((row) => credential === null || row.credential === credential)
  const [door] = lock === null ? [] : doorsWithLock(access.reader, controller.providerId, lock)
  const unit = stored?.unitName ?? door?.name ?? lock
  if (unit === null) return { outcome: 'refused', text: 'The card is no key of this house' }
  const externalId = stored?.externalId ?? null
  const prefix = `${from.way}:`
  const reservation = externalId?.startsWith(prefix) ? externalId.slice(prefix.length) : externalId
  return { ...done, uid, found: { unit, reservation, until: wallTimeOf(access, validUntil) } }
}

function wallTimeOf(access: Property, instant: number | null): { date: string; time: string } | null {
  if (instant === null) return null
  const { timeZone } = settingsOf(access)
  return { date: localDate(instant, timeZone), time: `${localTime(instant, timeZone)}:00` }
}
