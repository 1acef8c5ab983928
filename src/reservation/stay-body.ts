import { isObject, unwrap } from '../jsonapi/body.ts'
import { validate } from '../jsonapi/validate.ts'
import { readAttributes } from '../resource/attributes.ts'
import type { Fields, JsonSchema } from '../resource/fields.ts'
import { Problem } from '../resource/problem.ts'
import { objectSchema, partialSchema } from '../resource/schema.ts'
import type { ReservationInput } from './reservation-changes.ts'
import { profile } from './resources/profile.ts'
import { reservation } from './resources/reservation.ts'
import { stay } from './resources/stay.ts'
import type { StayInput } from './stay-changes.ts'

type Values = Record<string, unknown>

const ignored = { id: {}, type: {}, createdAt: {}, updatedAt: {}, revision: {} }

function withIgnored(schema: JsonSchema, extra: JsonSchema = {}): JsonSchema {
  return { ...schema, properties: { ...ignored, ...(schema.properties as Values), ...extra } }
}

const wholeStay = withIgnored(objectSchema(stay.fields))
const partialStay = withIgnored(partialSchema(stay.fields))
const stays = { stays: { type: 'array', maxItems: 100, items: wholeStay } }
const wholeReservation = withIgnored(objectSchema(reservation.fields), stays)

/** Everything of a stay but its profiles, which may be whole profiles of their own. */
const { profiles: _, ...plainStay } = stay.fields

/** A stay's body: enveloped or bare, whole or some of its fields. */
export async function readStay(body: unknown, how: { whole: boolean }): Promise<StayInput> {
  const attributes = unwrap('stay', body)
  await validate(how.whole ? wholeStay : partialStay, attributes)
  return stayInput(attributes)
}

/** A reservation's body with its stays inline. */
export async function readReservation(body: unknown): Promise<ReservationInput> {
  const { stays: given, ...rest } = unwrap('reservation', body)
  await validate(wholeReservation, given === undefined ? rest : { ...rest, stays: given })
  return {
    attributes: readAttributes(reservation.fields, rest),
    ...(Array.isArray(given) && { stays: given.map((each, index) => placed(index, () => stayInput(each))) }),
  }
}

function stayInput(attributes: Values): StayInput {
  const { profiles, id } = attributes
  return {
    ...readAttributes(plainStay as Fields, attributes),
    ...(typeof id === 'string' && { id }),
    ...(Array.isArray(profiles) && { profiles: profiles.map(profileEntry) }),
  }
}

function profileEntry(entry: unknown, index: number) {
  const { id, role = 'PrimaryGuest', ...rest } = isObject(entry) ? entry : {}
  if (typeof id === 'string') return { id, role: String(role) }
  const attributes = underPointer(`/profiles/${index}`, () => readAttributes(profile.fields, rest))
  return { role: String(role), profile: attributes }
}

function placed<T>(index: number, work: () => T): T {
  return underPointer(`/stays/${index}`, work)
}

/** Problems found inside point there. */
function underPointer<T>(prefix: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) {
      for (const { options } of [error, ...error.others]) {
        if (options.pointer !== undefined) options.pointer = `${prefix}${options.pointer}`
      }
    }
    throw error
  }
}
