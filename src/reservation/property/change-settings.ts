import { localDate } from '../../host/zone.ts'
import { type Command, command, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type Settings, settings } from '../resources/settings.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { isLive } from '../stays/rules/status-rules.ts'
import type { HouseTimes } from '../stays/rules/stay-dates.ts'
import { dateAfter, plannedRange } from '../stays/rules/stay-dates.ts'
import { saveStay } from '../stays/write-stay.ts'
import { confirm } from '../values/assumed-settings.ts'
import { expectDeskPhone } from './desk-phone.ts'

/** Covers all stays: a stay that is left out would keep moments computed from the old hours. */
const mostStays = 1_000_000

/** The settings that decide the planned moments of stays. */
const timesOfDay = ['timeZone', 'checkInTime', 'checkOutTime'] as const satisfies (keyof HouseTimes)[]

interface SettingsInput {
  id: string
  attributes: Record<string, unknown>
  revision?: number | undefined
}

export type ChangeSettings = Command<SettingsInput, Written>

/**
 * PATCH of the settings. A time zone and a country in it are confirmed, even when they stay as they are. When the time zone or the hours change, the planned moments of current and future stays are
 * computed again from their dates. `hasKiosk`: whether a kiosk is enrolled, which needs the telephone number of the desk.
 */
export function changingSettings(hasKiosk: (tx: Transaction) => boolean): ChangeSettings {
  return command('change-settings', (tx, input: SettingsInput): Written => {
    tx.expectRevision(settings, { ...input })
    const before = tx.find(settings, input.id)
    const after = tx.patch(
      settings,
      before.id,
      input.attributes as Partial<Attributes<typeof settings.fields>>,
    )
    expectDeskPhone(before, after, hasKiosk(tx))
    confirm(tx, input.attributes)
    if (timesOfDay.some((name) => before[name] !== after[name])) planAgain(tx, before, after)
    return { id: after.id, revision: after.revision }
  })
}

/**
 * Moments that move later are written from the last stay to the first, the others from the first to the last. This
 * order avoids a temporary overlap with a stay that has not moved yet.
 */
function planAgain(tx: Transaction, before: Settings, after: Settings): void {
  const moved = staysToMove(tx, before, after).flatMap((row) => {
    const { startsAt, endsAt } = plannedRange(row, after)
    const by = startsAt - (row.plannedStartsAt ?? 0)
    return by === 0 && endsAt === row.plannedEndsAt ? [] : [{ row, by }]
  })
  const later = moved.filter(({ by }) => by > 0).toReversed()
  const rest = moved.filter(({ by }) => by <= 0)
  for (const { row } of [...later, ...rest]) plan(tx, row)
}

/**
 * Returns the live stays whose planned moments still matter, ordered by start: stays in house, and stays that end
 * yesterday or later by either time zone. Stays that are over keep their planned moments.
 */
function staysToMove(tx: Transaction, before: Settings, after: Settings): Stay[] {
  const today = [before, after].map(({ timeZone }) => localDate(tx.now, timeZone)).toSorted()[0]!
  const inHouse = tx.select(stay, [{ path: 'status', operator: 'eq', value: 'InHouse' }], [], mostStays)
  const toCome = tx.select(
    stay,
    [{ path: 'endDate', operator: 'gte', value: dateAfter(today, -1) }],
    [{ path: 'endDate', descending: false }],
    mostStays,
  )
  return [...new Map([...inHouse, ...toCome].map((row) => [row.id, row])).values()]
    .filter(({ status }) => isLive(status))
    .toSorted((one, other) => (one.plannedStartsAt ?? 0) - (other.plannedStartsAt ?? 0))
}

/** Writes the stay without changes, which computes its planned moments again. */
function plan(tx: Transaction, row: Stay): void {
  try {
    saveStay(tx, row, {}, { skips: {}, allotmentsFor: null })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw invalidValue('', `Stay ${row.id} does not fit these times: ${error.message}`, {
      stayId: row.id,
      code: error.code,
    })
  }
}
