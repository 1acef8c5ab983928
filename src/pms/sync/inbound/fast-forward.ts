import { reservation } from '../../../reservation/resources/reservation.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { refreshReservation } from '../../../reservation/stays/refresh-reservation.ts'
import { writeReportedWhole } from '../../../reservation/stays/reported-stay.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { doubleBooked } from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { settleDoubleBookings } from '../conflicts/double-booking.ts'
import { placing } from '../merge/merge-fields.ts'
import { same } from '../merge/same.ts'
import { retryRefused } from '../outbound/freed-units.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import { canonical } from './canonical.ts'
import type { Codes } from './codes.ts'
import { changedStay } from './keep-stay.ts'
import { deltaOf, type ReportDelta, type StayDelta, unaffected } from './report-delta.ts'
import type { Shadow } from './shadows.ts'
import { withStatedPrice } from './unstated-price.ts'

/** The report needs the merge, or a rule of the appliance forbids it. */
class NeedsMerge extends Error {}

interface Forward {
  configurationId: string
  shadow: Shadow
  /** The report. */
  value: SharedReservation
}

/**
 * Applies a report of a reservation in which nothing has changed here: only the difference between the shadow and the report is
 * written, nothing else is read or compared. Returns the shadow's document after it, and whether something here was written.
 * Null where the report needs the merge; nothing is written then.
 */
export function fastForward(
  tx: Transaction,
  { configurationId, shadow, value }: Forward,
  { ports, codes }: { ports: StayPorts; codes: Codes },
): { next: SharedReservation; isWritten: boolean } | null {
  const { reservationId } = shadow
  const before = shadow.base()
  const delta = before && deltaOf(before, canonical(value))
  if (!delta) return null
  try {
    return tx.part((part) => {
      const isWritten = written(part, delta, { before, configurationId, reservationId, ports, codes })
      part.touch(reservation, reservationId)
      return { next: delta.next, isWritten }
    })
  } catch (error) {
    if (error instanceof NeedsMerge || (error instanceof Problem && error.status !== 503)) return null
    throw error
  }
}

interface Writing {
  before: SharedReservation
  configurationId: string
  reservationId: string
  ports: StayPorts
  codes: Codes
}

/** The members of a stay that its price depends on. */
const priced = [...placing, 'personCount', 'ratePlanCode', 'services', 'amount']

/** Answers whether something here is another than before. Throws NeedsMerge, or the Problem of a rule. */
function written(tx: Transaction, delta: ReportDelta, writing: Writing): boolean {
  const { reservationId, configurationId, before } = writing
  const revision = tx.revision(reservation, reservationId)
  if (Object.keys(delta.changed).length > 0) tx.patch(reservation, reservationId, delta.changed)
  for (const each of delta.stays) writeDelta(tx, each, writing)
  const has = (names: readonly string[]) =>
    delta.stays.some((each) => each.names.some((name) => names.includes(name)))
  if (has(priced)) refreshReservation(tx, reservationId)
  if (has(placing)) {
    for (const { has: was, reported } of delta.stays) {
      const isNamed = reported.units?.some(({ unitName }) => unitName)
      if (isNamed && doubleBooked(tx, was.localId!).length > 0) throw new NeedsMerge()
      if (was.units?.some(({ unitName }) => unitName)) settleDoubleBookings(tx)
    }
    retryRefused(tx, configurationId, before, delta.next)
  }
  return tx.revision(reservation, reservationId) !== revision
}

function writeDelta(tx: Transaction, { has, reported, names }: StayDelta, { ports, codes }: Writing): void {
  const given = withStatedPrice(changedStay(tx, codes, reported, has, '/stays/0'), reported)
  if (names.every((name) => name === 'guests')) return
  const row = tx.find(stay, has.localId!)
  if (!names.every((name) => unaffected.includes(name)) && !standsAs(row, has)) throw new NeedsMerge()
  writeReportedWhole(tx, row, given, ports)
}

/** Whether a stay has the status and the units of the shadow. It may have others without an intent: what the PMS is not sent, or does not take. */
function standsAs({ status, units }: Stay, has: SharedStay): boolean {
  const names = (units as { unitName?: string | null }[]).map(({ unitName }) => unitName)
  return status === has.status && names.every((name, at) => same(name, has.units?.[at]?.unitName))
}
