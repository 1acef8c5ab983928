import { reportedUid } from '../../src/devices/driving/reported-uid.ts'
import type { LockSetup, OnlineGrant, ReadKey } from '../../src/devices/lock-system.ts'
import { dateField, minuteField, readDate, readTime, upToMinute } from './moments.ts'
import type { FieldsOf } from './protocol.ts'
import type { FiasRecord } from './record.ts'

type Clock = Pick<LockSetup, 'wallTime' | 'instantOf'>

export const separator = ';'
const yes = '1'
const no = '0'

/** The fields of KR for a grant. */
export function keyRequest(
  grant: OnlineGrant,
  options: ReadonlyMap<string, number>,
  clock: Clock,
): FieldsOf<'KR'> {
  const fields = {
    KC: grant.encoder,
    // One request makes one key.
    'K#': '1',
    KT: grant.usage === 'OneShot' ? 'O' : grant.copy ? 'D' : 'N',
    RN: grant.lock,
    'G#': String(grant.family),
    GD: dateField(clock.wallTime(upToMinute(grant.validUntil))),
  }
  // A one-shot key opens one room until a date, and carries nothing else.
  if (grant.usage === 'OneShot') return fields
  return { ...fields, ...window(grant, clock), GN: grant.label, ...rights(grant, options) }
}

/** The fields of KM for the new state of a key. */
export function changeRequest(from: OnlineGrant, to: OnlineGrant, clock: Clock): FieldsOf<'KM'> {
  return {
    KC: to.encoder,
    'G#': String(from.family),
    RN: to.lock,
    RO: from.lock === to.lock ? null : from.lock,
    ...window(to, clock),
    GN: to.label,
    SI: to.extraLocks.join(separator) || null,
  }
}

/** The fields of KD for the key to remove. */
export function deleteRequest({ encoder, lock, family, extraLocks }: OnlineGrant): FieldsOf<'KD'> {
  return { KC: encoder, RN: lock, 'G#': String(family), SI: extraLocks.join(separator) || null }
}

/** The window from the start date to the minute of the end, never shorter than requested. */
function window(
  { validFrom, validUntil }: OnlineGrant,
  { wallTime }: Clock,
): Pick<FieldsOf<'KR'>, 'GA' | 'GD' | 'DT'> {
  const end = wallTime(upToMinute(validUntil))
  return { GA: dateField(wallTime(validFrom)), GD: dateField(end), DT: minuteField(end) }
}

/**
 * The instant from which no lock accepts a key: the minute of DT, or, where the key system does not receive it, the end of the day
 * of GD. A one-shot key has no DT.
 */
export function endOf(
  { usage, validUntil }: Pick<OnlineGrant, 'usage' | 'validUntil'>,
  takesTime: boolean,
  { wallTime, instantOf }: Clock,
): number {
  const end = upToMinute(validUntil)
  const { date } = wallTime(end)
  if (usage !== 'OneShot' && takesTime)
    return instantOf({ date, time: `${minuteField(wallTime(end))}:00` }, 'end')
  return instantOf({ date, time: '23:59:59' }, 'end') + 1_000
}

function rights(
  { authorizations, extraLocks }: OnlineGrant,
  options: ReadonlyMap<string, number>,
): FieldsOf<'KR'> {
  return { SI: extraLocks.join(separator) || null, KO: keyOptions(authorizations, options) }
}

/** Position i is the state of option i: on, off, or a blank for an option without a configured name. */
function keyOptions(authorizations: readonly string[], options: ReadonlyMap<string, number>): string | null {
  if (options.size === 0) return null
  const letters = Array<string>(Math.max(...options.values())).fill(' ')
  for (const position of options.values()) letters[position - 1] = no
  for (const name of authorizations) {
    const position = options.get(name)
    if (position) letters[position - 1] = yes
  }
  return letters.join('')
}

/** The serial number in an answer; null when there is none. */
export function uidOf({ fields }: FiasRecord): string | null {
  return reportedUid(fields.$2)
}

/** The content of a card in an answer to KZ. */
export function readKey(record: FiasRecord, { instantOf }: Clock): ReadKey {
  const { RN, SI, GA, GD, DT, CT, 'G#': reservation } = record.fields
  const locks = [RN, ...(SI ?? '').split(separator)].filter((lock) => lock !== undefined && lock !== '')
  const from = readDate(GA)
  const until = readDate(GD)
  const time = readTime(DT)
  const remarks = [
    CT,
    reservation && `Reservation ${reservation}`,
    until && !time && `Until ${until}, at the lock system's own time`,
  ]
  return {
    uid: uidOf(record),
    blank: false,
    found:
      locks.length === 0
        ? null
        : {
            locks: locks as string[],
            validFrom: from && instantOf({ date: from, time: '00:00:00' }, 'start'),
            validUntil: until && time && instantOf({ date: until, time }, 'end'),
          },
    remarks: remarks.filter((remark): remark is string => Boolean(remark)),
  } as ReadKey
}
