import type { Questions } from '../../resource/command.ts'
import { instant, integer, oneOf, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { makerFields } from './maker-fields.ts'

/** The kinds of stations. A kiosk has a session of its own; at the other stations people sign in. */
export const stationKinds = ['desk', 'kiosk', 'housekeeping'] as const
/** What a station is used for. */
export type StationKind = (typeof stationKinds)[number]

/**
 * A browser that the property recognises by a cookie. A passcode is accepted only at a station. The store contains only
 * the digest of the cookie.
 */
export const station = resource('station', {
  base: '/api/config/v1',
  path: 'stations',
  example: { name: 'Front desk left', kind: 'desk', idleMinutes: 5 },
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read'],
  fields: {
    name: text({ required: true, unique: true, max: 60 }),
    kind: oneOf(stationKinds, { default: 'desk' }),
    idleMinutes: integer({
      min: 1,
      max: 15,
      default: 5,
      note: 'After so many minutes without use a session at the station is locked. That of a kiosk is not.',
    }),
    enrolledAt: instant({ readOnly: true, note: 'Since when a browser is this station; null without one.' }),
    codeEndsAt: instant({
      readOnly: true,
      note: 'Until when the enrolment code is valid; null without a code.',
    }),
    ...makerFields,
    /** SHA-256, hex. */
    digest: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
    /** The mark of the enrolment code. Without the key of the appliance, the mark cannot be computed from the code. */
    code: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
  },
})

/** Whether a browser is enrolled as a kiosk. */
export function hasKiosk(db: Pick<Questions, 'count'>): boolean {
  return db.count(enrolledKiosks) > 0
}

const enrolledKiosks = "SELECT EXISTS (SELECT 1 FROM station WHERE kind = 'kiosk' AND enrolledAt IS NOT NULL)"

/** A row of a station. */
export type Station = Row<typeof station.fields>
