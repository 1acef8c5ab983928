import { command, type Transaction } from '../../resource/command.ts'
import type { Filter } from '../../resource/query.ts'
import { account } from '../resources/account.ts'
import { type Session, session } from '../resources/session.ts'

/** Why a session ended, for the journal. */
export type SessionEnd = 'signed-out' | 'replaced' | 'revoked' | 'account-changed' | 'restored'

/** The longest session: it ends twelve hours after the sign-in, however much it is used. */
export const longestSessionMs = 12 * 3_600_000
/** The largest number of sessions of one account. A further sign-in ends the oldest session. */
const mostOfAccount = 20

export interface NewSession {
  /** Null for a kiosk. */
  accountId: string | null
  stationId: string | null
  digest: string
  address: string
  /** The sessions of this browser that end. */
  replaces: string[]
}

/**
 * The command that begins a session. It ends the previous sessions of the browser. It also ends the session at the
 * station of the same kind (kiosk or person), because a station is one browser. Throws not-found when the account or
 * the station does not exist.
 */
export const startSession = command('session/start', (tx, input: NewSession): { id: string } =>
  sessionStarted(tx, input),
)

/** Begins a session in the transaction of a command. */
function sessionStarted(tx: Transaction, { replaces, ...input }: NewSession): { id: string } {
  tx.run('DELETE FROM session WHERE endsAt <= ?', tx.now)
  if (input.accountId !== null) tx.find(account, input.accountId)
  // The page of a kiosk and a technician can each have a session at the same machine.
  const isLike = ({ accountId }: Session) => ((accountId ?? null) === null) === (input.accountId === null)
  const before = [
    ...replaces.flatMap((id) => sessionsWith(tx, 'id', id)),
    ...(input.stationId === null ? [] : sessionsWith(tx, 'stationId', input.stationId).filter(isLike)),
  ]
  for (const id of new Set(before.map(({ id }) => id))) ended(tx, id, 'replaced')
  if (input.accountId !== null)
    for (const { id } of sessionsWith(tx, 'accountId', input.accountId).slice(0, 1 - mostOfAccount))
      ended(tx, id, 'replaced')
  const endsAt = input.accountId === null ? null : tx.now + longestSessionMs
  const times = { startedAt: tx.now, lastUsedAt: tx.now, authenticatedAt: tx.now, endsAt }
  const { id } = tx.insert(session, { ...input, ...times })
  const { accountId, stationId } = input
  tx.journal('session.started', `sessions/${id}`, { accountId, stationId })
  return { id }
}

/** The command that ends one session. It does nothing when the session has ended. */
export const endSession = command(
  'session/end',
  (tx, { id, reason }: { id: string; reason: SessionEnd }): null => {
    endSessions(tx, [id], reason)
    return null
  },
)

/** Ends the sessions that still last, in the transaction of a command. */
export function endSessions(tx: Transaction, ids: readonly string[], reason: SessionEnd): void {
  for (const id of ids) if (sessionsWith(tx, 'id', id).length > 0) ended(tx, id, reason)
}

interface Group {
  of: 'accountId' | 'stationId'
  id: string
  reason: SessionEnd
  /** A session to exclude, which continues. */
  except?: string | undefined
}

/** Ends the sessions of an account or at a station, in the transaction of a command. */
export function endSessionsOf(tx: Transaction, { of, id, reason, except }: Group): void {
  for (const each of sessionsWith(tx, of, id)) if (each.id !== except) ended(tx, each.id, reason)
}

/** Ends every session, in the transaction of a command: the cookies of a restored backup are out of date. */
export function endAllSessions(tx: Transaction): void {
  for (let some = tx.select(session, []); some.length > 0; some = tx.select(session, []))
    for (const { id } of some) ended(tx, id, 'restored')
}

/** The command that locks a session until its person enters the passcode or the password. */
export const lockSession = command('session/lock', (tx, { id }: { id: string }): null => {
  const { lockedAt } = tx.find(session, id)
  if (typeof lockedAt === 'number') return null
  tx.patch(session, id, { lockedAt: tx.now })
  tx.journal('session.locked', `sessions/${id}`, {})
  return null
})

interface Renewal {
  id: string
  digest: string
  /** The person's action, for the journal. */
  as: 'unlocked' | 'reauthenticated'
  /** Whether the person may sign in with this kind of secret. Only then may it do what is asked again. */
  isFull: boolean
}

/** The command that gives a session a new cookie after its person has entered a secret, and unlocks it. */
export const renewSession = command('session/renew', (tx, { id, digest, as, isFull }: Renewal): null => {
  const authenticated = isFull ? { authenticatedAt: tx.now } : {}
  tx.patch(session, id, { digest, ...authenticated, lastUsedAt: tx.now, lockedAt: null })
  tx.journal(`session.${as}`, `sessions/${id}`, {})
  return null
})

/** The command that records when a session was last used. It does nothing when the session has ended. */
export const sessionUsed = command('session/used', (tx, { id, at }: { id: string; at: number }): null => {
  if (sessionsWith(tx, 'id', id).length > 0) tx.patch(session, id, { lastUsedAt: at })
  return null
})

function sessionsWith(tx: Transaction, path: string, value: string): Session[] {
  const filters: Filter[] = [{ path, operator: 'eq', value }]
  return tx.select(session, filters)
}

function ended(tx: Transaction, id: string, reason: SessionEnd): void {
  tx.remove(session, id)
  tx.journal('session.ended', `sessions/${id}`, { reason })
}

export const sessionCommands = [startSession, endSession, lockSession, renewSession, sessionUsed]
