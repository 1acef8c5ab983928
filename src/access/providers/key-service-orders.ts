import type { ServiceFound, ServiceRequest } from '../../devices/key-service.ts'
import { localDate, localTime } from '../../host/zone.ts'
import { staysNamed } from '../../reservation/stays/find-stays.ts'
import type { Actor } from '../../resource/command.ts'
import type { Filter } from '../../resource/query.ts'
import type { Access, Property, Work } from '../access.ts'
import { keysOnCard } from '../cards/keys-on-card.ts'
import { readCard } from '../cards/read-card.ts'
import { earlyCheckIn } from '../keys/key-window.ts'
import { issueKey } from '../keys/make-key.ts'
import { orderOf } from '../keys/order-of.ts'
import { revokeKey } from '../keys/pending/revoke-keys.ts'
import type { KeyRequest } from '../keys/routes/key-request.ts'
import { nameIn, stayBy } from '../keys/stay/stay-of-key.ts'
import { settingsOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { doorsWithLock } from '../resources/door.ts'
import { type Key, type KeyStatus, key, openStatuses } from '../resources/key.ts'

const actor: Actor = { by: 'key-service', requestId: null }
const lastMinute = '23:59'

/** Makes a card in the same way as a request over HTTP. Rejects with the same errors. */
export async function issueForService(
  access: Access,
  controller: AccessController,
  request: KeyRequest,
): Promise<{ uid: string | null }> {
  const order = orderOf(access, controller, request, { confirmed: null })
  // A guest who moves has a card of the earlier unit. It ends when the guest has the new one.
  const isOfStay = stayBy(access.reader, nameIn(request)) !== null
  const { id } = await issueKey(access, controller, { ...order, isOfStay }, { actor })
  return { uid: access.reader.row(key, id)?.uid ?? null }
}

/** Converts an order of a PMS into a key request. */
export function keyRequestOf(access: Property, way: string, order: ServiceRequest): KeyRequest {
  const house = settingsOf(access)
  const now = access.clock.now()
  const today = localDate(now, house.timeZone)
  const isOneShot = order.key === 'one-shot'
  const startDate = order.from ?? today
  const externalId = isOneShot ? null : externalIdOf(access, way, order)
  return {
    unitName: order.unit,
    original: order.key !== 'copy',
    startDate: isOneShot ? today : startDate,
    startTime: isOneShot ? localTime(now, house.timeZone) : earlyCheckIn(startDate, now, house),
    endDate: order.until ?? today,
    endTime: order.untilTime ?? (isOneShot ? lastMinute : null),
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
function externalIdOf(
  access: Property,
  way: string,
  { reservation, unit, key: wanted }: ServiceRequest,
): string | null {
  if (reservation === null) return null
  const [copied] = wanted === 'copy' ? keysFor(access, way, { unit, reservation }, ['live']) : []
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
  { unit, reservation }: Pick<ServiceRequest, 'unit' | 'reservation'>,
  statuses: readonly KeyStatus[],
): Key[] {
  const numbers = reservation === null ? null : numbersOf(way, reservation)
  const stayIds = reservation === null ? [] : staysNamed(reader, reservation)
  const sort = [{ path: 'id', descending: true }]
  return statuses
    .flatMap((status) => {
      const filters: Filter[] = [
        { path: 'unitName', operator: 'eq', value: unit ?? '' },
        { path: 'status', operator: 'eq', value: status },
      ]
      return reader.rows(key, { filters, sort, page: { size: 1_000 } })
    })
    .filter(
      ({ externalId, stayId }) =>
        numbers === null || numbers.includes(externalId ?? '') || (stayId && stayIds.includes(stayId)),
    )
}

const revocable: readonly KeyStatus[] = [
  'virtual',
  ...openStatuses.filter((status) => status !== 'superseded'),
]

/**
 * Revokes the keys of a unit, or only those of one reservation. Resolves with their number. A card stays open until
 * something proves it dead.
 */
export async function revokeForService(
  access: Property & Work,
  way: string,
  order: Pick<ServiceRequest, 'unit' | 'reservation'>,
): Promise<number> {
  const meant = keysFor(access, way, order, revocable).filter(({ usage }) => usage !== 'Staff')
  for (const { id } of meant)
    await access.writer.execute(
      revokeKey,
      { keyId: id, as: 'invalidated', reason: 'revoked by the PMS' },
      { actor },
    )
  if (meant.length > 0) access.chase()
  return meant.length
}

/** Reads the card on an encoder. Nothing of it is stored. */
export async function readForService(
  access: Access,
  way: string,
  controller: AccessController,
): Promise<ServiceFound & { uid: string | null; isBlank: boolean }> {
  const { uid, lock, credential, validUntil, blank } = (await readCard(access, controller)) ?? nothingRead
  const stored = uid === null ? null : keyOn(access, uid, credential)
  const externalId = stored?.externalId ?? null
  return {
    uid,
    isBlank: blank,
    unit: stored?.unitName ?? unitOf(access, controller, lock),
    reservation: externalId?.startsWith(`${way}:`) ? externalId.slice(way.length + 1) : externalId,
    until: validUntil === null ? null : wallTimeOf(access, validUntil),
  }
}

/** The content of a card where the lock system reads none. */
const nothingRead = { uid: null, lock: null, credential: null, validUntil: null, blank: false }

function keyOn(access: Property, uid: string, credential: number | null): Key | null {
  const keys = keysOnCard(access, uid)
  return keys.find((row) => credential === null || row.credential === credential) ?? null
}

function unitOf({ reader }: Property, { providerId }: AccessController, lock: string | null): string | null {
  return lock === null ? null : (doorsWithLock(reader, providerId, lock)[0]?.name ?? lock)
}

function wallTimeOf(access: Property, instant: number): { date: string; time: string } {
  const { timeZone } = settingsOf(access)
  return { date: localDate(instant, timeZone), time: `${localTime(instant, timeZone)}:00` }
}
