import { DeviceFault } from '../../../devices/fault.ts'
import { localDate } from '../../../host/zone.ts'
import type { ChangePage } from '../../sync-contract.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import { listOf, type OperaCall, type OperaClient, type OperaRequest } from './client.ts'
import type { OperaSettings } from './connection.ts'
import type { Hints } from './hints.ts'
import type { LiveHere } from './live-here.ts'
import { changesOf, idIn, type MapOptions, revisionOf } from './map-in.ts'
import { firstCursor, hashOf, type PullCursor, type Round, readCursor, writeCursor } from './pull-cursor.ts'
import type { OperaReservation } from './records.ts'
import type { roomWatch } from './rooms.ts'
import { isOver } from './statuses.ts'

interface PullOptions {
  client: OperaClient
  /** Reports the rooms; null where they are not synchronised. */
  rooms: ReturnType<typeof roomWatch> | null
  hints: Pick<Hints, 'add' | 'some' | 'remove' | 'offset'>
  liveHere: LiveHere
  settings: Pick<OperaSettings, 'monthsAhead' | 'hotelId'>
  mapping: MapOptions
}

type Query = NonNullable<OperaRequest['query']>

const path = '/rsv/v1/hotels/{hotelId}/reservations'
/** The size of a page, and the maximum number of reservations in one list. */
const [limit, mostListed] = [100, 50_000]
const dayMs = 86_400_000
/** The days of departure in one list: offsets stay small. */
const windowDays = 31
/** All stays are compared at least this often; in between only those of the days around today. */
const allEveryMs = 900_000
/** A change may become visible at OPERA later than its own time. */
const overlapMs = 60_000
const always: Query = { excludePseudoRoomReservations: true }

/**
 * Fetches what has changed. OPERA's list has no filter for that: each round reads lists of stays, and reports those that
 * were changed since the round before it.
 */
export function pullOf({ client, rooms, hints, liveHere, settings, mapping }: PullOptions) {
  const { timeZone, now } = mapping

  /** The lists of a round lack the stays that ended before them, while the appliance or the line was off. */
  function nameEnded({ is, today }: Round): void {
    if (is === 'all') for (const id of liveHere.endedBefore(plusDays(today, -1))) hints.add(id)
  }

  return async (text: string | null, call: OperaCall): Promise<ChangePage> => {
    const known = readCursor(text)
    const isOurs = (known?.hotelId ?? settings.hotelId) === settings.hotelId
    const cursor = known && isOurs ? known : firstCursor
    const round = cursor.at ?? begun(cursor, now(), localDate(now(), timeZone()))
    const steps = stepsOf(round, settings.monthsAhead)
    const page = await pageOf(client, { ...steps[round.step], offset: round.offset }, call)
    const offset = hints.offset()
    if (cursor.at === null) nameEnded(round)
    const ids = cursor.at === null ? hints.some() : []
    const named = await recordsOf(client, ids, call)
    const isWanted = wantedIn(cursor, round, { liveHere, mapping })
    const report = await reportOf({ wanted: page.records.filter(isWanted), named }, cursor, round, mapping)
    const latest = page.records.map((record) => revisionOf(record, mapping))
    const at = { ...round, latest: Math.max(round.latest, ...latest) }
    if (round.step === 0 && round.offset === 0) at.next = Math.max(round.next, at.latest)
    const isLast = !page.more && round.step + 1 >= steps.length
    const place = page.more
      ? { ...at, offset: round.offset + page.records.length }
      : { ...at, step: round.step + 1, offset: 0 }
    const after = isLast ? ended(cursor, at) : { ...cursor, at: place }
    const reported = [...cursor.reported, ...report.hashes]
    const states = isLast && rooms ? await rooms(cursor.rooms, call) : { changes: [], digest: cursor.rooms }
    hints.remove(ids)
    const stream = hints.some().length === 0 ? offset : cursor.stream
    return {
      changes: [...report.changes, ...states.changes],
      refused: report.refused,
      cursor: writeCursor({
        ...after,
        hotelId: settings.hotelId,
        reported,
        rooms: states.digest,
        stream: stream ?? null,
      }),
      more: !isLast,
    }
  }
}

