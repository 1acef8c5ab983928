import { isObject, unwrap, withSentBack } from '../../jsonapi/body.ts'
import { validate } from '../../jsonapi/validate.ts'
import { readAttributes } from '../../resource/attributes.ts'
import type { Fields } from '../../resource/fields.ts'
import { Problem } from '../../resource/problem.ts'
import { objectSchema, partialSchema } from '../../resource/schema.ts'
import { profileTypeOf } from '../profiles/profile-type.ts'
import type { ReservationInput } from '../reservations/reservation-changes.ts'
import { profile } from '../resources/profile.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, type StayInput, stay } from '../resources/stay.ts'
import { underPointer } from '../under-pointer.ts'

type Values = Record<string, unknown>

const wholeStay = withSentBack(objectSchema(stay.fields))
const partialStay = withSentBack(partialSchema(stay.fields))
const stays = { stays: { type: ['array', 'null'], maxItems: 100, items: wholeStay } }
const wholeReservation = withSentBack(objectSchema(reservation.fields), stays)

/** Everything of a stay but its profiles, which may be whole profiles of their own. */
const { profiles: _, ...plainStay } = stay.fields

/** A stay's body: enveloped or bare, whole or some of its fields; `kept` is the stay that it changes. */
export async function readStay(
  body: unknown,
  how: { whole: boolean; kept?: () => Stay | null },
): Promise<StayInput> {
  const attributes = unwrap(stay, body, how.kept)
  await validate(how.whole ? wholeStay : partialStay, attributes)
  return stayInput(attributes)
}

/** A body that is one of a stay's lists: an array, bare or under `data`, its items bare or with attributes. */
export async function readStayList(name: 'units' | 'services', body: unknown): Promise<StayInput> {
  const list = isObject(body) && 'data' in body ? body.data : body
  if (!Array.isArray(list)) throw new Problem('validation-failed', 'Expected an array.', { pointer: '' })
  const items = list.map((item) => (isObject(item) && isObject(item.attributes) ? item.attributes : item))
  return readStay({ [name]: items }, { whole: false })
}

/** A reservation's body with its stays inline. */
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

function stayInput(attributes: Values): StayInput {
  const { profiles, services, id } = attributes
  const listed = Array.isArray(services) ? { services: services.map(serviceEntry) } : {}
  return {
    ...readAttributes(plainStay as Fields, { ...attributes, ...listed }),
    ...(typeof id === 'string' && { id: id.toLowerCase() }),
    ...(Array.isArray(profiles) && { profiles: profiles.map(profileEntry) }),
    ...(profiles === null && { profiles: [] }),
  }
}

/** A whole service in a body is booked by its id. */
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
