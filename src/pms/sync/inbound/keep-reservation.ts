import { mostDates } from '../../../reservation/availability/availability-period.ts'
import { reservation } from '../../../reservation/resources/reservation.ts'
import { type Stay, type StayInput, stay } from '../../../reservation/resources/stay.ts'
import { refreshReservation, writeSummary } from '../../../reservation/stays/refresh-reservation.ts'
import { writeReported } from '../../../reservation/stays/reported-stay.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { nights } from '../../../reservation/stays/rules/stay-dates.ts'
import { asReported, reportPolicy, type StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { saveStay, writeStay } from '../../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../../resource/command.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { ConflictReason } from '../../resources/sync-conflict.ts'
import { placing, reservationGroups, stayGroups } from '../merge/merge-fields.ts'
import type { Disagreement } from '../merge/merge-members.ts'
import { same } from '../merge/same.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import type { Codes } from './codes.ts'
import { changedStay, isLocked, type Places } from './keep-stay.ts'
import { statesPrice, withStatedPrice } from './unstated-price.ts'

interface KeepInput {
  configurationId: string
  reservationId: string
  /** As it is here. */
  local: SharedReservation
  /** As it is to be. */
  result: SharedReservation
  /** The report; null without one. */
  upstream: SharedReservation | null
  /** Stays that are to end. */
  ended: readonly string[]
  codes: Codes
}

/** What came of keeping it. */
export interface Kept {
  /** What could not be stored as it was reported. */
  conflicts: Disagreement[]
  /** Pointers of what the PMS is to be offered as the house has it, instead of waiting until it can be kept. */
  offered: string[]
  /** The stays whose units, dates or status were written, with the units that they have now. */
  placed: { stayId: string; units: NonNullable<SharedStay['units']>; hadUnit: boolean }[]
  /** The stays that were written. */
  rows: Stay[]
  /** Something was to be another than it is. */
  hasWorked: boolean
  /** All could be kept as it was wanted. */
  isWhole: boolean
}

/** Attempts at one stay: each leaves out another member. */
const mostAttempts = 12

/** Brings a reservation here in line with what was reported of it, as far as that can be. */
export function keepReservation(tx: Transaction, input: KeepInput, ports: StayPorts): Kept {
  const { local, result, ended, reservationId, codes } = input
  const lists = { conflicts: [], offered: [], placed: [], rows: [] }
  const kept: Kept = { ...lists, hasWorked: false, isWhole: true }
  const changed = changedReservation(result, local)
  if (Object.keys(changed).length > 0) {
    tx.patch(reservation, reservationId, changed)
    kept.hasWorked = true
  }
  const before = new Map<string, Stay>()
  const work = result.stays.flatMap((reported, index) => {
    const here = local.stays.find(({ localId }) => localId && localId === reported.localId) ?? null
    const differing = changedStay(tx, codes, reported, here, `/stays/${index}`)
    const isPriced = here && statesPrice(input.upstream, reported, result)
    const given = isPriced ? withStatedPrice(differing, reported) : differing
    if (here && Object.keys(given).length === 0) return []
    refuseEndless(reported, index)
    if (here) before.set(here.localId!, tx.find(stay, here.localId!))
    return [{ reported, here, given }]
  })
  for (const id of ended) endStay(tx, id, ports, kept)
  for (const { reported, here, given } of work) {
    const row = here ? tx.find(stay, here.localId!) : null
    const written = keepStay(tx, { input, reported, here, row, ports, kept }, given)
    kept.rows.push(written)
    if (placing.some((name) => name in given))
      kept.placed.push({
        stayId: written.id,
        units: reported.units ?? here?.units ?? [],
        hadUnit: hasUnit(here),
      })
  }
  if (work.length > 0 || kept.hasWorked) {
    kept.hasWorked = true
    // Nothing was paid yet for a new one.
    if (local.stays.length > 0) refresh(tx, reservationId, before, kept)
    else writeSummary(tx, reservationId, kept.rows, kept.rows)
  }
  return kept
}

function changedReservation(result: SharedReservation, local: SharedReservation) {
  const names = Object.entries(reservationGroups).flatMap(([name, group]) =>
    group === null || group === 'payments'
      ? []
      : [name as 'channel' | 'purpose' | 'comment' | 'guestComment'],
  )
  const changed = names.filter((name) => result[name] !== undefined && !same(result[name], local[name]))
  return {
    ...Object.fromEntries(changed.map((name) => [name, result[name] || null])),
    ...(result.externalId && result.externalId !== local.externalId && { externalId: result.externalId }),
  }
}

/** Each night is counted, and what counts them refuses too late. */
function refuseEndless(reported: SharedStay, index: number): void {
  if (nights(reported) <= mostDates) return
  const detail = `A stay has at most ${mostDates} nights.`
  throw invalidValue(`/stays/${index}/endDate`, detail, { limit: mostDates })
}

function endStay(tx: Transaction, id: string, ports: StayPorts, kept: Kept): void {
  const row = tx.find(stay, id)
  if (!isLive(row.status)) return
  kept.placed.push({ stayId: id, units: [], hadUnit: true })
  writeReported(tx, row, { status: 'Canceled' }, ports)
  kept.hasWorked = true
}

function hasUnit(stay: SharedStay | null): boolean {
  return stay?.units?.some(({ unitName }) => unitName) === true
}

interface Scene {
  input: KeepInput
  reported: SharedStay
  here: SharedStay | null
  row: Stay | null
  ports: StayPorts
  kept: Kept
}

/** As much of a stay as can be: what a Problem names is left out, and everything else is tried again. */
function keepStay(tx: Transaction, outer: Scene, wanted: StayInput): Stay {
  const mine: Kept = { ...outer.kept, conflicts: [], offered: [] }
  const scene = { ...outer, kept: mine }
  let given = { ...wanted }
  let row = scene.row
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    let problem: Problem | null = null
    if (row) ({ row, problem } = writeReported(tx, row, given, scene.ports))
    else {
      const first = { reservationId: scene.input.reservationId, before: null, input: given }
      const policy = reportPolicy(scene.ports)
      ;({ result: row, problem } = tx.attempt((part) => writeStay(part, first, policy)))
    }
    if (!problem) {
      gather(outer.kept, mine, row!.id)
      return row!
    }
    outer.kept.isWhole = false
    given = without({ ...scene, row }, given, problem)
  }
  throw new Problem('validation-failed', 'A stay could not be stored, even without its optional data.')
}

