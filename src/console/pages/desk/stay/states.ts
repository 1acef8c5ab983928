import { chip, type Tone } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { type IconName, icon } from '../../lib/icons.ts'
import type { StayStatus, UnitStatus } from '../../lib/resources.ts'
import { today } from '../../lib/session.ts'
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
