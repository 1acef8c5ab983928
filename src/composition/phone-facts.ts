import type { PhoneFacts } from '../events/webhooks/phone-message.ts'
import { zoneOf } from '../reservation/resources/house.ts'
import { stay } from '../reservation/resources/stay.ts'
import type { Reader } from '../resource/keeper.ts'

/** Returns what messages to a phone say of the property. */
export function phoneFacts(reader: Reader): PhoneFacts {
  return {
    propertyName: () => reader.text('SELECT name FROM property LIMIT 1'),
    zone: () => zoneOf(reader),
    roomOf: (stayId) => {
      const names = reader.row(stay, stayId)?.units.flatMap(({ unitName }) => unitName ?? []) ?? []
      return names.length > 0 ? names.join(', ') : null
    },
  }
}
