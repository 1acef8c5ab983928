import type { Candidate } from '../../reservation/assignment/assignment.ts'
import { candidates, chooseUnits } from '../../reservation/assignment/choose-units.ts'
import type { AssignedUnits, AssignmentHints } from '../../reservation/assignment/unit-picker.ts'
import type { AllottedUnit, Stay } from '../../reservation/resources/stay.ts'
import { unitType } from '../../reservation/resources/unit-type.ts'
import { datesInWords } from '../../reservation/stays/rules/dates-in-words.ts'
import { datesHeld } from '../../reservation/stays/rules/stay-dates.ts'
import { removesAvailability } from '../../reservation/values/unit-status.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { allotmentFor, rejectedByIntegration } from './allotments.ts'
import type { UnitAnswer } from './integration.ts'

/** The answer of an integration about the units of a stay, as plain input of a command. */
export type Picked =
  | UnitAnswer
  /** The integration could not be reached. */
  | { is: 'failed'; code: string; detail: string; meta: Record<string, unknown> }

/**
 * The units of the stay, completed with the chosen ones. `answer` is the `Picked` that `unitPicking` has put into the
 * command; undefined for a stay about which the integration was not asked. The appliance refuses a chosen unit that does
 * not exist, has another type, is out of order or blocked, or is held by another stay.
 */
export function pickedUnits(
  tx: Transaction,
  row: Stay,
  answer: unknown,
  hints: AssignmentHints,
): AssignedUnits | Problem {
  const picked = answer as Picked | undefined
  if (!picked) return rejectedByIntegration(hasChanged)
  if (picked.is === 'lent-only') return allottedUnits(tx, row, picked, hints)
  if (picked.is !== 'chosen') return refusalOf(picked)
  const left = [...picked.unitIds]
  const taken = row.units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  const units: Stay['units'] = []
  for (const { unitTypeId, unitId } of row.units) {
    const chosen = unitId ?? left.shift()
    if (!chosen) return rejectedByIntegration(hasChanged)
    const problem = unitId
      ? null
      : problemWith(candidates(tx, row, unitTypeId, taken).find(({ id }) => id === chosen))
    if (problem) return rejectedByIntegration(`The PMS chose ${chosen}, ${problem}.`)
    taken.push(chosen)
    units.push({ unitTypeId, unitId: chosen })
  }
  return { units }
}

const hasChanged = 'The stay changed while the PMS chose a unit. Try again.'

function problemWith(unit: Candidate | undefined): string | null {
  if (!unit) return 'which is not a unit of the type'
  if (removesAvailability[unit.status]) return 'which is out of order'
  if (unit.blocked) return 'which is blocked at that time'
  return unit.overlapping ? 'which another stay has at that time' : null
}

function refusalOf(picked: Exclude<Picked, { is: 'chosen' | 'lent-only' }>): Problem {
  if (picked.is === 'none-eligible') return rejectedByIntegration(picked.reason)
  if (picked.is === 'failed') return Problem.upstream(picked.code, '', picked.detail, { meta: picked.meta })
  return new Problem('unit-change-refused', 'The PMS does not change the unit of this stay.', {
    meta: { integrationReason: picked.reason },
  })
}

/** The missing units of the stay, each the best unit of the PMS's allotments for all nights of the stay. */
function allottedUnits(
  tx: Transaction,
  row: Stay,
  { configurationId, name, reason }: Extract<Picked, { is: 'lent-only' }>,
  hints: AssignmentHints,
): AssignedUnits | Problem {
  const nights = datesHeld(row)
  const leases = new Map<string, string>()
  const units = chooseUnits(tx, row, hints, (each) => {
    const leaseId = allotmentFor(tx, configurationId, each.name, nights)
    if (leaseId !== null) leases.set(each.id, leaseId)
    return leaseId !== null
  })
  if (units instanceof Problem)
    return rejectedByIntegration(withoutAllotment(tx, row, name, reason, leases.size))
  const had = new Set(row.units.map(({ unitId }) => unitId))
  const lent = units.flatMap(({ unitId }): AllottedUnit[] => {
    const leaseId = unitId && !had.has(unitId) ? leases.get(unitId) : undefined
    return unitId && leaseId ? [{ unitId, leaseId }] : []
  })
  return { units, lent: [...(row.lent ?? []), ...lent] }
}

/** `There is no line to Opera, and it has lent no Double for 1 to 3 July.` */
function withoutAllotment(tx: Transaction, row: Stay, pms: string, reason: string, lent: number): string {
  const first = row.units.find(({ unitId }) => !unitId)
  const what = first ? tx.find(unitType, first.unitTypeId).name : 'unit'
  const dates = datesInWords(row.startDate, row.endDate)
  if (lent === 0) return `${reason}, and it has lent no ${what} for ${dates}.`
  return `${reason}, and no ${what} that ${pms} has lent for ${dates} can be given.`
}
