import { chip, type Tone } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { type IconName, icon } from '../../lib/controls/icons.ts'
import { dateText } from '../../lib/language/format.ts'
import type { StayStatus, Unit, UnitStatus } from '../../lib/server/resources.ts'
import { today } from '../../lib/server/session.ts'
import { g } from './texts.ts'

/** The status of a stay, or what its guest in house should do today. */
export type StayState = StayStatus | 'LeavesToday' | 'Overdue'

/** A colour and an icon. The word of the state always stands beside them. */
export type Look = readonly [tone: Tone, icon: IconName]

/** How a stay looks in each state, on every screen. */
export const stayLooks: Readonly<Record<StayState, Look>> = {
  Tentative: ['warning', 'help'],
  Waitlisted: ['over', 'hourglass'],
  Confirmed: ['info', 'in'],
  InHouse: ['ok', 'rooms'],
  LeavesToday: ['leaving', 'out'],
  Overdue: ['warning', 'clock'],
  CheckedOut: ['over', 'check'],
  Canceled: ['over', 'cross'],
  NoShow: ['over', 'absent'],
}

/** How a room looks in each state, on every screen. */
export const unitLooks: Readonly<Record<UnitStatus, Look>> = {
  Dirty: ['warning', 'broom'],
  Cleaning: ['info', 'sparkle'],
  Clean: ['ok', 'check'],
  Inspected: ['ok', 'checks'],
  OutOfService: ['over', 'wrench'],
  OutOfOrder: ['error', 'ban'],
}

/** Returns the state of a stay today: its guest in house may leave today, or should have left. */
export function stateOf({ status, endDate }: { status: StayStatus; endDate: string }): StayState {
  if (status !== 'InHouse' || endDate > today.value) return status
  return endDate < today.value ? 'Overdue' : 'LeavesToday'
}

/** A state in a line that has no space for a chip. */
export const mark = ([tone, name]: Look, word: string): View =>
  el.span({ class: classes('state', tone) }, icon(name), word)

/** The state of a stay as colour, icon and word. */
export function stayChip(state: StayState): View {
  const [tone, name] = stayLooks[state]
  return chip(tone, g.value.status[state], name)
}

/** The state of a room as colour, icon and word. */
export function unitChip(status: UnitStatus, word = g.value.unitStatus[status]): View {
  const [tone, name] = unitLooks[status]
  return chip(tone, word, name)
}

/** Returns the block of a room that takes tonight; undefined without one. */
const blockTonight = ({ maintenance }: Unit) =>
  maintenance?.find(
    ({ from, until }) => from !== null && until !== null && from <= today.value && today.value <= until,
  )

/** Whether no guest is given a room today: it is out of order, or blocked for dates. */
export const isOutToday = (unit: Unit): boolean =>
  unit.status === 'OutOfOrder' || blockTonight(unit) !== undefined

/** The state of a room in words. Of one that is out of order also until when, and why: `out of order until 5 Jun: pipe`. */
export function unitStateText({ status, outOfOrderUntil, outOfOrderReason }: Unit): string {
  return explained(g.value.unitStatus[status], outOfOrderUntil, outOfOrderReason)
}

/** The same of a room that no guest is given today, as out of order. */
export function unitOutText(unit: Unit): string {
  const block = blockTonight(unit)
  if (unit.status === 'OutOfOrder' || !block) return unitStateText(unit)
  return explained(g.value.unitStatus.OutOfOrder, block.until, block.reason)
}

function explained(word: string, until: string | null, reason: string | null): string {
  const dated = until ? `${word} ${g.value.until(dateText(until))}` : word
  return reason ? `${dated}: ${reason}` : dated
}
