import { settingsIn } from '../../reservation/resources/house.ts'
import { type Settings, settings } from '../../reservation/resources/settings.ts'
import type { Transaction } from '../../resource/command.ts'
import type { Observer, Observers } from '../../resource/observer.ts'
import type { Resource } from '../../resource/resource.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { key } from '../resources/key.ts'
import { neverOver } from '../resources/key-door.ts'
import { lockClock } from './lock-clock.ts'

/** Longer than two zones, and the rounding of an end, are apart. */
const longestMs = 3 * 86_400_000

/** The keys of a provider that may open, or that only their end has closed. A card of an encoder of the appliance has instants. */
const withEnd = `providerId = ${ridOf('access_provider')} AND validUntil > ? AND endsAtLock < ${neverOver}
  AND (proof IS NULL OR proof = 'validity-over')
  AND (keyType <> 'keyCard' OR NOT EXISTS (SELECT 1 FROM access_controller AS own
    WHERE own.providerId = key.providerId AND own.device IS NOT NULL))`

/**
 * Lets the ends of keys follow the clock of their lock system. It received each end in local time: where another time zone is
 * correct, the same local time is another moment. Example: a card until 11:00 that was made in the zone Europe/Helsinki opens until
 * 11:00 of Europe/Lisbon, two hours later. A key never ends earlier by that: it may have been sent in either zone.
 */
function followClock(tx: Transaction, before: Clock, after: Clock): void {
  const [was, is] = [clockOf(before), clockOf(after)]
  for (const { id, endsAtLock } of tx.rows(key, withEnd, after.id, tx.now - longestMs)) {
    const end = is.instantOf(was.wallTime(endsAtLock ?? 0), 'end')
    if (end > (endsAtLock ?? 0)) tx.patch(key, id, { endsAtLock: end })
  }
}

/** A provider, and the time zone of the property. */
type Clock = Pick<AccessProvider, 'id' | 'clockPolicy' | 'timeZone'> & { zone: string }

const clockOf = ({ clockPolicy, timeZone, zone }: Clock) =>
  lockClock(clockPolicy ?? 'Local', timeZone ?? zone)

const ofProvider: Observer = (tx, { before, after, changed }) => {
  if (!before || !after || !changed.some((name) => name === 'timeZone' || name === 'clockPolicy')) return
  const { timeZone: zone } = settingsIn(tx)
  followClock(tx, { ...(before as AccessProvider), zone }, { ...(after as AccessProvider), zone })
}

const ofProperty: Observer = (tx, { before, after, changed }) => {
  if (!before || !after || !changed.includes('timeZone')) return
  const [was, zone] = [(before as Settings).timeZone, (after as Settings).timeZone]
  for (const row of tx.select(accessProvider, [])) followClock(tx, { ...row, zone: was }, { ...row, zone })
}

export const endsFollowClock: Observers = new Map([
  [accessProvider as Resource, ofProvider],
  [settings as Resource, ofProperty],
])
