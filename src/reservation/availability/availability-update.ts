import { command, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { type Moment, momentIn, settingsIn } from '../resources/house.ts'
import { mostBlocks, type Unit, unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { type Dates, dateAfter } from '../stays/rules/stay-dates.ts'
import { blocksAfter, unblocked } from '../units/unit-block.ts'
import { staysOnDates } from '../units/unit-occupancy.ts'
import { publishAvailability } from './availability-events.ts'
import { expectCompact, type PeriodInput, readPeriods } from './availability-period.ts'
import { needOfPeriod } from './free-units.ts'
import { forgetReports, reportLeft } from './inventory-nights.ts'

/**
 * PATCH of a unit type's availability: sets the count of units left that the PMS reports, by date. Other dates are
 * unchanged.
 */
export const setUnitTypeAvailability = command(
  'tell-unit-type-availability',
  (tx, input: { unitTypeId: string; periods: PeriodInput[]; revision?: number | undefined }): Written => {
    tx.expectRevision(unitType, { id: input.unitTypeId, revision: input.revision })
    const { id, revision } = tx.find(unitType, input.unitTypeId)
    const moment = momentIn(tx)
    const periods = readPeriods(input.periods, moment.today)
    expectCompact(periods)
    const [earliest, latest] = [periods[0], periods.at(-1)]
    if (!earliest || !latest) return { id, revision }
    forgetReports(tx, id, dateAfter(moment.today, -2))
    for (const period of periods) reportLeft(tx, id, period, moment)
    publishAvailability(tx, id, { first: earliest.first, last: latest.last })
    return { id, revision }
  },
)

/** A period of an update of a unit: quantity 0 blocks the unit, 1 unblocks it. */
export interface BlockInput extends PeriodInput {
  reason?: string | null
}

/**
 * PATCH of a unit's availability: blocks the unit for dates, or unblocks it. Throws 422 `unit-occupied` when a stay
 * holds the unit on a newly blocked date.
 */
export const blockUnit = command(
  'block-unit',
  (tx, input: { unitId: string; periods: BlockInput[]; revision?: number | undefined }): Written => {
    tx.expectRevision(unit, { id: input.unitId, revision: input.revision })
    const row = tx.find(unit, input.unitId)
    const moment = momentIn(tx)
    const periods = readPeriods(input.periods, moment.today)
    for (const { item, quantity, first, last } of periods) {
      const added = quantity === 0 ? unblocked(row.blocks, { first, last }) : []
      for (const dates of added) refuseHeld(tx, row, { ...dates, item }, moment)
    }
    const blocks = blocksAfter(row.blocks ?? [], periods, moment.night)
    if (blocks.length > mostBlocks) {
      throw invalidValue('', `A unit has at most ${mostBlocks} blocks.`, { limit: mostBlocks })
    }
    const { id, revision } = tx.patch(unit, row.id, { blocks })
    if (revision !== row.revision)
      for (const { quantity, first: startDate, last: endDate } of periods)
        tx.journal(quantity === 0 ? 'unit.blocked' : 'unit.unblocked', `units/${id}`, {
          revision,
          startDate,
          endDate,
        })
    return { id, revision }
  },
)

/** The largest number of stays that a refusal names. */
const mostNamed = 20

/** Throws `unit-occupied` while a stay has the unit on one of the dates. */
function refuseHeld(
  tx: Transaction,
  { id, name }: Unit,
  { item, ...dates }: Dates & { item: number },
  moment: Moment,
): void {
  const { startsAt: checkInAt } = needOfPeriod(dates, settingsIn(tx)).range
  const holders = staysOnDates(tx, id, { ...dates, checkInAt }, moment)
  if (holders.length === 0) return
  const detail = `Unit ${name} is assigned to stays on these dates. Assign other units to them first.`
  throw new Problem('unit-occupied', detail, {
    pointer: '/startDate',
    item,
    meta: { count: holders.length, stayIds: holders.slice(0, mostNamed) },
  })
}
