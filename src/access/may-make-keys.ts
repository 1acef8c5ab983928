import { isCopy, isFenced } from '../reservation/property/epoch.ts'
import { Problem } from '../resource/problem.ts'
import type { Property } from './access.ts'

/**
 * Throws clock-implausible while the time is uncertain: a key could open too long or not at all. Throws box-fenced when another
 * box has the property: both would give the same numbers to keys.
 */
export function expectMayMakeKeys({ clock, reader }: Pick<Property, 'clock' | 'reader'>): void {
  if (!clock.isPlausible())
    throw new Problem(
      'clock-implausible',
      'The clock of the box is implausible. No key is made until date and time are certain. Connect a time server, or state date and time.',
      // A time server may answer within the pause before a retry.
      { meta: { guest: 'desk', retryAfterSeconds: 30 } },
    )
  if (!isFenced(reader)) return
  if (isCopy(reader))
    throw new Problem(
      'box-fenced',
      'The data of this box were copied from another machine or folder, where a box may still make keys, so this one makes none. State on the system page that this box is the right one, or switch it off.',
      { meta: { guest: 'desk' } },
    )
  throw new Problem(
    'box-fenced',
    'A backup of this property was restored to a newer box, so this one makes no keys. Switch this box off, or state on the system page that it is the right one.',
    { meta: { guest: 'desk' } },
  )
}
