import type { IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import { keptByRevision, type LookedUp } from '../kept-by-revision.ts'
import { type Account, account } from '../resources/account.ts'
import { type Session, session } from '../resources/session.ts'
import { type Station, station } from '../resources/station.ts'
import { longestSessionMs, sessionUsed } from './session-commands.ts'
import { cookieIn, isOfKiosk, sessionCookiesIn } from './session-cookie.ts'

/** A session that has not ended, with the people and places that it refers to. */
export interface OpenSession {
  row: Session
  /** Null for a kiosk. */
  account: Account | null
  station: Station | null
}

/** The sessions and stations of requests. */
export interface OpenSessions {
  /**
   * Returns the session of the request's cookie; null without one, and for one that has ended. To the page of a kiosk only
   * the session of a kiosk is one.
   */
  of(message: IncomingMessage): OpenSession | null
  /** Returns the ids of the sessions of people in the browser of the request, whichever of its pages has sent it. */
  peopleIn(message: IncomingMessage): string[]
  /** Returns the session with the digest of a cookie; null without one. */
  with(digest: string): OpenSession | null
  /** Returns the station of the request's cookie; null without one. */
  stationOf(message: IncomingMessage): Station | null
  /** Returns when an unused session will be locked, Unix milliseconds; null for a kiosk, which is never locked. */
  locksAt(open: OpenSession): number | null
  isLocked(open: OpenSession): boolean
  /** Throws session-locked for a request with the cookie of a locked session; one without a session passes. */
  expectUnlocked(message: IncomingMessage): void
  /** Returns whether the session is still open and unlocked, and its person has the rights that were read with it. */
  isLet(open: OpenSession): boolean
  /** Records a use of the session by a person. */
  used(open: OpenSession): void
  /** Records a request of a session's page, with or without a person's action. */
  heard(open: OpenSession): void
  /** Returns the names of the kiosks whose pages have sent no request for two minutes. */
  silentKiosks(): string[]
}

interface Options {
  reader: Reader
  writer: Writer
  now(): number
  /** Called with each error of a write that is not a Problem. */
  failed(error: unknown): void
}

const minute = 60_000
/** The idle limit of a browser that is not a station. Unlocking needs the password there. */
const idleMinutesElsewhere = 15
const mostKept = 2_000
/** The page of a kiosk sends a request every five seconds. */
const silentAfterMs = 2 * minute
const actor = { by: 'gate', requestId: null }

const ofKiosk: Filter = { path: 'accountId', operator: 'isnull', value: null }

/** Sets an entry of a map that forgets all when it has too many. */
function keep(times: Map<string, number>, id: string, at: number): void {
  if (times.size >= mostKept) times.clear()
  times.set(id, at)
}

/** The last use of each session. The row is updated at most once a minute. */
class SessionUses {
  readonly #last = new Map<string, number>()
  readonly #recorded = new Map<string, number>()

  /** Returns the last use of a session, Unix milliseconds. */
  last({ id, lastUsedAt }: Session): number {
    return Math.max(this.#last.get(id) ?? 0, lastUsedAt ?? 0)
  }

  /** Notes a use, and returns whether the row is to be updated. */
  note({ id, lastUsedAt }: Session, at: number): boolean {
    keep(this.#last, id, at)
    // The clock may have been set back.
    if (Math.abs(at - Math.max(lastUsedAt ?? 0, this.#recorded.get(id) ?? 0)) < minute) return false
    keep(this.#recorded, id, at)
    return true
  }
}

/** Finds the sessions of requests, and records their use. */
export function openSessions({ reader, writer, now, failed }: Options): OpenSessions {
  const lookedUp = keptByRevision(reader, revisions, (digest) => found(reader, digest), mostKept)
  const uses = new SessionUses()
  /**
   * The time of the last request of each kiosk. After a start of the appliance each kiosk has two minutes for its first
   * request.
   */
  const heardAt = new Map<string, number>()
  const startedAt = now()

  function locksAt({ row, account, station }: OpenSession): number | null {
    if (account === null) return null
    return uses.last(row) + (station?.idleMinutes ?? idleMinutesElsewhere) * minute
  }

  function isLocked(open: OpenSession): boolean {
    const at = locksAt(open)
    if (at === null || typeof open.row.lockedAt === 'number') return at !== null
    // The last use is in the future: the clock was set back, and the idle time is unknown.
    return now() >= at || uses.last(open.row) - now() >= minute
  }

  const goesOn = (open: OpenSession | null) => (hasEnded(open, now()) ? null : open)

  function used({ row }: OpenSession): void {
    const [id, at] = [row.id, now()]
    if (!uses.note(row, at)) return
    writer
      .execute(sessionUsed, { id, at }, { actor })
      .catch((error) => error instanceof Problem || failed(error))
  }

  function of(message: IncomingMessage): OpenSession | null {
    const digest = cookieIn(message, 'session')
    const open = digest === null ? null : goesOn(lookedUp(digest))
    return open?.account && isOfKiosk(message) ? null : open
  }

  return {
    of,
    peopleIn: (message) =>
      sessionCookiesIn(message).flatMap((digest) => {
        const open = lookedUp(digest)
        return open?.account ? [open.row.id] : []
      }),
    with: (digest) => goesOn(lookedUp(digest)),
    stationOf(message) {
      const digest = cookieIn(message, 'station')
      const found = digest === null ? null : first(reader, station, 'digest', digest)
      return found?.refusedAt ? null : found
    },
    locksAt,
    isLocked,
    expectUnlocked(message) {
      const open = of(message)
      if (open && isLocked(open)) throw sessionLocked()
    },
    heard({ row, account }) {
      if (account === null) keep(heardAt, row.id, now())
    },
    silentKiosks: () =>
      reader.rows(session, { filters: [ofKiosk], sort: [], page: { size: 100 } }).flatMap((row) => {
        const open = goesOn(joined(reader, row))
        const silentMs = now() - (heardAt.get(row.id) ?? Math.max(startedAt, row.startedAt ?? 0))
        return open && silentMs > silentAfterMs ? [open.station?.name ?? ''] : []
      }),
    isLet({ row: { id }, account: before }) {
      const row = reader.row(session, id)
      const open = row && goesOn(joined(reader, row))
      return open !== null && !isLocked(open) && isDeepStrictEqual(rightsOf(open.account), rightsOf(before))
    },
    used,
  }
}

/** Whether a session is over. One that has more time left than the longest session is: the clock was set back. */
function hasEnded(open: OpenSession | null, now: number): boolean {
  if (typeof open?.row.endsAt !== 'number') return false
  const left = open.row.endsAt - now
  return left <= 0 || left >= longestSessionMs + minute
}

/** The refusal of a request with the cookie of a locked session. */
export const sessionLocked = () =>
  new Problem('session-locked', 'The session is locked. Enter the passcode or the password.')

/**
 * Looking a session up with its account and station takes 29 us of every request, and its revisions 6 us after a write.
 */
const revisions = `SELECT concat_ws(' ', session.revision, account.revision, station.revision) FROM session
  LEFT JOIN account ON account.rid = accountId LEFT JOIN station ON station.rid = stationId
  WHERE session.id = ${uuidBytes()}`

function found(reader: Reader, digest: string): (OpenSession & LookedUp) | null {
  const row = first(reader, session, 'digest', digest)
  const open = row && joined(reader, row)
  if (!open) return null
  const rows = [open.row, open.account, open.station].filter((each) => each !== null)
  return { ...open, id: open.row.id, revisions: rows.map(({ revision }) => revision).join(' ') }
}

/** What the scopes of a session follow from; null for a kiosk, whose scopes never change. */
function rightsOf(who: Account | null) {
  return who && [who.role, who.scopes ?? []]
}

/** Returns null when the account is disabled or gone, or the kiosk's station is gone or refused. */
function joined(reader: Reader, row: Session): OpenSession | null {
  const who = typeof row.accountId === 'string' ? reader.row(account, row.accountId) : null
  const where = typeof row.stationId === 'string' ? reader.row(station, row.stationId) : null
  if (who ? who.disabled : where?.kind !== 'kiosk' || where.refusedAt) return null
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
