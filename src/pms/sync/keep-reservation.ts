import { mostDates } from '../../reservation/availability/availability-period.ts'
import { refreshReservation } from '../../reservation/reservations/refresh-reservation.ts'
import { reservation } from '../../reservation/resources/reservation.ts'
import { type Stay, type StayInput, stay } from '../../reservation/resources/stay.ts'
import { writeReported } from '../../reservation/stays/reported-stay.ts'
import { isLive } from '../../reservation/stays/status-rules.ts'
import { nights } from '../../reservation/stays/stay-dates.ts'
import { asReported, reportPolicy, type StayPorts } from '../../reservation/stays/stay-policy.ts'
import { releaseUnits, saveStay, writeStay } from '../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import type { ConflictReason } from '../resources/sync-conflict.ts'
import { codesIn } from './codes.ts'
import { changedStay } from './keep-stay.ts'
import { reservationGroups, stayGroups } from './merge-fields.ts'
import type { Disagreement } from './merge-members.ts'
import { same } from './same.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'
import { freeForPms } from './taken-unit.ts'
import { writtenPlainly } from './written-plainly.ts'

interface KeepInput {
  configurationId: string
  reservationId: string
  /** As it is here. */
  local: SharedReservation
  /** As the house tells it: with what it was told before and could not keep. */
  view: SharedReservation
  /** As it is to be. */
  result: SharedReservation
  /** Stays that are to end. */
  ended: readonly string[]
}

/** What came of keeping it. */
export interface Kept {
  /** What could not be as it was told. */
  conflicts: Disagreement[]
  /** Pointers of what the PMS is to be offered as the house has it, instead of waiting until it can be kept. */
  offered: string[]
  waitsFor: string[]
  /** Units that somebody may have been waiting for. */
  loosened: string[]
  /** Something was to be another than it is. */
  hasWorked: boolean
  /** All could be kept as it was wanted. */
  isWhole: boolean
  /** The reservation as it is now, where that is known without asking the store. */
  now: SharedReservation | null
}

/** Attempts at one stay: each leaves out another member. */
const mostAttempts = 12

