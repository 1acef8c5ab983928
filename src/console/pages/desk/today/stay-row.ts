import type { Resource } from '../../lib/api.ts'
import { button, chip } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { dateText, moneyText, timeText } from '../../lib/format.ts'
import type { IconName } from '../../lib/icons.ts'
import { guestOf, nameInList, numberOf, type Stay, type SyncConflict } from '../../lib/resources.ts'
import { goTo, linkTo, place } from '../../lib/route.ts'
import { may, today } from '../../lib/session.ts'
import { hasRoom, unitsOf } from '../guest/stay.ts'
import { g } from '../guest/texts.ts'
import { hasConflict, isReady } from './lists.ts'
import { t } from './texts.ts'

interface Step {
  name: string
  letter: string
  icon: IconName
}

/** Returns the next action for a stay in its list; null for none. */
export function nextStep(stay: Resource<Stay>, conflicts: readonly Resource<SyncConflict>[]): Step | null {
  const { status, endDate } = stay.attributes
  if (hasConflict(stay, conflicts)) return { name: t.value.decide, letter: 'd', icon: 'conflict' }
  if (!may('reservations.write')) return null
  if (status === 'Confirmed')
    return hasRoom(stay)
      ? { name: t.value.checkIn, letter: 'c', icon: 'in' }
      : { name: t.value.assign, letter: 'a', icon: 'door' }
  if (status === 'InHouse' && endDate <= today.value)
    return { name: t.value.checkOut, letter: 'o', icon: 'out' }
  return null
}

export interface RowOptions {
  stay: Resource<Stay>
  included: readonly Resource[]
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
export function StayRow({
  stay,
  included,
  conflicts,
  changes,
  isChosen,
  choose,
  selection,
}: RowOptions): View {
  const { id, attributes } = stay
  const step = nextStep(stay, conflicts)
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
    el.td({ class: 'wide' }, numberOf(stay)),
    el.td(null, attributes.units.map(({ unitName }) => unitName ?? '–').join(', ')),
    el.td(
      { class: 'wide' },
      `${t.value.nights(attributes.nights)}, ${t.value.persons(attributes.personCount.total)}`,
    ),
    el.td({ class: 'wide' }, attributes.outstanding ? el.strong(null, balanceText(stay)) : balanceText(stay)),
    el.td(
      null,
      el.div(
        { class: 'row' },
        ...states(stay, included, conflicts),
        changedAt && chip('info', t.value.changedByPms(timeText(changedAt)), 'conflict'),
      ),
    ),
    el.td(
      { class: 'wide' },
      step &&
        button(step.name, {
          onClick: () => open(step.letter),
          icon: step.icon,
          ...(isChosen && { letter: step.letter }),
        }),
    ),
  )
}

/** Returns what is to pay on a stay, or to give back. */
export function balanceText({ attributes: { outstanding, currency } }: Resource<Stay>): string {
  if (!outstanding || !currency) return t.value.paid
  return outstanding > 0
    ? moneyText(outstanding, currency)
    : g.value.overpaid(moneyText(-outstanding, currency))
}

function states(
  stay: Resource<Stay>,
  included: readonly Resource[],
  conflicts: readonly Resource<SyncConflict>[],
): (View | null)[] {
  const { status, startDate, endDate, keys } = stay.attributes
  const due = status === 'InHouse' ? endDate : startDate
  const isArriving = status === 'Confirmed'
  if (!isArriving && status !== 'InHouse') return [chip('info', g.value.status[status])]
  return [
    hasConflict(stay, conflicts) ? chip('error', t.value.conflict, 'conflict') : null,
    due < today.value ? chip('warning', t.value.late(dateText(due)), 'clock') : null,
    ...(isArriving ? roomStates(stay, included) : []),
    !isArriving && keys.live + keys.virtual === 0 ? chip('warning', t.value.noKey, 'key') : null,
  ]
}

function roomStates(stay: Resource<Stay>, included: readonly Resource[]): View[] {
  if (!hasRoom(stay)) return [chip('warning', t.value.noRoom, 'door')]
  const notReady = unitsOf(stay, included).filter(({ attributes }) => !isReady(attributes.status))
  if (notReady.length === 0) return [chip('ok', t.value.ready)]
  return notReady.map(({ attributes: { status } }) => chip('warning', g.value.unitStatus[status], 'broom'))
}
