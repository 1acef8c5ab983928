import type { Transaction } from '../../../resource/command.ts'
import type { FieldGroup } from '../../resources/conflict-policy.ts'
import { syncFact } from '../../resources/sync-fact.ts'
import { type SyncIntent, syncIntent } from '../../resources/sync-intent.ts'
import type { StepResult } from '../../sync-contract.ts'
import { guestGroups, reservationGroups, stayGroups } from '../merge/merge-fields.ts'
import type { Sharing } from '../sync-changes.ts'
import { factsOf } from './facts.ts'
import { markForOffer, outboxRow } from './outbox.ts'

/** A stay, or the reservation as a whole. */
interface Changed {
  stayId: string | null
  /** The members by their names; those of a guest as `guests/<profile id>/title`. */
  members: readonly string[]
}

/** Writes down that members were changed here, and puts the reservation into the outbox. */
export function noteIntents(tx: Transaction, sharing: Sharing, changed: readonly Changed[]): void {
  markForOffer(tx, sharing)
  const mark = outboxRow(tx, sharing)!.marks
  const open = intentsOf(tx, sharing.reservationId)
  for (const { stayId, members } of changed) {
    const byGroup = Map.groupBy(members, (member) => groupOf(stayId, member))
    for (const [group, names] of byGroup) if (group) note(tx, open, { sharing, stayId, group, names, mark })
  }
}

interface Noted {
  sharing: Sharing
  stayId: string | null
  group: FieldGroup
  names: readonly string[]
  mark: number
}

function note(tx: Transaction, open: SyncIntent[], { sharing, stayId, group, names, mark }: Noted): void {
  const { reservationId } = sharing
  const known = open.find((each) => (each.stayId ?? null) === stayId && each.fieldGroup === group)
  const values = { actor: tx.actor.by.slice(0, 100), mark, refused: null }
  if (known) {
    const members = [...new Set([...known.members, ...names])]
    tx.patch(syncIntent, known.id, { ...values, members })
    known.members = members
    return
  }
  const members = [...new Set(names)]
  open.push(
    tx.insert(syncIntent, { reservationId, stayId, fieldGroup: group, members, ...values, since: tx.now }),
  )
}

function groupOf(stayId: string | null, member: string): FieldGroup | null {
  const [name = '', guest, ofGuest] = member.split('/')
  if (guest !== undefined)
    return (guestGroups as Record<string, FieldGroup | null>)[ofGuest ?? ''] ?? 'guests'
  const groups: Readonly<Record<string, FieldGroup | null>> = stayId === null ? reservationGroups : stayGroups
  return groups[name] ?? null
}

/** The open intents of a reservation. */
export function intentsOf(tx: Transaction, reservationId: string): SyncIntent[] {
  return tx.rows(syncIntent, 'reservationId = +?', reservationId)
}

/** What was changed here of one reservation and is not known to be at the PMS. */
export interface Intents {
  /** Whether a member was changed here: of a stay by its id, or of the reservation (null). */
  has(stayId: string | null, member: string): boolean
  /** Whether anything of a stay was changed here. */
  hasAny(stayId: string | null): boolean
  /** JSON pointers by ids, such as `/stays/<id>/endDate` and `/comment`. */
  pointers: readonly string[]
  /** Those of them that the PMS has refused: they are not sent again. */
  refused: readonly string[]
}

type IntentRow = Pick<SyncIntent, 'stayId' | 'members' | 'refused'>

/** What was changed here, by the rows of the open intents. */
export function intentsIn(rows: readonly IntentRow[]): Intents {
  const pointersIn = (some: readonly IntentRow[]) =>
    some.flatMap(({ stayId, members }) => members.map((member) => pointerOf(stayId ?? null, member)))
  const pointers = pointersIn(rows)
  const known = new Set(pointers)
  return {
    has: (stayId, member) => known.has(pointerOf(stayId, member)),
    hasAny: (stayId) => rows.some((each) => (each.stayId ?? null) === stayId),
    pointers,
    refused: pointersIn(rows.filter(isRefused)),
  }
}

/** Whether the PMS has refused an intent or a fact, and it is not sent again. */
export function isRefused({ refused }: { refused?: string | null }): boolean {
  return refused !== null && refused !== undefined
}

/** The pointer to a member of a stay by its id, or of the reservation (null). */
export function pointerOf(stayId: string | null, member: string): string {
  return stayId === null ? `/${member}` : `/stays/${stayId}/${member}`
}

/** Removes members that the PMS has now, or that are not to be sent any more. */
export function dropIntents(tx: Transaction, reservationId: string, pointers: readonly string[]): void {
  if (pointers.length === 0) return
  for (const { id, stayId, members } of intentsOf(tx, reservationId)) {
    const left = members.filter((member) => !pointers.includes(pointerOf(stayId ?? null, member)))
    if (left.length === 0) tx.remove(syncIntent, id)
    else if (left.length < members.length) tx.patch(syncIntent, id, { members: left })
  }
}

/** The id of an intent in messages. */
export function intentId({ id, mark }: Pick<SyncIntent, 'id' | 'mark'>): string {
  return `${id}.${mark}`
}

/**
 * Removes the intents of a message that the PMS has answered, and those of groups that it does not take. A refused one stays with
 * its reason, and one whose result is unknown stays open.
 */
export function finishIntents(
  tx: Transaction,
  reservationId: string,
  offeredMark: number,
  results: ReadonlyMap<string, StepResult> = new Map(),
): void {
  for (const row of intentsOf(tx, reservationId)) {
    if (row.mark > offeredMark || isRefused(row)) continue
    const result = results.get(intentId(row))
    if (result?.is === 'refused') tx.patch(syncIntent, row.id, { refused: refusalOf(result) })
    else if (result?.is !== 'unknown') tx.remove(syncIntent, row.id)
  }
}

/** The sentence of a refusal, as it is kept. */
export function refusalOf({ reason }: { reason: string }): string {
  return reason.slice(0, 1_000)
}

/** Everything that the PMS has refused of a reservation is to be sent again. */
export function retrySteps(tx: Transaction, reservationId: string): void {
  for (const row of intentsOf(tx, reservationId))
    if (isRefused(row)) tx.patch(syncIntent, row.id, { refused: null })
  for (const row of factsOf(tx, reservationId))
    if (isRefused(row)) tx.patch(syncFact, row.id, { refused: null })
}

/** Notes intents at pointers by ids: `/stays/<id>/endDate`, `/comment`. */
export function noteIntentsAt(tx: Transaction, sharing: Sharing, pointers: readonly string[]): void {
  const changed = pointers.map((pointer) => {
    const [, top = '', stayId = null, ...member] = pointer.split('/')
    return stayId === null ? { stayId, members: [top] } : { stayId, members: [memberOf(member)] }
  })
  if (changed.length > 0) noteIntents(tx, sharing, changed)
}

/** Of a list that is merged item by item, such as services, the whole list is sent. */
function memberOf(names: readonly string[]): string {
  return names[0] === 'guests' && names.length === 3 ? names.join('/') : (names[0] ?? '')
}