/** Brings a reservation here in line with what was told of it, as far as that can be. */
export function keepReservation(tx: Transaction, input: KeepInput, ports: StayPorts): Kept {
  const { local, view, result, ended, reservationId } = input
  const lists = { conflicts: [], offered: [], waitsFor: [], loosened: [] }
  const kept: Kept = { ...lists, hasWorked: false, isWhole: true, now: null }
  const changed = changedReservation(result, local)
  if (Object.keys(changed).length > 0) {
    tx.patch(reservation, reservationId, changed)
    kept.hasWorked = true
  }
  const codes = codesIn(tx)
  const before = new Map<string, Stay>()
  const work = result.stays.flatMap((told, index) => {
    const here = local.stays.find(({ localId }) => localId && localId === told.localId) ?? null
    const seen = here && (view.stays.find(({ localId }) => localId === here.localId) ?? here)
    const given = changedStay(tx, codes, told, here && { here, seen: seen! }, `/stays/${index}`)
    if (here && Object.keys(given).length === 0) return []
    refuseEndless(told, index)
    if (here) before.set(here.localId!, tx.find(stay, here.localId!))
    return [{ told, here, given }]
  })
  for (const id of ended) endStay(tx, id, ports, kept)
  letGoAmongThem(tx, work, before)
  const rows = work.map(({ told, here, given }) => {
    const row = here ? tx.find(stay, here.localId!) : null
    loosen(kept, here, given)
    return keepStay(tx, { input, told, here, row, ports, kept }, given)
  })
  if (work.length > 0 || kept.hasWorked) {
    kept.hasWorked = true
    refresh(tx, reservationId, before, kept)
    const written = work.map(({ here, given }, index) => ({ here, given, row: rows[index]! }))
    if (kept.isWhole && ended.length === 0) kept.now = writtenPlainly(local, changed, written)
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
function refuseEndless(told: SharedStay, index: number): void {
  if (nights(told) <= mostDates) return
  const detail = `A stay has at most ${mostDates} nights.`
  throw invalidValue(`/stays/${index}/endDate`, detail, { limit: mostDates })
}

function endStay(tx: Transaction, id: string, ports: StayPorts, kept: Kept): void {
  const row = tx.find(stay, id)
  if (!isLive(row.status)) return
  for (const { unitName } of row.units as { unitName?: string | null }[]) {
    if (unitName) kept.loosened.push(unitName)
  }
  writeReported(tx, row, { status: 'Canceled' }, ports)
  kept.hasWorked = true
}

interface Work {
  told: SharedStay
  here: SharedStay | null
  given: StayInput
}

type Places = { unitTypeId: string; unitId?: string | null }[]
const idsIn = (units: unknown) => ((units ?? []) as Places).flatMap(({ unitId }) => (unitId ? [unitId] : []))

/** Units that go from one of the stays to another are free before anybody takes them: so two stays can swap theirs. */
function letGoAmongThem(tx: Transaction, work: readonly Work[], before: ReadonlyMap<string, Stay>): void {
  if (work.filter(({ given }) => given.units).length < 2) return
  for (const { here, given } of work) {
    const row = here && before.get(here.localId!)
    if (!row || !given.units || !isLive(row.status)) continue
    const wanted = work.filter((each) => each.here !== here).flatMap((each) => idsIn(each.given.units))
    if (!idsIn(row.units).some((id) => wanted.includes(id))) continue
    releaseUnits(tx, row, asReported)
  }
}

function loosen({ loosened }: Kept, here: SharedStay | null, given: StayInput): void {
  const isMoved = ['units', 'status', 'startDate', 'endDate', 'startTime', 'endTime'].some(
    (name) => name in given,
  )
  if (here && isMoved) for (const { unitName } of here.units ?? []) if (unitName) loosened.push(unitName)
}

interface Scene {
  input: KeepInput
  told: SharedStay
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
    else
      try {
        const { reservationId } = scene.input
        row = writeStay(tx, { reservationId, before: null, input: given }, reportPolicy(scene.ports))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        problem = error
      }
    if (!problem) {
      gather(outer.kept, mine, row!.id)
      return row!
    }
    outer.kept.isWhole = false
    given = without(tx, { ...scene, row }, given, problem)
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
function without(tx: Transaction, scene: Scene, given: StayInput, problem: Problem): StayInput {
  const [, member = '', index = '0'] = problem.options.pointer?.split('/') ?? []
  if (member === 'units') return withoutUnit(tx, scene, given, Number(index))
  if (member === 'status') return withoutStatus(scene, given, problem)
  if (member === 'amount' && given.amount && 'perNight' in given.amount) {
    const { perNight: _, taxes: __, ...amount } = given.amount
    return { ...given, amount }
  }
  if (!(member in given) || dates.includes(member)) throw problem
  if (!scene.row && member === 'personCount') return { ...given, personCount: { adults: 1 } }
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== member))
}

/** The stay keeps the status it has; a new one is one that is to come. */
function withoutStatus({ told, here, row, kept }: Scene, given: StayInput, problem: Problem): StayInput {
  const { status: _, ...left } = given
  const isTaken = problem.code === 'unit-occupied'
  for (const { unitName } of isTaken ? (told.units ?? []) : []) if (unitName) kept.waitsFor.push(unitName)
  if (row || here) disagreeOn(kept, { told, here }, ['status'], isTaken ? 'unit-taken' : 'no-such-step')
  return row ? left : { ...left, status: 'Confirmed' }
}

function withoutUnit(tx: Transaction, scene: Scene, given: StayInput, index: number): StayInput {
  const { told, here, row, kept, input } = scene
  const places = (given.units ?? row?.units ?? []) as Places
  const unitId = places[index]?.unitId
  if (!unitId) return { ...given, units: places.map(({ unitTypeId }) => ({ unitTypeId })) }
  const wanted = { ...row, ...given } as Stay
  const outcome = freeForPms(tx, input.configurationId, unitId, wanted)
  if (outcome === 'freed') return given
  const before = row?.units ?? []
  const isItsOwn = before.some((each) => each.unitId === unitId)
  const isFast = isItsOwn && row && (row.status === 'InHouse' || isLocked(row, unitId))
  const name = told.units?.[index]?.unitName
  if (outcome === 'awaited' && name) kept.waitsFor.push(name)
  if (isFast) {
    disagreeOn(kept, { told, here }, dates, 'unit-taken')
    kept.offered.push(...dates.map((member) => pointerOf(here, member)))
    return Object.fromEntries(Object.entries(given).filter(([member]) => !dates.includes(member)))
  }
  disagreeOn(kept, { told, here }, ['units'], 'unit-taken')
  if (outcome === 'held') kept.offered.push(pointerOf(here, 'units'))
  const { units: _, ...left } = given
  if (row && !isItsOwn) return left
  const cleared = places.map((place, at) => (at === index ? { unitTypeId: place.unitTypeId } : place))
  return { ...left, units: cleared }
}

function isLocked({ units }: Stay, unitId: string): boolean {
  return units.some((each) => each.unitId === unitId && (each as { locked?: boolean }).locked === true)
}

/** A new stay has no name before it is made. */
function pointerOf(here: SharedStay | null, member: string): string {
  return `/stays/${here?.localId ?? null}/${member}`
}

function disagreeOn(
  { conflicts }: Kept,
  { told, here }: { told: SharedStay; here: SharedStay | null },
  members: readonly string[],
  reason: ConflictReason,
): void {
  const [has, wants] = [(here ?? {}) as Record<string, unknown>, told as unknown as Record<string, unknown>]
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
  try {
    refreshReservation(tx, reservationId)
  } catch (error) {
    const was = error instanceof Problem && before.get(String(error.options.meta?.stayId))
    if (!was) throw error
    kept.isWhole = false
    const price = { amount: was.amount ?? null, services: was.services ?? [] }
    saveStay(tx, tx.find(stay, was.id), price, asReported)
    refreshReservation(tx, reservationId)
  }
}
