import { withSentBack } from '../../jsonapi/body.ts'
import { isObject, unwrap } from '../../jsonapi/envelope.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { readAttributes } from '../../resource/attributes.ts'
import type { Fields } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import { objectSchema, partialSchema } from '../../resource/schema.ts'
import { profile } from '../resources/profile.ts'
import { type ReservationInput, reservation } from '../resources/reservation.ts'
import { type Stay, type StayInput, stay } from '../resources/stay.ts'
import { profileTypeOf } from '../values/profile-type.ts'
import { underPointer } from '../values/value-problems.ts'

/** The schemas of the bodies of stays and reservations. */
export const wholeStay = withSentBack(objectSchema(stay.fields))
export const partialStay = withSentBack(partialSchema(stay.fields))
const stays = { stays: { type: ['array', 'null'], maxItems: 100, items: wholeStay } }
export const wholeReservation = withSentBack(objectSchema(reservation.fields), stays)

/** All fields of a stay except its profiles, which can be whole profiles in a body. */
const { profiles: _, ...plainStay } = stay.fields

/**
 * Reads the body of a stay, with or without an envelope: a whole stay or some of its fields. `kept` returns the stay
 * that the body changes. Throws 422 for an invalid body.
 */
export async function readStay(
  body: unknown,
  how: { whole: boolean; kept?: () => Stay | null },
): Promise<StayInput> {
  const attributes = unwrap(stay, body, how.kept)
  await validate(how.whole ? wholeStay : partialStay, attributes)
  return stayInput(attributes)
}

/**
 * Reads a body that is one list of a stay: an array, with or without `data`, its items with or without `attributes`.
 */
export async function readStayList(name: 'units' | 'services', body: unknown): Promise<StayInput> {
  const list = isObject(body) && 'data' in body ? body.data : body
  if (!Array.isArray(list)) throw new Problem('validation-failed', 'Expected an array.', { pointer: '' })
  const items = list.map((item) => (isObject(item) && isObject(item.attributes) ? item.attributes : item))
  return readStay({ [name]: items }, { whole: false })
}

/** Reads the body of a reservation with its stays inline. Throws 422 for an invalid body. */
export async function readReservation(body: unknown): Promise<ReservationInput> {
  const { stays: given, ...rest } = unwrap(reservation, body)
  await validate(wholeReservation, given === undefined ? rest : { ...rest, stays: given })
  return {
    attributes: readAttributes(reservation.fields, rest),
    ...(typeof rest.status === 'string' && { status: rest.status }),
    ...(Array.isArray(given) && {
      stays: given.map((each, index) => underPointer(`/stays/${index}`, () => stayInput(each))),
    }),
  }
}

function stayInput(attributes: Record<string, unknown>): StayInput {
  const { profiles, services, id } = attributes
  const listed = Array.isArray(services) ? { services: services.map(serviceEntry) } : {}
  return {
    ...readAttributes(plainStay as Fields, { ...attributes, ...listed }),
    ...(typeof id === 'string' && { id: id.toLowerCase() }),
    ...(Array.isArray(profiles) && { profiles: profiles.map(profileEntry) }),
    ...(profiles === null && { profiles: [] }),
  }
}

/** A service in a body that has an `id` is booked by this id. */
function serviceEntry(entry: unknown) {
  const { id, ...rest } = isObject(entry) ? entry : {}
  return id === undefined ? rest : { ...rest, serviceId: id }
}

function profileEntry(entry: unknown, index: number) {
  const { id, role, ...rest } = isObject(entry) ? entry : {}
  const named = { role: String(role ?? 'PrimaryGuest') }
  if (typeof id === 'string') return { ...named, id: id.toLowerCase() }
  const attributes = underPointer(`/profiles/${index}`, () =>
    readAttributes(profile.fields, profileTypeOf(rest)),
  )
  return { ...named, profile: attributes }
}
