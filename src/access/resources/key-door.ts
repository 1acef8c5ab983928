import { isDeepStrictEqual } from 'node:util'
import { longestRoundingMs } from '../../devices/lock-system.ts'
import { exactly } from '../../jsonapi/description.ts'
import { flag, list, momentOrNull, textOrNull } from '../../jsonapi/schemas/words.ts'
import { parts } from '../../resource/compound.ts'
import { instant, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { instantText } from '../../resource/instant-sql.ts'
import type { Attributes } from '../../resource/resource.ts'

/** The proof that a key no longer opens a door. */
export const deathProofs = [
  /** Its card was read back blank, or holds another key now. */
  'card-erased',
  /** The lock system has confirmed the revocation. */
  'lock-acknowledged',
  /** A newer original was used at the same door: the lock refuses older keys. */
  'newer-original-used',
  /** Its window is over, also for a slow lock clock. */
  'validity-over',
  /** No lock ever received it. */
  'never-made',
] as const
export type DeathProof = (typeof deathProofs)[number]

/** How long after its end a lock may still accept a key: for a slow clock and the lock's own tolerance. */
export const lockClockMs = 15 * 60_000

/** The end at the lock of a key that is never proven dead by its window, because the lock system does not say when it ends. */
export const neverOver = 8_640_000_000_000_000

/** SQL: the end of a key at its lock. A release before 0.7.0 did not store it, and left it as it was when it changed the window. */
export const opensUntil = `iif(key.endsAtLock >= key.validUntil, key.endsAtLock, key.validUntil + ${longestRoundingMs})`

/** The locks of a key, and its window in Unix milliseconds. */
export interface KeyPlace {
  unitName: string | null
  /** The code of its lock in the lock system. */
  lock: string | null
  extraLocks: string[]
  validFrom: number
  validUntil: number
}

/** The fields that a key request sets. */
export interface RequestedValues extends KeyPlace {
  /** Absent in a change that a release before 0.7.0 stored. */
  endsAtLock?: number
  startDate: string
  startTime: string | null
  endDate: string
  endTime: string | null
  extraUnits: string[]
  authorizations: string[]
  deAuthorizations: string[]
}

/** A change that was sent to a lock system. */
export interface RequestedChange {
  to: RequestedValues
  /** The states that are possible while the outcome is unknown. */
  maybe: KeyPlace[]
}

const members = {
  /** The unit, or the authorization. */
  name: text({ max: 64 }),
  /** The code of the lock; null for a common door. */
  lock: text({ max: 64 }),
  /** The number by which the lock orders its keys; null for a common door. */
  number: integer(),
  /** The newer key that took the door over, until that key is proven never made. */
  endedById: reference('key'),
  proof: oneOf(deathProofs),
  provenDeadAt: instant(),
}

/** A door of a key. */
export type KeyDoor = Attributes<typeof members>

/**
 * The doors of a key, one row each: its unit, its extra units, and its authorizations, which are common doors that store no
 * number. While the outcome of a change is unknown, the doors before and after it. The first is the main door.
 */
export const keyDoors = parts('key_door', members, {
  readOnly: true,
  hidden: true,
  max: 200,
  indexes: ['lock', 'endedById'],
})

/** The doors of a key as readers see them. */
export const shownDoorsSchema = list(
  exactly({
    unitName: textOrNull,
    authorization: textOrNull,
    mayOpen: flag,
    proof: { enum: [...deathProofs, null] },
    provenDeadAt: momentOrNull,
  }),
)

/** Selects the doors as readers see them. `open` is the SQL of whether a key of this status may open its doors. */
export const shownDoors = (open: string) =>
  `SELECT json_group_array(json_object('unitName', iif(lock IS NULL, NULL, name), 'authorization', iif(lock IS NULL, name, NULL),
    'mayOpen', json(iif(door.proof IS NULL AND ${open}, 'true', 'false')), 'proof', door.proof,
    'provenDeadAt', ${instantText('door.provenDeadAt')}))
    FROM (SELECT * FROM key_door WHERE owner = key.rid ORDER BY position) AS door`

type Locks = readonly string[] | null

/** Which doors a proof closes. `locks` are those for which it was given; null for all. */
const closes: Record<DeathProof, (door: KeyDoor, locks: Locks) => boolean> = {
  'card-erased': () => true,
  'never-made': () => true,
  'validity-over': () => true,
  // A revocation names locks. A common door checks the card alone.
  'lock-acknowledged': isAmong,
  'newer-original-used': isAmong,
}

function isAmong({ lock }: KeyDoor, locks: Locks): boolean {
  return lock != null && (locks === null || locks.includes(lock))
}

/** The doors of a key after a proof; those that were closed before keep their proof. */
export function closedBy(
  doors: readonly KeyDoor[],
  proof: DeathProof,
  { locks, at }: { locks: Locks; at: number },
): KeyDoor[] {
  return doors.map((door) =>
    !door.proof && closes[proof](door, locks) ? { ...door, proof, provenDeadAt: at } : door,
  )
}

/** The fields of a key after a proof that it opens no door at all. */
export function deadBy(doors: readonly KeyDoor[], proof: DeathProof, at: number) {
  return { doorRows: closedBy(doors, proof, { locks: null, at }), proof, provenDeadAt: at }
}

/** The doors of a key of which those that pass a test may open again; by default all. */
export function reopened(
  doors: readonly KeyDoor[],
  opens: (door: KeyDoor) => boolean = () => true,
): KeyDoor[] {
  return doors.map((door) => (opens(door) ? { ...door, proof: null, provenDeadAt: null } : door))
}

/** The fields of a key that may open such doors again. */
export function openBy(doors: readonly KeyDoor[] | null | undefined, opens?: (door: KeyDoor) => boolean) {
  return { doorRows: reopened(doors ?? [], opens), proof: null, provenDeadAt: null }
}

/** The doors with the proofs that they had before, where they have none now. */
export function closedAsBefore(doors: readonly KeyDoor[], before: readonly KeyDoor[]): KeyDoor[] {
  return doors.map((door) => {
    const { proof = null, provenDeadAt = null } = before.find((each) => idOf(each) === idOf(door)) ?? {}
    return door.proof ? door : { ...door, proof, provenDeadAt }
  })
}

/** The locks and the window of these fields. */
export function placeOf(row: KeyPlaces): KeyPlace {
  return {
    unitName: row.unitName ?? null,
    lock: row.lock ?? null,
    extraLocks: row.extraLocks ?? [],
    validFrom: row.validFrom ?? 0,
    validUntil: row.validUntil ?? 0,
  }
}

/** The places of a key, as far as they are known. */
type KeyPlaces = { [Name in keyof KeyPlace]?: KeyPlace[Name] | null | undefined } & {
  changeAsked?: RequestedChange | null | undefined
}

/** Every state in which the lock system may have the key: one, or several while the outcome of a change is unknown. */
export function placesOf(row: KeyPlaces): KeyPlace[] {
  const requested = row.changeAsked
  if (!requested) return [placeOf(row)]
  const places = [...requested.maybe, placeOf(requested.to)]
  return places.filter((place, at) => places.findIndex((each) => isDeepStrictEqual(each, place)) === at)
}

/** The fields of a key from which its doors follow, and those that follow from its doors. */
type Written = KeyPlaces & {
  status?: string | null | undefined
  extraUnits?: string[] | null | undefined
  authorizations?: string[] | null | undefined
  doorRows?: KeyDoor[] | null | undefined
  lockSequence?: number | null | undefined
  supersededById?: string | null | undefined
}

/** What decides which doors a key has. */
const decisive = ['lock', 'unitName', 'extraLocks', 'extraUnits', 'authorizations', 'changeAsked'] as const

/**
 * Keeps the doors of a key in step with what it opens: a door that stays has its number, its newer key and its proof. The columns
 * that the release before reads follow from the main door.
 */
export function keepsDoors({ before, after }: { before: Written | null; after: Written }): void {
  const isUnchanged =
    before && decisive.every((name) => isDeepStrictEqual(before[name] ?? null, after[name] ?? null))
  if (!isUnchanged) after.doorRows = doorsFor(before, after)
  const main = after.doorRows?.find(({ lock }) => lock && lock === after.lock)
  // A key of a release without doors has none before `completeDoors`.
  if (!main) return
  after.lockSequence = main.number ?? null
  after.supersededById = (after.status === 'superseded' && main.endedById) || null
}

function doorsFor(before: Written | null, after: Written): KeyDoor[] {
  const { lock, authorizations, changeAsked, doorRows, lockSequence } = after
  const known = new Map((doorRows ?? []).map((door) => [idOf(door), door]))
  const named = namesOfLocks(after)
  const locks = placesOf(after).flatMap((place) => [place.lock, ...place.extraLocks])
  // The door that the key has now is the first, also while a move is unfinished.
  const units = [...new Set([lock, ...locks])].flatMap((code) =>
    code ? [{ name: named.get(code) ?? null, lock: code }] : [],
  )
  const zones = [...new Set([...(authorizations ?? []), ...(changeAsked?.to.authorizations ?? [])])]
  const doors = [...units, ...zones.map((name) => ({ name, lock: null }))]
  return doors.map((door) => {
    const kept = known.get(idOf(door))
    const isMain = door.lock !== null && door.lock === lock
    const isMovedTo = isMain && before !== null && before.lock !== lock
    // A PIN that moves keeps its number. A card has got one of the lock that it comes to.
    const number = kept?.number ?? (isMain ? lockSequence : null) ?? null
    return { ...open, ...(!isMovedTo && kept), ...door, number }
  })
}

const open = { endedById: null, proof: null, provenDeadAt: null } as const

function idOf({ name, lock }: Pick<KeyDoor, 'name' | 'lock'>): string {
  return lock ? `lock ${lock}` : `zone ${name}`
}

/** The number of a key at one of its locks; 0 for an extra unit of a key that a release without such numbers made. */
export function numberAt({ doorRows }: Pick<Written, 'doorRows'>, lock: string | null | undefined): number {
  return doorRows?.find((door) => door.lock === lock)?.number ?? 0
}

/** The names of the units behind the locks of a key. */
function namesOfLocks(row: Written): Map<string, string | null> {
  const named = new Map<string, string | null>()
  const add = (code: string | null | undefined, name: string | null | undefined) => {
    if (code && name) named.set(code, name)
  }
  for (const place of row.changeAsked?.maybe ?? []) add(place.lock, place.unitName)
  for (const values of [row.changeAsked?.to, row]) {
    add(values?.lock, values?.unitName)
    for (const [at, code] of (values?.extraLocks ?? []).entries()) add(code, values?.extraUnits?.[at])
  }
  return named
}
