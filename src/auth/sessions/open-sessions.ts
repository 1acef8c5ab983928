import type { IncomingMessage } from 'node:http'
import type { Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { type Account, account } from '../accounts/account.ts'
import { type Session, session } from './session.ts'
import { longestSessionMs, sessionUsed } from './session-commands.ts'
import { cookieIn } from './session-cookie.ts'
import { type Station, station } from './station.ts'

/** A session that has not ended, with the people and places that it refers to. */
export interface OpenSession {
  row: Session
  /** Null for a kiosk. */
  account: Account | null
  station: Station | null
}

/** The sessions and stations of requests. */
export interface OpenSessions {
  /** Returns the session of the request's cookie; null without one, and for one that has ended. */
  of(message: IncomingMessage): OpenSession | null
  /** Returns the session with the digest of a cookie; null without one. */
  with(digest: string): OpenSession | null
  /** Returns the station of the request's cookie; null without one. */
  stationOf(message: IncomingMessage): Station | null
  /** Returns when the session is locked unless it is used, Unix milliseconds; null for a kiosk. */
  locksAt(open: OpenSession): number | null
  isLocked(open: OpenSession): boolean
  /** Whether the session with this id goes on, unlocked. */
  isLet(id: string): boolean
  /** Records a use of the session by a person. */
  used(open: OpenSession): void
}

interface Options {
  reader: Reader
  writer: Writer
  now(): number
  /** Called with each error of a write that is not a Problem. */
  failed(error: unknown): void
}

const minute = 60_000
/** The idle limit of a browser that is no station, where unlocking takes the whole password. */
const idleMinutesElsewhere = 15
const mostKept = 2_000
const actor = { by: 'gate', requestId: null }

export function openSessions({ reader, writer, now, failed }: Options): OpenSessions {
  const lookedUp = keptUntilWrite(reader, (digest) => found(reader, digest))
  /** The last use of each session. The row has it to the minute. */
  const lastUses = new Map<string, number>()
  const recordedAt = new Map<string, number>()

  const lastUse = ({ id, lastUsedAt }: Session) => Math.max(lastUses.get(id) ?? 0, lastUsedAt ?? 0)

  function locksAt({ row, account, station }: OpenSession): number | null {
    if (account === null) return null
    return lastUse(row) + (station?.idleMinutes ?? idleMinutesElsewhere) * minute
  }

  function isLocked(open: OpenSession): boolean {
    const at = locksAt(open)
    if (at === null || typeof open.row.lockedAt === 'number') return at !== null
    // A use in the future: the clock was set back, and nobody knows how long the session was left alone.
    return now() >= at || lastUse(open.row) - now() >= minute
  }

  function goesOn(open: OpenSession | null): OpenSession | null {
    if (typeof open?.row.endsAt !== 'number') return open
    const left = open.row.endsAt - now()
    // More is left than a session ever has when the clock was set back.
    return left > 0 && left < longestSessionMs + minute ? open : null
  }

  function used({ row: { id, lastUsedAt } }: OpenSession): void {
    const at = now()
    if (lastUses.size >= mostKept) lastUses.clear()
    lastUses.set(id, at)
    // The clock may have been set back.
    if (Math.abs(at - Math.max(lastUsedAt ?? 0, recordedAt.get(id) ?? 0)) < minute) return
    if (recordedAt.size >= mostKept) recordedAt.clear()
    recordedAt.set(id, at)
    writer
      .execute(sessionUsed, { id, at }, { actor })
      .catch((error) => error instanceof Problem || failed(error))
  }

  return {
    of(message) {
      const digest = cookieIn(message, 'session')
      return digest === null ? null : goesOn(lookedUp(digest))
    },
    with: (digest) => goesOn(lookedUp(digest)),
    stationOf(message) {
      const digest = cookieIn(message, 'station')
      return digest === null ? null : first(reader, station, 'digest', digest)
    },
    locksAt,
    isLocked,
    isLet(id) {
      const row = reader.row(session, id)
      const open = row && goesOn(joined(reader, row))
      return open !== null && !isLocked(open)
    },
    used,
  }
}

/**
 * Looking a session up with its account and station takes 29 us of every request, and 2 us from this cache. Any write
 * empties it, so an ended session is refused at once.
 */
function keptUntilWrite(reader: Reader, look: (digest: string) => OpenSession | null) {
  const kept = new Map<string, OpenSession>()
  let version = -1
  return (digest: string): OpenSession | null => {
    const current = reader.version()
    if (current !== version || kept.size > mostKept) {
      kept.clear()
      version = current
    }
    const known = kept.get(digest)
    if (known) return known
    const open = look(digest)
    if (open) kept.set(digest, open)
    return open
  }
}

function found(reader: Reader, digest: string): OpenSession | null {
  const row = first(reader, session, 'digest', digest)
  return row && joined(reader, row)
}

/** Returns null when the account is disabled or gone, or the kiosk's station is gone. */
function joined(reader: Reader, row: Session): OpenSession | null {
  const who = typeof row.accountId === 'string' ? reader.row(account, row.accountId) : null
  const where = typeof row.stationId === 'string' ? reader.row(station, row.stationId) : null
  if (who ? who.disabled : where?.kind !== 'kiosk') return null
  return { row, account: who, station: where }
}

function first<R extends Resource>(
  reader: Reader,
  resource: R,
  path: string,
  value: string,
): Row<R['fields']> | null {
  const filters = [{ path, operator: 'eq' as const, value }]
  return reader.rows(resource, { filters, sort: [], page: { size: 1 } })[0] ?? null
}
