import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asOfText, button, chip, loadingBar } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { icon } from '../../lib/controls/icons.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { later } from '../../lib/controls/later.ts'
import { linkTo, place } from '../../lib/controls/route.ts'
import { dateText, moneyText } from '../../lib/language/format.ts'
import { getAll, type Resource } from '../../lib/server/api.ts'
import { type Reading, useRead } from '../../lib/server/read.ts'
import { guestOf, type Key, nameInList, numberOf, type Stay } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { useControllers, useOwnController } from '../cards/controllers.ts'
import type { PapersOptions } from '../papers/papers.ts'
import { Payments } from '../payments/payments-part.ts'
import { stateOf, stayChip, unitChip } from '../stay/states.ts'
import { guestsOf, readKeys, readStay, roomsOf, type ShownStay, unitsOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useConflicts } from '../stay/use-conflicts.ts'
import type { ConflictsOptions } from './conflicts-part.ts'
import { Keys } from './keys-part.ts'
import { Actions } from './stay-actions.ts'

// Few guests need them.
const dialogs = () => import('./stay-dialogs.ts')
const Conflicts = later<ConflictsOptions>(async () => (await import('./conflicts-part.ts')).Conflicts)
const History = later(async () => (await import('../history/history.ts')).History)
const Papers = later<PapersOptions>(async () => (await import('../papers/papers.ts')).Papers)
const Registrations = later<{ shown: ShownStay; changed: () => void }>(
  async () => (await import('../registrations/registrations.ts')).Registrations,
)
const Extend = later(async () => (await dialogs()).Extend)
const Move = later(async () => (await dialogs()).Move)
const OfBooking = later(async () => (await dialogs()).OfBooking)
const CardsOfBooking = later(async () => (await dialogs()).CardsOfBooking)
const Guests = later(async () => (await dialogs()).Guests)
const EditComment = later(async () => (await dialogs()).EditComment)

interface SheetOptions {
  stayId: string
  close: () => void
}

/** The guest sheet: everything about one stay. */
export function GuestSheet({ stayId, close }: SheetOptions): View {
  const shown = useRead(`stay ${stayId}`, (signal) => readStay(stayId, signal), [
    'stay.',
    'unit.',
    'payment.',
    'key.',
    'profile.',
  ])
  const keys = useKeys(stayId)
  useShortcuts([{ key: 'Escape', name: g.value.close, run: close }], [stayId])
  const { data, isLoading, problem, asOf, readAgain } = shown
  return el.aside(
    { class: 'sheet', 'aria-label': g.value.sheet, id: 'sheet', tabIndex: -1 },
    el.div(
      { class: 'sheet-head' },
      el.h2(null, data ? nameInList(guestOf(data.stay, data.included)) : g.value.sheet),
      data && stayChip(stateOf(data.stay.attributes)),
      data && balanceChip(data.stay.attributes),
      keys.data && keysChip(keys.data),
      el.span({ class: 'grow' }),
      el.button(
        { type: 'button', class: 'close', 'aria-label': g.value.close, onClick: close },
        icon('cross'),
      ),
    ),
    loadingBar(isLoading && !data),
    problem && (problem.status === 404 ? el.p(null, g.value.gone) : failure(problem, readAgain)),
    problem && asOfText(asOf),
    data && h(Parts, { shown: data, keys, readAgain }),
  )
}

/** A dialogue, and the stay as the person saw it then: what another person changes meanwhile is not overwritten. */
interface Opened {
  name: 'extend' | 'move' | 'guests' | 'comment'
  seen: Resource<Stay>
}

/** What the guest has to pay, in sight whatever else of the sheet is looked at; less than nothing is to be given back. */
function balanceChip({ outstanding, currency }: Stay): View | null {
  if (outstanding === null || currency === null) return null
  const tone = outstanding > 0 ? 'warning' : outstanding < 0 ? 'info' : 'ok'
  return chip(tone, g.value.balance(moneyText(outstanding, currency)), 'money')
}

/** Whether a key may still open that should not, or how many keys open. */
function keysChip(keys: readonly Resource<Key>[]): View | null {
  const isLive = ({ attributes: { status } }: Resource<Key>) => status === 'live' || status === 'virtual'
  if (keys.some((each) => !isLive(each) && each.attributes.mayOpen))
    return chip('error', g.value.mayOpen, 'key')
  const live = keys.filter(isLive).length
  return live === 0 ? null : chip('ok', `${g.value.keys}: ${live}`, 'key')
}

interface PartsOptions {
  shown: ShownStay
  keys: Reading<Resource<Key>[]>
  readAgain: () => void
}

