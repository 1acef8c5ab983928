import assert from 'node:assert/strict'
import type {
  SharedGuest,
  SharedReservation,
  SharedStay,
} from '../../../../src/pms/sync/shared-reservation.ts'
import type { Ask } from '../../../appliance.ts'

/** A reservation as the house shows it to whoever asks, in the words in which the two sides tell it to one another. */
export interface Plain extends SharedReservation {
  localId: string
  stays: (SharedStay & { localId: string; guests: (SharedGuest & { localId: string })[] })[]
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
type Document = any

/** Every reservation of the house, read page by page over its interface; by the house's own id. */
export async function houseBook(ask: Ask): Promise<Map<string, Plain>> {
  const types = await named(ask, 'unit-types')
  const plans = await named(ask, 'rate-plans')
  const services = await named(ask, 'services')
  const payments = Map.groupBy(await all(ask, '/api/v2/payments?filter[voided]=false'), ({ attributes }) =>
    String(attributes.reservationId),
  )
  const found = new Map<string, Plain>()
  let next: string | null = '/api/v2/reservations?page[size]=100&include=stays.profiles'
  while (next) {
    const { body, status, text } = await ask('GET', next)
    assert.equal(status, 200, text)
    const people = new Map<string, Document>()
    for (const each of body.included ?? []) if (each.type === 'profile') people.set(each.id, each.attributes)
    for (const { id, attributes } of body.data) {
      // Of the sample, from before there was a PMS: they are the house's own.
      if (attributes.externalId?.startsWith('SAMPLE-')) continue
      found.set(id, {
        localId: id,
        ...plainReservation(attributes),
        stays: attributes.stays.map((stay: Document) => plainStay(stay, { types, plans, services, people })),
        payments: (payments.get(id) ?? []).map(plainPayment),
      })
    }
    next = body.links.next ?? null
  }
  return found
}

async function all(ask: Ask, path: string): Promise<Document[]> {
  const found: Document[] = []
  for (let next: string | null = `${path}&page[size]=100`; next; ) {
    const { body, status, text } = await ask('GET', next)
    assert.equal(status, 200, text)
    found.push(...body.data)
    next = body.links.next ?? null
  }
  return found
}

async function named(ask: Ask, collection: string): Promise<Map<string, string>> {
  const rows = await all(ask, `/api/v2/${collection}?sort=code`)
  return new Map(rows.map(({ id, attributes }) => [id, attributes.code]))
}

function plainReservation({ externalId, channel, purpose, comment, guestComment }: Document) {
  return { externalId, channel, purpose, comment, guestComment }
}

function plainStay(
  stay: Document,
  { types, plans, services, people }: Record<string, Map<string, Document>>,
) {
  const { id, externalId, status, startDate, startTime, endDate, endTime, amount, comment, guestComment } =
    stay
  const { total: _, ...personCount } = stay.personCount
  return {
    localId: id,
    externalId,
    status,
    startDate,
    startTime,
    endDate,
    endTime,
    personCount,
    units: stay.units.map(({ unitTypeId, unitName }: Document) => ({
      unitTypeCode: types!.get(unitTypeId),
      unitName,
    })),
    reservationIds: stay.reservationIds.map(({ type, value, source }: Document) => ({ type, value, source })),
    ratePlanCode: plans!.get(stay.ratePlanId) ?? null,
    services: (stay.services ?? []).map(({ serviceId, count }: Document) => ({
      serviceCode: services!.get(serviceId),
      count,
    })),
    amount,
    guests: (stay.profiles ?? []).map(({ id, role }: Document) => plainGuest(id, role, people!.get(id))),
    comment,
    guestComment,
  }
}

function plainGuest(localId: string, role: SharedGuest['role'], person: Document) {
  const { externalId, firstName, middleName, lastName, title, profileType, companyName } = person
  const { nationality, languageCode, birthDate, gender, addresses, emails, phoneNumbers } = person
  return {
    localId,
    externalId,
    role,
    firstName,
    middleName,
    lastName,
    title,
    profileType,
    companyName,
    nationality,
    languageCode,
    birthDate,
    gender,
    addresses,
    emails,
    phoneNumbers,
  }
}

function plainPayment({ id, attributes }: Document) {
  const { stayId, currency, amount, brand } = attributes
  return {
    id,
    stayLocalId: stayId ?? null,
    currency,
    amount,
    brand,
    recordedAt: attributes.createdAt,
    voidedAt: null,
  }
}
