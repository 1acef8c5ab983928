import type { LockTraits, OnlineGrant } from '../../../src/devices/lock-system.ts'
import type { CodePage } from '../code-page.ts'
import { separator } from '../key-records.ts'
import { rowOf } from '../protocol.ts'
import { fieldProblem, roomProblem } from '../record.ts'
import type { AcceptedFields } from './pms-link.ts'

const longestFields = 200
const mostExtra = 20

/** Null when the text can be a room of the lock system; otherwise the reason why not. */
export function lockCodeProblem(code: string, page: CodePage): string | null {
  return (
    roomProblem(code, page) ?? (code.includes(separator) ? 'A room number must have no semicolon.' : null)
  )
}

/** Null when the lock system can make such a key; otherwise the reason why not. */
export function grantProblem(
  grant: OnlineGrant,
  options: ReadonlyMap<string, number>,
  page: CodePage,
): string | null {
  const { usage, keyType, encoder, authorizations, extraLocks } = grant
  if (keyType !== 'keyCard') return 'This lock system makes only cards.'
  if (usage === 'Staff') return 'This lock system makes only guest keys.'
  const encoderProblem = encoder === null ? 'must be named' : fieldProblem('KC', encoder)
  if (encoderProblem) return `The lock system's number of the encoder ${encoderProblem}.`
  for (const code of [grant.lock, ...extraLocks]) {
    const problem = lockCodeProblem(code, page)
    if (problem) return problem
  }
  const strange = authorizations.find((name) => !options.has(name))
  if (strange) return `The lock system has no option ${strange}.`
  if (usage === 'OneShot' && authorizations.length + extraLocks.length > 0)
    return 'A single-use key opens one room and nothing else.'
  if (extraLocks.length > mostExtra || extraLocks.join(separator).length > longestFields)
    return 'There are too many additional rooms.'
  return null
}

/** Fields that the lock system does not accept in this record, although the key would be wrong without them. */
export function missing(wanted: AcceptedFields, id: string, fields: Record<string, string | null>): string[] {
  const names = wanted.get(id)
  return (rowOf(id)?.needed ?? []).filter((name) => fields[name] && !names?.has(name))
}

/**
 * What KD removes: without the reservation number, every key of the room. A key system that has sent nothing yet is assumed
 * to remove every key too.
 */
export function revokesOf(wanted: AcceptedFields | null): 'family' | 'unit' {
  return wanted?.get('KD')?.has('G#') ? 'family' : 'unit'
}

/**
 * Whether the key system receives the time at which a key ends, whatever request makes or changes the key. Before its first
 * announcement it is assumed not to.
 */
export function takesTime(wanted: AcceptedFields | null): boolean {
  const takes = (id: string) => wanted?.get(id)?.has('DT') === true
  return takes('KR') && (takes('KM') || !wanted?.has('KM'))
}

const withCard = { requiresMedium: true, idempotent: false, typicalMs: 10_000 }
const withoutCard = { requiresMedium: false, idempotent: true, typicalMs: 2_000 }

/**
 * What can be requested, as announced by the lock system. Before its first announcement, the minimum that every lock
 * system supports.
 */
export function traitsOf(wanted: AcceptedFields | null): LockTraits {
  const takes = (id: string) => (wanted ? wanted.has(id) : id !== 'KM' && id !== 'KZ')
  const names = (id: string, field: string) => wanted === null || Boolean(wanted.get(id)?.has(field))
  const operations: LockTraits['operations'] = {
    ...(takes('KR') && { create: withCard, copy: withCard, 'one-shot': withCard }),
    ...(takes('KR') && { reencode: withCard }),
    ...(takes('KZ') && { read: { ...withCard, idempotent: true } }),
    ...(takes('KD') && { revoke: withoutCard }),
    ...(takes('KM') && { 'update-dates': withoutCard, extend: withoutCard }),
    ...(takes('KM') && names('KM', 'RO') && { 'update-unit': withoutCard, move: withoutCard }),
  }
  return {
    vendor: 'FIAS',
    product: null,
    productVersion: null,
    keyTypes: ['keyCard'],
    operations,
    limits: {
      maxExtraUnits: names('KR', 'SI') ? mostExtra : 0,
      pinLength: null,
      dateGranularity: names('KR', 'DT') ? 'minute' : 'hour',
      maxValidityDays: null,
      nameLength: longestFields,
      charset: 'latin1',
    },
    extensions: [],
  }
}