function Parts({ shown, keys, readAgain }: PartsOptions): View {
  const { stay } = shown
  const { reservationId, status } = stay.attributes
  const spoken = guestOf(stay, shown.included)?.attributes.languageCode ?? null
  const conflicts = useConflicts(reservationId)
  const ofStay = (conflicts.data ?? []).filter(
    ({ attributes: { stayId } }) => stayId === null || stayId === stay.id,
  )
  const controllers = useControllers().data ?? []
  const { chosen, choose } = useOwnController(controllers)
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (name: Opened['name']) => setOpened({ name, seen: stay })
  useEffect(() => setOpened(null), [stay.id])
  const isOpen = ['Tentative', 'Waitlisted', 'Confirmed', 'InHouse'].includes(status)
  const mayWrite = may('reservations.write') && isOpen
  useShortcuts(
    mayWrite
      ? [
          { key: 'e', name: g.value.extend, run: () => open('extend') },
          { key: 'm', name: g.value.move, run: () => open('move') },
        ]
      : [],
    [mayWrite, stay],
  )
  const again = () => {
    readAgain()
    keys.readAgain()
  }
  const closeDialog = () => {
    setOpened(null)
    again()
  }
  const dialog = opened && {
    shown: { stay: opened.seen, included: shown.included },
    keys: keys.data ?? [],
    controller: chosen,
    changed: again,
    onClose: closeDialog,
  }
  return el.div(
    { class: 'sheet-body' },
    el.div(
      { class: 'stack facts' },
      summary(shown),
      h(Payments, { stay, changed: again, key: `payments ${stay.id}` }),
      h(Registrations, { shown, changed: again, key: `registrations ${stay.id}` }),
      comments(stay, mayWrite ? () => open('comment') : null),
    ),
    el.div(
      { class: 'stack' },
      h(Actions, { shown, changed: again, begin: place.value.parts[1] ?? null }),
      ofStay.length > 0 &&
        h(Conflicts, {
          all: ofStay,
          changed: () => {
            conflicts.readAgain()
            again()
          },
        }),
      may('keys.read') && h(Keys, { shown, keys, controllers, controller: chosen, choose }),
      mayWrite && changeButtons(open),
      h(OtherStays, { stay, changed: again }),
      h(Papers, { stayId: stay.id, spoken, key: `papers ${stay.id}` }),
      h(History, { stay, keys: keys.data ?? [], key: `history ${stay.id}` }),
    ),
    dialog && opened.name === 'extend' && h(Extend, dialog),
    dialog && opened.name === 'move' && h(Move, dialog),
    dialog && opened.name === 'guests' && h(Guests, dialog),
    dialog && opened.name === 'comment' && h(EditComment, dialog),
  )
}

function changeButtons(open: (name: Opened['name']) => void): View {
  return el.section(
    { class: 'stack' },
    el.h3(null, g.value.stay),
    el.div(
      { class: 'row' },
      button(g.value.extend, { onClick: () => open('extend'), letter: 'e', icon: 'today' }),
      button(g.value.move, { onClick: () => open('move'), letter: 'm', icon: 'conflict' }),
      button(g.value.guests, { onClick: () => open('guests'), icon: 'person' }),
    ),
  )
}

function useKeys(stayId: string): Reading<Resource<Key>[]> {
  return useRead(may('keys.read') ? `keys ${stayId}` : null, (signal) => readKeys(stayId, signal), [
    'key.',
    'card.',
  ])
}

function summary(shown: ShownStay): View {
  const { stay, included } = shown
  const others = guestsOf(shown).filter(({ id }) => id !== guestOf(stay, included)?.id)
  const { startDate, endDate, nights, personCount } = stay.attributes
  const units = unitsOf(stay, included)
  return el.div(
    { class: 'summary' },
    el.strong({ class: 'large' }, roomsOf(stay) === '' ? g.value.noRoom : `${g.value.room} ${roomsOf(stay)}`),
    units.map(({ attributes }) => unitChip(attributes.status)),
    el.strong({ class: 'dates' }, `${dateText(startDate)} – ${dateText(endDate)}`),
    el.span(null, `${g.value.nights(nights)}, ${g.value.persons(personCount.total)}`),
    others.length > 0 && el.span(null, g.value.with(others.map(nameInList).join('; '))),
    el.span({ class: 'quiet' }, numberOf(stay)),
  )
}

function comments(
  { attributes: { comment, guestComment } }: Resource<Stay>,
  edit: (() => void) | null,
): View {
  return el.section(
    { class: 'stack' },
    el.div(
      { class: 'row' },
      el.h3(null, g.value.comment),
      edit && button(g.value.edit, { onClick: edit, name: `${g.value.edit}: ${g.value.comment}` }),
    ),
    el.p({ class: comment ? 'kept-lines' : 'quiet' }, comment ?? g.value.noComment),
    guestComment && el.p(null, el.strong(null, `${g.value.guestComment}: `), guestComment),
  )
}

/** The other stays of a booking of several. */
function OtherStays({ stay, changed }: { stay: Resource<Stay>; changed: () => void }): View | null {
  const { reservationId } = stay.attributes
  const path = `/api/v2/stays?filter[reservationId]=${reservationId}&include=profiles&page[size]=100`
  const { data } = useRead(`stays of ${reservationId}`, (signal) => getAll<Stay>(path, 100, signal), [
    'stay.',
    'key.',
  ])
  const others = (data?.data ?? []).filter(({ id }) => id !== stay.id)
  if (others.length === 0) return null
  const expected = (data?.data ?? []).filter(
    ({ attributes: { status, startDate } }) => status === 'Confirmed' && startDate <= today.value,
  )
  const all = { included: data?.included ?? [], changed }
  const withoutCard = (data?.data ?? []).filter(
    ({ attributes: { status, keys, units } }) =>
      status === 'InHouse' && keys.live + keys.virtual < units.length,
  )
  return el.section(
    { class: 'stack' },
    el.h3(null, g.value.otherStays),
    may('reservations.write') && h(OfBooking, { stays: expected, ...all }),
    may('keys.issue') && h(CardsOfBooking, { stays: withoutCard, ...all }),
    others.map((each) =>
      el.div(
        { key: each.id, class: 'line' },
        el.a({ href: linkTo('stay', each.id) }, nameInList(guestOf(each, data?.included ?? []))),
        el.span(null, roomsOf(each) || g.value.noRoom),
        stayChip(stateOf(each.attributes)),
      ),
    ),
  )
}
