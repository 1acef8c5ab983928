import { command, type Document, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import { keepName } from '../keep-name.ts'
import { type StationKind, station } from '../resources/station.ts'
import { madeNow } from '../rights/made-rights.ts'
import { rightIsDecided } from '../rights/right-to-confirm.ts'
import { endSessions, endSessionsOf } from '../sessions/session-commands.ts'

export interface NewStation {
  name: string
  kind?: StationKind
  idleMinutes?: number
}

/** The stored form of an enrolment code. */
export interface StoredCode {
  code: string
  codeEndsAt: number
}

/** The command that makes a station. A browser becomes this station with the enrolment code. */
export const createStation = command('station/create', (tx, input: NewStation & StoredCode): Document => {
  const { id } = tx.insert(station, { ...input, ...madeNow(tx) })
  return tx.document(station, id)
})

interface One {
  id: string
  revision?: number | undefined
}

/**
 * The command that gives a station a new enrolment code. The present browser remains the station until another browser
 * uses the code.
 */
export const newStationCode = command(
  'station/new-code',
  (tx, { id, revision, ...code }: One & StoredCode): Document => {
    tx.expectRevision(station, { id, revision })
    const { id: stationId } = tx.patch(station, id, { ...code, ...madeNow(tx) })
    rightIsDecided(tx, stationId)
    return tx.document(station, id)
  },
)

/** The command that changes a station. When its kind changes, its sessions end. */
export const changeStation = command(
  'station/change',
  (tx, { id, revision, attributes }: One & { attributes: Partial<NewStation> }): Written => {
    tx.expectRevision(station, { id, revision })
    const before = tx.find(station, id)
    const isOther = attributes.kind !== undefined && attributes.kind !== before.kind
    const after = tx.patch(station, id, { ...attributes, ...(isOther && madeNow(tx)) })
    if (isOther) {
      rightIsDecided(tx, before.id)
      endSessionsOf(tx, { of: 'stationId', id: before.id, reason: 'revoked' })
    }
    return { id, revision: after.revision }
  },
)

/** The command that revokes a station: its sessions end, and its cookie becomes invalid. */
export const removeStation = command('station/remove', (tx, { id, revision }: One): null => {
  tx.expectRevision(station, { id, revision })
  const before = tx.find(station, id)
  endSessionsOf(tx, { of: 'stationId', id: before.id, reason: 'revoked' })
  tx.remove(station, id)
  rightIsDecided(tx, before.id)
  keepName(tx, before)
  return null
})

/** How the station is chosen: by an enrolment code, as a new station, or as a demo station of a kind. */
export type Enrolment = { code: string } | { station: NewStation } | { demo: StationKind }

interface Enrolling {
  as: Enrolment
  /** The digest of the new cookie. */
  digest: string
  /** The sessions of people in the browser, which end: others use it from now on. */
  ends: string[]
}

/** The command that makes a browser a station. Throws unauthenticated for a code that is wrong or has ended. */
export const enrolStation = command('station/enrol', (tx, { as, ...rest }: Enrolling): { id: string } => {
  const id = stationFor(tx, as)
  endSessionsOf(tx, { of: 'stationId', id, reason: 'revoked' })
  endSessions(tx, rest.ends, 'replaced')
  rightIsDecided(tx, id)
  tx.patch(station, id, { digest: rest.digest, enrolledAt: tx.now, code: null, codeEndsAt: null })
  return { id }
})

function stationFor(tx: Transaction, as: Enrolment): string {
  if ('station' in as) return tx.insert(station, { ...as.station, ...madeNow(tx) }).id
  if ('demo' in as) return demoStation(tx, as.demo)
  const [found] = tx.select(station, [{ path: 'code', operator: 'eq', value: as.code }], [], 1)
  if (found && (found.codeEndsAt ?? 0) > tx.now) return found.id
  throw new Problem('unauthenticated', 'The enrolment code is wrong, or it has ended.', { pointer: '/code' })
}

/** The largest number of demo stations. A further browser replaces the oldest one. */
const mostDemoStations = 8

function demoStation(tx: Transaction, kind: StationKind): string {
  const kept = tx
    .select(station, [{ path: 'kind', operator: 'eq', value: kind }])
    .filter(({ name }) => name.startsWith('Demo '))
  const names = Array.from({ length: mostDemoStations }, (_, at) => `Demo ${kind} ${at + 1}`)
  const free = names.find((each) => !kept.some(({ name }) => name === each))
  if (free !== undefined) return tx.insert(station, { name: free, kind, idleMinutes: 15 }).id
  return kept.reduce((a, b) => ((a.enrolledAt ?? 0) <= (b.enrolledAt ?? 0) ? a : b)).id
}

export const stationCommands = [createStation, newStationCode, changeStation, removeStation, enrolStation]
