import { localDate, localTime } from '../../host/zone.ts'
import { unwrap } from '../../jsonapi/envelope.ts'
import type { Answer } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import type { WriteOptions } from '../../resource/command.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Machines, Property } from '../access.ts'
import { settingsOf } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { key } from '../resources/key.ts'
import { makeAll, mostKeys } from './batch.ts'
import type { Confirmation } from './door-guard.ts'
import type { KeyOrder } from './key-order.ts'
import { orderOf } from './order-of.ts'
import type { KeyRequest } from './routes/key-request.ts'

const minuteMs = 60_000
const dayMinutes = 1440
const unitName: JsonSchema = { type: 'string', minLength: 1, maxLength: 60 }

interface OneShot {
  unitName: string
  extraUnits: string[]
  minutes: number
}

/** The schema of the body for a one-shot key. */
export const oneShotSchema: JsonSchema = {
  type: 'object',
  properties: {
    unitName,
    extraUnits: { type: 'array', maxItems: 3, items: unitName },
    minutes: {
      type: 'integer',
      minimum: 1,
      maximum: dayMinutes,
      description: 'How long the card can be used, from now. Default: 30 minutes.',
    },
    meta: {},
  },
  required: ['unitName'],
  additionalProperties: false,
}

/** Reads the body for a one-shot key; 30 minutes by default. Throws a Problem that names the wrong field. */
export async function readOneShot(body: unknown): Promise<OneShot> {
  const attributes = unwrap(key, body)
  await validate(oneShotSchema, attributes)
  return { extraUnits: [], minutes: 30, ...attributes } as unknown as OneShot
}

/**
 * The order for a card that opens once, for a repair or an inspection of the room. It belongs to no stay and ends no
 * key.
 */
export function oneShotOrder(
  access: Property & Machines,
  controller: AccessController,
  { unitName, extraUnits, minutes }: OneShot,
  confirmed: Confirmation | null,
): KeyOrder {
  expectCards(controller)
  const from = Math.floor(access.clock.now() / minuteMs) * minuteMs
  const window = { validFrom: from, validUntil: from + minutes * minuteMs }
  const request = { ...nobodys(access, window), unitName, extraUnits, usage: 'OneShot' as const }
  return orderOf(access, controller, request, { confirmed, window })
}

interface Spares {
  units: string[]
  days: number
}

/** The schema of the body for spare cards. */
export const sparesSchema: JsonSchema = {
  type: 'object',
  properties: {
    units: { type: 'array', minItems: 1, maxItems: mostKeys, uniqueItems: true, items: unitName },
    days: {
      type: 'integer',
      minimum: 1,
      maximum: 30,
      description: 'How many days the cards open, from now. Default: 7.',
    },
    meta: {},
  },
  required: ['units'],
  additionalProperties: false,
}

/** Reads the body for spare cards; 7 days by default. Throws a Problem that names the wrong field. */
export async function readSpares(body: unknown): Promise<Spares> {
  const attributes = unwrap(key, body)
  await validate(sparesSchema, attributes)
  return { days: 7, ...attributes } as unknown as Spares
}

/**
 * Makes spare cards, one a unit, for a night on which nothing works. A spare ends no key. The first use of a key that
 * is made after the spare ends the spare.
 */
export function makeSpares(
  access: Access,
  options: {
    controller: AccessController
    spares: Spares
    confirmed: Confirmation | null
    options: WriteOptions
  },
): Promise<Answer> {
  const { controller, spares, confirmed } = options
  expectCards(controller)
  const orders = spares.units.map((name) => () => {
    const from = Math.floor(access.clock.now() / minuteMs) * minuteMs
    const window = { validFrom: from, validUntil: from + spares.days * dayMinutes * minuteMs }
    const request = { ...nobodys(access, window), unitName: name, usage: 'Spare' as const }
    return orderOf(access, controller, request, { confirmed, window })
  })
  // Every order is checked before the first card is touched.
  for (const order of orders) order()
  return makeAll(access, controller, orders, options.options)
}

function expectCards({ keyType, name }: AccessController): void {
  if (keyType === 'keyCard') return
  throw new Problem('key-type-not-supported', `${name} cannot make cards.`, {
    meta: { supported: [keyType] },
  })
}

function nobodys(
  access: Property,
  { validFrom, validUntil }: { validFrom: number; validUntil: number },
): Omit<KeyRequest, 'unitName' | 'usage'> {
  const { timeZone } = settingsOf(access)
  return {
    original: true,
    startDate: localDate(validFrom, timeZone),
    startTime: localTime(validFrom, timeZone),
    endDate: localDate(validUntil, timeZone),
    endTime: localTime(validUntil, timeZone),
    authorizations: [],
    deAuthorizations: [],
    extraUnits: [],
    externalId: null,
    printText: null,
  }
}
