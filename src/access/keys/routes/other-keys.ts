import { localDate, localTime } from '../../../host/zone.ts'
import { exactly } from '../../../jsonapi/description.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Machines } from '../../access.ts'
import { settingsOf } from '../../lookups.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { type KeyRequest, unitNameSchema, unstated } from '../../resources/key-request.ts'
import { orderOf } from '../issuing/order-of.ts'
import type { Confirmation, KeyOrder } from '../orders/key-order.ts'
import { minuteOf } from '../orders/key-window.ts'
import { mostKeys } from './batch.ts'

const minuteMs = 60_000
/** The minutes of a day. */
export const dayMinutes = 1440

function upTo(maximum: number, description: string): JsonSchema {
  return { type: 'integer', minimum: 1, maximum, description }
}

/** The body for a card that opens once, for a repair or an inspection of the room. */
export interface OneShot {
  unitName: string
  extraUnits?: string[]
  minutes?: number
}

export const oneShotSchema = exactly(
  {
    unitName: unitNameSchema,
    extraUnits: { type: 'array', maxItems: 3, items: unitNameSchema },
    minutes: upTo(dayMinutes, 'How long the card can be used, from now. Default: 30 minutes.'),
    meta: {},
  },
  ['extraUnits', 'minutes', 'meta'],
)

/** The body for spare cards. */
export interface Spares {
  units: string[]
  days?: number
}

export const sparesSchema = exactly(
  {
    units: { type: 'array', minItems: 1, maxItems: mostKeys, uniqueItems: true, items: unitNameSchema },
    days: upTo(30, 'How many days the cards open, from now. Default: 7.'),
    meta: {},
  },
  ['days', 'meta'],
)

/** The order for a card that opens from this minute on. It belongs to no stay and ends no key. */
export function orderFromNow(
  access: Machines,
  controller: AccessController,
  card: Pick<KeyRequest, 'unitName' | 'usage'> & Partial<KeyRequest>,
  minutes: number,
  confirmed: Confirmation | null,
): KeyOrder {
  const { keyType, name } = controller
  if (keyType !== 'keyCard')
    throw new Problem('key-type-not-supported', `${name} cannot make cards.`, {
      meta: { supported: [keyType] },
    })
  const validFrom = minuteOf(access.clock.now())
  const validUntil = validFrom + minutes * minuteMs
  const { timeZone } = settingsOf(access)
  const request = {
    ...unstated,
    ...card,
    original: true,
    startDate: localDate(validFrom, timeZone),
    startTime: localTime(validFrom, timeZone),
    endDate: localDate(validUntil, timeZone),
    endTime: localTime(validUntil, timeZone),
  }
  return orderOf(access, controller, request, { confirmed, window: { validFrom, validUntil } })
}
