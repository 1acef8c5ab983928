import { isDeepStrictEqual } from 'node:util'
import { change, type Transaction } from '../resource/change.ts'
import { expectRevision, type Written } from '../resource/plain-changes.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { houseTimes, type Settings, settings } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { isLive } from './status.ts'
import { plannedRange } from './stay-dates.ts'

/** PATCH of the settings. Dates are the property's: with its zone or its hours, the moments of all live stays move. */
export const changeSettings = change(
  'change-settings',
  (
    tx,
    input: { id: string; attributes: Record<string, unknown>; revision?: number | undefined },
  ): Written => {
    expectRevision(tx, settings, { type: 'settings', ...input })
    const before = tx.find(settings, input.id)
    const after = tx.patch(
      settings,
      before.id,
      input.attributes as Partial<Attributes<typeof settings.fields>>,
    )
    if (!isDeepStrictEqual(houseTimes(before), houseTimes(after))) planAgain(tx, after)
    return { id: after.id, revision: after.revision }
  },
)

/** Later moments from the last stay on, earlier ones from the first: no stay runs into one that is yet to move. */
function planAgain(tx: Transaction, house: Settings): void {
  const rows = tx.select(stay, [], [{ path: 'plannedStartsAt', descending: false }], 1_000_000)
  const moved = rows
    .filter(({ status }) => isLive(status))
    .map((row) => ({ row, by: startOf(row, house) - (row.plannedStartsAt ?? 0) }))
  const later = moved.filter(({ by }) => by > 0).toReversed()
  const rest = moved.filter(({ by }) => by <= 0)
  for (const { row } of [...later, ...rest]) plan(tx, row)
}

function startOf({ startDate, startTime, endDate, endTime }: Stay, house: Settings): number {
  const dates = { startDate, startTime: startTime ?? null, endDate, endTime: endTime ?? null }
  return plannedRange(dates, houseTimes(house)).startsAt
}

/** What follows from a stay's dates is filled in whenever the stay is written. */
function plan(tx: Transaction, { id }: Stay): void {
  try {
    tx.patch(stay, id, {})
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('validation-failed', `Stay ${id} does not fit these times: ${error.message}`, {
      pointer: '',
      meta: { stayId: id, code: error.code },
    })
  }
}