/** The records of reservations by their ids, as OPERA has them now. One that does not exist is missing. */
export async function recordsOf(
  client: OperaClient,
  ids: readonly string[],
  call: OperaCall,
): Promise<unknown[]> {
  if (ids.length === 0) return []
  return (await pageOf(client, { reservationIdList: ids, offset: 0 }, call)).records
}

function begun({ seen, all, allAt }: PullCursor, now: number, today: string): Round {
  const isNear = all !== null && now >= allAt && now - allAt < allEveryMs
  return { is: isNear ? 'near' : 'all', today, beganAt: now, step: 0, offset: 0, next: seen, latest: seen }
}

/**
 * Whether a round reports a listed record. The first round of all stays reports every stay that is not over, and one that is over only
 * where it is live in the appliance, as after a restore.
 */
function wantedIn(
  { near, all }: PullCursor,
  { is }: Round,
  { liveHere, mapping }: Pick<PullOptions, 'liveHere' | 'mapping'>,
): (record: unknown) => boolean {
  const from = (is === 'near' ? near : (all ?? 0)) - overlapMs
  if (all !== null) return (record) => !isOlder(record, from, mapping)
  return (record) => {
    const { reservationStatus, reservationIdList } = (record ?? {}) as Partial<OperaReservation>
    return !isOver(String(reservationStatus)) || liveHere.has(idIn(reservationIdList, 'Reservation') ?? '')
  }
}

/** A named record is reported whenever it was changed: its hint may have come late. */
async function reportOf(
  { wanted, named }: { wanted: readonly unknown[]; named: readonly unknown[] },
  { reported }: PullCursor,
  round: Round,
  mapping: MapOptions,
) {
  const known = new Set(reported)
  const byHash = new Map([...wanted, ...named].map((record) => [hashOf(record), record]))
  const fresh = [...byHash].flatMap(([hash, record]) => (known.has(hash) ? [] : [record]))
  const kept = fresh.filter((record) => !isOlder(record, round.next - overlapMs, mapping))
  return { ...(await changesOf(fresh, mapping)), hashes: kept.map(hashOf) }
}

/** A record without a time of its last change is never older: it is reported, and quarantined. */
function isOlder(record: unknown, than: number, mapping: MapOptions): boolean {
  const revision = revisionOf(record, mapping)
  return revision !== 0 && revision < than
}

function ended(cursor: PullCursor, { is, beganAt, next, latest }: Round): PullCursor {
  const after = { ...cursor, seen: latest, near: next, at: null }
  return is === 'near' ? after : { ...after, all: next, allAt: beganAt }
}

/** The lists of a round, by their filters. */
function stepsOf({ is, today }: Round, monthsAhead: number): Query[] {
  const inHouse: Query = { ...always, reservationStatuses: ['InHouse', 'DueOut'] }
  const [yesterday, tomorrow] = [plusDays(today, -1), plusDays(today, 1)]
  if (is === 'near') {
    return [
      { ...always, arrivalStartDate: yesterday, arrivalEndDate: tomorrow },
      { ...always, departureStartDate: yesterday, departureEndDate: tomorrow },
      inHouse,
    ]
  }
  const windows = Array.from({ length: monthsAhead }, (_, at) => ({
    ...always,
    departureStartDate: plusDays(yesterday, at * windowDays),
    departureEndDate: plusDays(yesterday, (at + 1) * windowDays - 1),
  }))
  return [inHouse, ...windows]
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

async function pageOf(client: OperaClient, query: Query, call: OperaCall) {
  const answer = await client.ask({ method: 'GET', path, query: { ...query, limit } }, call)
  if (answer === null) return { records: [], more: false }
  const { reservations } = answer as { reservations?: { reservationInfo?: unknown; hasMore?: unknown } }
  if (typeof reservations !== 'object' || reservations === null)
    throw new UnreadableAnswer('OPERA answered to a request for reservations without a list of them.', answer)
  const records = listOf<unknown>(reservations.reservationInfo)
  if (Number(query.offset) + records.length > mostListed)
    throw new DeviceFault('vendor-error', `OPERA has more than ${mostListed} reservations in one list.`)
  return { records, more: reservations.hasMore === true && records.length > 0 }
}
