import { button, chip } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import type { IconName } from '../../lib/controls/icons.ts'
import { goTo, linkTo, place } from '../../lib/controls/route.ts'
import { dateText, moneyText, timeText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { guestOf, nameInList, numberOf, type Stay, type SyncConflict } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { stateOf, stayChip, unitChip } from '../stay/states.ts'
import { hasRoom, unitsOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { hasConflict, isReady } from './lists.ts'
import { t } from './texts.ts'

interface Step {
  name: string
  letter: string
  icon: IconName
  /** `main` where it can be done now, `soft` where something must be done first. */
  kind: 'main' | 'soft' | 'plain'
}

/** Returns the next action for a stay in its list. Where there is none, the sheet is opened. */
function nextStep({ stay, included, conflicts }: RowOptions): Step {
  const { status, startDate, endDate, outstanding } = stay.attributes
  if (hasConflict(stay, conflicts))
    return { name: t.value.decide, letter: 'd', icon: 'conflict', kind: 'soft' }
  const mayWrite = may('reservations.write')
  if (mayWrite && status === 'Confirmed' && !hasRoom(stay))
    return { name: t.value.assign, letter: 'a', icon: 'door', kind: 'soft' }
  if (mayWrite && status === 'Confirmed' && startDate <= today.value) {
    const kind = roomsNotReady(stay, included).length === 0 ? 'main' : 'soft'
    return { name: t.value.checkIn, letter: 'c', icon: 'in', kind }
  }
  if (mayWrite && status === 'InHouse' && endDate <= today.value)
    return { name: t.value.checkOut, letter: 'o', icon: 'out', kind: outstanding ? 'soft' : 'main' }
  return { name: t.value.show, letter: '', icon: 'person', kind: 'plain' }
}

export interface RowOptions {
  stay: Resource<Stay>
  included: readonly Resource[]
  /** The codes of the room types by their ids. */
  types: ReadonlyMap<string, string>
  /** Whether the list is of arrivals, and the date of the list. */
  isArrival: boolean
  date: string
  conflicts: readonly Resource<SyncConflict>[]
  /** When the PMS last changed each stay today. */
  changes: ReadonlyMap<string, string>
  isChosen: boolean
  choose: (id: string) => void
  /** The checkbox of the row; null without one. */
  selection: {
    isSelected: boolean
    /** Null for a stay that cannot be selected. */
    toggle: (() => void) | null
  } | null
}

/** A guest in a list of Today: the obstacle for the next action, and the action. */
export function StayRow(options: RowOptions): View {
  const { stay, included, types, changes, isChosen, choose, selection } = options
  const { id, attributes } = stay
  const step = nextStep(options)
  const note = attributes.comment ?? attributes.guestComment ?? ''
  const open = (...more: string[]) => {
    choose(id)
    goTo('stay', [id, ...more])
  }
  const changedAt = changes.get(id)
  const isOpen = place.value.screen === 'stay' && place.value.parts[0] === id
  return el.tr(
    {
      id: `row-${id}`,
      class: classes(isChosen && 'chosen', isOpen && 'opened'),
      onClick: () => choose(id),
      onFocusIn: () => choose(id),
      onDblClick: () => open(),
    },
    selection &&
      el.td(
        null,
        selection.toggle &&
          el.input({
            type: 'checkbox',
            checked: selection.isSelected,
            'aria-label': `${t.value.selectGuest}: ${nameInList(guestOf(stay, included))}`,
            onChange: selection.toggle,
          }),
      ),
    el.td(
      null,
      el.a({ href: linkTo('stay', id), onClick: () => choose(id) }, nameInList(guestOf(stay, included))),
    ),
    el.td({ class: 'wide number' }, numberOf(stay)),
    el.td(null, el.strong(null, attributes.units.map(({ unitName }) => unitName ?? '–').join(', '))),
    el.td({ class: 'wide quiet' }, typesOf(stay, types)),
    el.td({ class: 'wide' }, timeOf(options)),
    el.td(
      { class: 'wide' },
      `${g.value.nights(attributes.nights)}, ${g.value.persons(attributes.personCount.total)}`,
    ),
    // Its name is the whole text, also where the space ends it.
    el.td({ class: 'wide note quiet', ...(note !== '' && { 'aria-label': note, title: note }) }, note),
    el.td(
      null,
      el.div(
        { class: 'row' },
        ...states(options),
        changedAt && chip('info', t.value.changedByPms(timeText(changedAt)), 'conflict'),
      ),
    ),
    el.td(
      { class: 'wide sum' },
      attributes.outstanding ? el.strong(null, balanceText(stay)) : balanceText(stay),
    ),
    el.td(
      { class: 'wide sum' },
      button(step.name, {
        onClick: () => (step.letter === '' ? open() : open(step.letter)),
        kind: step.kind,
        icon: step.icon,
        ...(isChosen && step.letter !== '' && { letter: step.letter }),
      }),
    ),
  )
}

/** Returns the codes of the types that were booked, each once. */
const typesOf = ({ attributes: { units } }: Resource<Stay>, types: RowOptions['types']) =>
  [...new Set(units.map(({ unitTypeId }) => types.get(unitTypeId) ?? ''))].join(', ')

/** Returns when the guest comes, or leaves; the date where it is another one than that of the list. */
function timeOf({ stay: { attributes }, isArrival, date }: RowOptions): string {
  const { startDate, endDate, plannedStartsAt, plannedEndsAt } = attributes
  const day = isArrival ? startDate : endDate
  return day === date ? timeText(isArrival ? plannedStartsAt : plannedEndsAt) : dateText(day)
}

/** Returns what is to pay on a stay, or to give back. */
export function balanceText({ attributes: { outstanding, currency } }: Resource<Stay>): string {
  if (!outstanding || !currency) return t.value.paid
  return outstanding > 0
    ? moneyText(outstanding, currency)
    : g.value.overpaid(moneyText(-outstanding, currency))
}

/** What differs from what the name of the list says; the state of the stay where nothing does. */
function states({ stay, included, conflicts }: RowOptions): (View | null)[] {
  const { status, startDate, endDate, keys } = stay.attributes
  const isArriving = status === 'Confirmed'
  const due = isArriving ? startDate : endDate
  const state = stateOf(stay.attributes)
  const all = [
    hasConflict(stay, conflicts) && chip('leaving', t.value.conflict, 'conflict'),
    (isArriving || status === 'InHouse') &&
      due < today.value &&
      chip('warning', t.value.late(dateText(due)), 'clock'),
    ...(isArriving ? roomStates(stay, included) : []),
    state === 'LeavesToday' && stayChip(state),
    status === 'InHouse' && keys.live + keys.virtual === 0 && chip('warning', t.value.noKey, 'key'),
  ].filter((each) => each !== false)
  return all.length > 0 ? all : [stayChip(state)]
}

function roomStates(stay: Resource<Stay>, included: readonly Resource[]): View[] {
  if (!hasRoom(stay)) return [chip('warning', t.value.noRoom, 'door')]
  const notReady = roomsNotReady(stay, included)
  if (notReady.length === 0) return [chip('ok', t.value.ready)]
  return notReady.map(({ attributes: { status } }) => unitChip(status))
}

const roomsNotReady = (stay: Resource<Stay>, included: readonly Resource[]) =>
  unitsOf(stay, included).filter(({ attributes }) => !isReady(attributes.status))
