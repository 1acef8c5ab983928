import type { OnlineGrant } from '../../src/devices/lock-system.ts'
import { reservedRooms } from './card.ts'
import { expiryText, type LockClock, startText } from './dates.ts'
import type { EncoderRequest } from './exchange.ts'
import { fieldText } from './framing.ts'
import { type EncoderCommandName, greatestEncoder, noEncoder, roomsOnCard } from './protocol.ts'
import type { IndustryStandardSettings } from './settings.ts'

const longestRoom = 20

/** Null for a valid room name; otherwise a description of a valid one. */
export function lockCodeProblem(code: string): string | null {
  const fits = code !== '' && code.trim() === code && code.length <= longestRoom && fieldText.test(code)
  if (fits && !reservedRooms.includes(code)) return null
  return `A room is named as in the lock system: 1 to ${longestRoom} characters of Latin-1, and not ${reservedRooms.join(', ')}`
}

/** The number of an encoder, 1 to 99, as messages carry it; null for anything else. */
export function encoderNumber(word: string | null): string | null {
  const number = /^\d{1,2}$/.test(word ?? '') ? Number(word) : 0
  return number >= 1 && number <= greatestEncoder ? String(number) : null
}

/** Null when the protocol can request such a key; otherwise the reason why not. */
export function grantProblem(
  grant: OnlineGrant,
  settings: IndustryStandardSettings,
  clock: LockClock,
): string | null {
  const { keyType, usage, copy, encoder, lock, extraLocks, authorizations, validFrom, validUntil } = grant
  const room = [lock, ...extraLocks].map(lockCodeProblem).find((problem) => problem !== null)
  const unknown = authorizations.find((name) => !settings.digits.has(name))
  const { dateFormat } = settings
  const dated = startText(validFrom, dateFormat, clock) && expiryText(validUntil, dateFormat, clock)
  const rules: [stands: boolean, text: string][] = [
    [keyType !== 'keyCard', 'The lock system makes only cards'],
    [usage !== 'Guest' && usage !== 'OneShot', 'The lock system makes only guest cards'],
    [encoderNumber(encoder) === null, `A card needs an encoder, a number from 1 to ${greatestEncoder}`],
    [extraLocks.length >= roomsOnCard, `A card opens at most ${roomsOnCard} rooms`],
    [usage === 'OneShot' && extraLocks.length > 0, 'A card that opens once opens one room'],
    [usage === 'OneShot' && copy, 'A card that opens once has no copies'],
    [validUntil <= validFrom, 'The key would never be valid'],
    [dated === null, 'Dates are written from 2000 to 2099'],
    [unknown !== undefined, `There is no authorization ${JSON.stringify(unknown)}`],
  ]
  return room ?? rules.find(([stands]) => stands)?.[1] ?? null
}

/** The command that makes such a key. */
export function commandFor({ usage, copy }: Pick<OnlineGrant, 'usage' | 'copy'>): EncoderCommandName {
  return usage === 'OneShot' ? 'CA1' : copy ? 'CC1' : 'CN1'
}

/**
 * The request for a key. Call it only for a grant without a problem. A start in the past is left out, which means "now"
 * to the lock system: its clock may be behind the appliance's.
 */
export function keyRequest(
  grant: OnlineGrant,
  settings: IndustryStandardSettings,
  clock: LockClock,
  now: number,
): EncoderRequest {
  const name = commandFor(grant)
  const encoder = encoderNumber(grant.encoder) ?? ''
  const rooms = [grant.lock, ...grant.extraLocks]
  const [granted, denied] = digitsOf(grant.authorizations, settings)
  const hasBegun = grant.validFrom <= now
  const fields = [
    name,
    encoder,
    'E',
    ...Array.from({ length: roomsOnCard }, (_, index) => rooms[index] ?? ''),
    granted,
    denied,
    hasBegun ? '' : (startText(grant.validFrom, settings.dateFormat, clock) ?? ''),
    expiryText(grant.validUntil, settings.dateFormat, clock) ?? '',
    settings.operator,
  ]
  return { name, encoder, fields }
}

/** The request that ends the stay in a room. */
export function checkOutRequest(room: string): EncoderRequest {
  return { name: 'CO', encoder: noEncoder, fields: ['CO', noEncoder, room] }
}

/** The request that reads the card on an encoder. */
export function readRequest(encoder: string): EncoderRequest {
  return { name: 'LT', encoder, fields: ['LT', encoder, 'E'] }
}

/** The granted digits and the denied digits, sorted. */
function digitsOf(
  names: readonly string[],
  { digits, deniesOthers }: IndustryStandardSettings,
): [string, string] {
  const granted = new Set(names.map((name) => digits.get(name)))
  const others = [...digits.values()].filter((digit) => deniesOthers && !granted.has(digit))
  return [[...granted].sort().join(''), [...new Set(others)].sort().join('')]
}
