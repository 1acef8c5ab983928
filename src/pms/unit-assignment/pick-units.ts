import type { Wanted, WithPicks } from '../../reservation/assignment/unit-picker.ts'
import { type Reservation, reservation } from '../../reservation/resources/reservation.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { isLive } from '../../reservation/stays/rules/status-rules.ts'
import type { WriteOptions } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Integration, Integrations } from './integration.ts'
import { keyedMutex } from './keyed-mutex.ts'
import type { Picked } from './picked-units.ts'

/**
 * Asks the integration of a reservation for the missing units of its stays, and passes the answers to `write`. Requests for
 * one reservation run one after the other, so that the second finds the units that the first was assigned. Rejects with the
 * 502 Problem of an integration that cannot be reached, unless it has chosen units for another stay before.
 */
export function unitPicking(reader: Reader, integrations: Integrations): WithPicks {
  const exclusively = keyedMutex()

  const withPicks: WithPicks = async (wanted, options, write) => {
    const row = reader.row(reservation, wanted.reservationId)
    const integration = row && integrations.integrationOf(row)
    if (!integration || options.idempotency?.answered) return write(null)
    return exclusively(row.id, async () => {
      const lacking = staysLacking(row, wanted.stayId)
      if (options.dryRun && lacking.length > 0) {
        throw new Problem(
          'unknown-parameter',
          'The PMS of the reservation assigns its units and cannot be asked with dryRun. Repeat the request without it.',
          {
            parameter: 'dryRun',
          },
        )
      }
      return write(await picksOf(integration, row, lacking, wanted, options))
    })
  }

  function staysLacking({ id }: Reservation, stayId: string | null): Stay[] {
    const filters = [{ path: 'reservationId', operator: 'eq' as const, value: id }]
    const rows = reader.rows(stay, { filters, sort: [], page: { size: 1000 } })
    return rows.filter(
      (each) =>
        (stayId === null || each.id === stayId.toLowerCase()) &&
        isLive(each.status) &&
        each.units.some(({ unitId }) => !unitId),
    )
  }

  return withPicks
}

async function picksOf(
  integration: Integration,
  owner: Reservation,
  stays: readonly Stay[],
  { hints }: Wanted,
  { actor }: WriteOptions,
): Promise<Record<string, Picked>> {
  const picks: Record<string, Picked> = {}
  for (const each of stays) {
    const { preferredUnitId = null, notes = null } = hints[each.id] ?? {}
    const unitTypeIds = each.units.filter(({ unitId }) => !unitId).map(({ unitTypeId }) => unitTypeId)
    try {
      const request = { reservation: owner, stay: each, unitTypeIds, preferredUnitId, notes }
      picks[each.id] = await integration.pickUnits(request, actor)
    } catch (error) {
      if (!(error instanceof Problem) || !hasChosen(picks)) throw error
      return { ...failedFor(stays, error), ...picks }
    }
  }
  return picks
}

/** Whether the PMS has assigned units: they must be written here, even when a later request fails. */
function hasChosen(picks: Record<string, Picked>): boolean {
  return Object.values(picks).some(({ is }) => is === 'chosen')
}

function failedFor(stays: readonly Stay[], { code, message, options }: Problem): Record<string, Picked> {
  const failed: Picked = { is: 'failed', code, detail: message, meta: options.meta ?? {} }
  return Object.fromEntries(stays.map(({ id }) => [id, failed]))
}
