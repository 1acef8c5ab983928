import type { Found, StayOfGuest, Wish } from '../box.ts'
import { controller, house, now } from '../house.ts'
import type { CardOrder } from '../pending.ts'

/** Returns what is new in the order of the next card. */
export function newOrder({ stay }: Found, isCopy: boolean): CardOrder {
  // The key of a guest who arrives before check-in time opens at once.
  const isEarly = now() < Date.parse(stay.plannedStartsAt)
  return {
    idempotencyKey: crypto.randomUUID(),
    isOriginal: !isCopy,
    startTime: (isEarly ? timeNow() : stay.startTime) ?? null,
  }
}

/** Returns the time at the property, HH:MM, in the format of the API. */
function timeNow(): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: house.value.timeZone }).format(now())
}

/** Returns the request for the card of a room of the stay. `unit`: its place among the rooms. */
export function wishFor(stay: StayOfGuest, unit: number, order: CardOrder): Wish {
  const { startDate, endDate, endTime, externalId, id, units } = stay
  const { idempotencyKey, isOriginal, startTime } = order
  return {
    controllerId: controller.value?.id ?? '',
    idempotencyKey,
    order: {
      type: controller.value?.keyType ?? 'keyCard',
      unitName: units[unit]?.unitName ?? '',
      original: isOriginal,
      startDate,
      ...(startTime && { startTime }),
      endDate,
      ...(endTime && { endTime }),
      externalId: externalId ?? id,
    },
  }
}