/** A new stay has got its name only now. */
function gather({ conflicts, offered }: Kept, mine: Kept, stayId: string): void {
  const named = (pointer: string) => pointer.replace('/stays/null/', `/stays/${stayId}/`)
  offered.push(...mine.offered.map(named))
  for (const each of mine.conflicts) {
    const said = Object.fromEntries(Object.entries(each.said).map(([at, value]) => [named(at), value]))
    conflicts.push({ ...each, stayId, said })
  }
}

const dates = ['startDate', 'startTime', 'endDate', 'endTime']

/** What is tried next; throws the Problem where nothing can be left out. */
function without(scene: Scene, given: StayInput, problem: Problem): StayInput {
  const [, member = '', index = '0'] = problem.options.pointer?.split('/') ?? []
  if (member === 'units') return withoutUnit(scene, given, Number(index))
  if (member === 'status') return withoutStatus(scene, given)
  if (member === 'amount' && given.amount && 'perNight' in given.amount) {
    const { perNight: _, taxes: __, ...amount } = given.amount
    return { ...given, amount }
  }
  if (!(member in given) || dates.includes(member)) throw problem
  if (!scene.row && member === 'personCount') return { ...given, personCount: { adults: 1 } }
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== member))
}

/** The stay keeps the status it has; a new one is one that is to come. */
function withoutStatus({ reported, here, row, kept }: Scene, given: StayInput): StayInput {
  const { status: _, ...left } = given
  const status = 'Confirmed'
  const has = here ?? { ...reported, localId: null, status }
  disagreeOn(kept, { reported, here: has }, ['status'], 'no-such-step')
  return row ? left : { ...left, status }
}

/** A unit that is blocked is not assigned. Who has it already keeps it with the dates that he has. */
function withoutUnit(scene: Scene, given: StayInput, index: number): StayInput {
  const { reported, here, row, kept } = scene
  const places = (given.units ?? row?.units ?? []) as Places
  const unitId = places[index]?.unitId
  if (!unitId) return { ...given, units: places.map(({ unitTypeId }) => ({ unitTypeId })) }
  const before = row?.units ?? []
  const isItsOwn = before.some((each) => each.unitId === unitId)
  const isFast = isItsOwn && row && (row.status === 'InHouse' || isLocked(row, unitId))
  if (isFast) {
    disagreeOn(kept, { reported, here }, dates, 'unit-taken')
    kept.offered.push(...dates.map((member) => pointerOf(here, member)))
    return Object.fromEntries(Object.entries(given).filter(([member]) => !dates.includes(member)))
  }
  disagreeOn(kept, { reported, here }, ['units'], 'unit-taken')
  kept.offered.push(pointerOf(here, 'units'))
  const { units: _, ...left } = given
  if (row && !isItsOwn) return left
  const cleared = places.map((place, at) => (at === index ? { unitTypeId: place.unitTypeId } : place))
  return { ...left, units: cleared }
}

/** A new stay has no name before it is made. */
function pointerOf(here: SharedStay | null, member: string): string {
  return `/stays/${here?.localId ?? null}/${member}`
}

function disagreeOn(
  { conflicts }: Kept,
  { reported, here }: { reported: SharedStay; here: SharedStay | null },
  members: readonly string[],
  reason: ConflictReason,
): void {
  const [has, wants] = [
    (here ?? {}) as Record<string, unknown>,
    reported as unknown as Record<string, unknown>,
  ]
  const said = Object.fromEntries(
    members
      .filter((name) => !same(has[name], wants[name]))
      .map((name) => [
        pointerOf(here, name),
        { base: has[name] ?? null, local: has[name] ?? null, upstream: wants[name] ?? null },
      ]),
  )
  const group = stayGroups[members[0] as 'units' | 'status' | 'startDate']
  const stayId = here?.localId ?? null
  const known = conflicts.find((each) => each.stayId === stayId && each.group === group)
  if (known) Object.assign(known.said, said)
  else conflicts.push({ stayId, group, said, counts: 'Local', reason })
}

/** What was paid in another currency than it is to cost now costs what it did. */
function refresh(
  tx: Transaction,
  reservationId: string,
  before: ReadonlyMap<string, Stay>,
  kept: Kept,
): void {
  const { problem } = tx.attempt((part) => refreshReservation(part, reservationId))
  if (!problem) return
  const was = before.get(String(problem.options.meta?.stayId))
  if (!was) throw problem
  kept.isWhole = false
  const price = { amount: was.amount ?? null, services: was.services ?? [] }
  saveStay(tx, tx.find(stay, was.id), price, asReported)
  refreshReservation(tx, reservationId)
}
