import { type LockClash, lockClashes } from '../access/resources/door.ts'
import { hasKiosk } from '../auth/resources/station.ts'
import type { Message } from '../jsonapi/locales/message.ts'
import { hasDeskPhone } from '../reservation/property/desk-phone.ts'
import { cachedSettings } from '../reservation/resources/house.ts'
import {
  type Assumable,
  assumable,
  assumedSettings,
  unknownCountry,
} from '../reservation/values/assumed-settings.ts'
import type { Reader } from '../resource/keeper.ts'
import { uuidText } from '../resource/uuid-sql.ts'

/** What a property needs for its work. */
export interface PropertySetup {
  hasUnits: boolean
  hasLockSystem: boolean
  hasController: boolean
  /** A kiosk is enrolled, and the property has no telephone number of the desk for its guests. */
  lacksDeskPhone: boolean
  /** Units of a lock system that have one lock although it is not declared as shared. */
  lockClashes: LockClash[]
  /** What the first start assumed and how a person confirms it; empty when nothing is assumed. */
  assumption: Message[]
}

/** Returns whether a property has what it needs for its work. */
export function propertySetup(reader: Reader): PropertySetup {
  const has = (rows: string) => reader.count(`SELECT EXISTS (SELECT 1 FROM ${rows})`) === 1
  return {
    hasUnits: has('unit'),
    hasLockSystem: has('access_provider WHERE enabled = 1'),
    hasController: has('access_controller'),
    lacksDeskPhone: hasKiosk(reader) && !hasDeskPhone(cachedSettings(reader) ?? {}),
    lockClashes: reader
      .all<{ id: string }>(`SELECT ${uuidText('id')} AS id FROM access_provider`)
      .flatMap(({ id }) => lockClashes(reader, id)),
    assumption: assumption(reader),
  }
}

/** Returns what the first start assumed and how a person confirms it; empty when nothing is assumed. */
export function assumption(reader: Reader): Message[] {
  const assumed = assumedSettings(reader)
  const settings = cachedSettings(reader)
  if (assumed.length === 0 || !settings) return []
  const { timeZone, country } = settings
  const found: Record<Assumable, Message> = {
    timeZone: { code: 'time-zone-assumed', values: { timeZone } },
    country:
      country === unknownCountry
        ? { code: 'country-unknown' }
        : { code: 'country-assumed', values: { country } },
  }
  return [...assumed.map((name) => found[name]), { code: 'assumed-matters' }, { code: 'confirm-settings' }]
}

/** Returns what the configuration states otherwise than the settings, which alone count after the first start. */
export function unusedSettings(reader: Reader, stated: Record<Assumable, string | null>): string[] {
  const settings = cachedSettings(reader)
  return assumable.flatMap((name) =>
    !settings || stated[name] === null || stated[name] === settings[name]
      ? []
      : `${name} ${stated[name]} of the configuration was not used: the property has ${settings[name]}. Change it on the page /setup#/house.`,
  )
}
