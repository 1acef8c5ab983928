import { h } from 'preact'
import { Choice, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { dateText, exampleAmount, nightsBetween, plusDays, timeText } from '../../lib/language/format.ts'
import type { ApiError, Resource } from '../../lib/server/api.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { now } from '../../lib/server/session.ts'
import { unitText } from '../stay/free-units.ts'
import { g } from '../stay/texts.ts'
import { type Draft, newNumber } from './draft.ts'
import { nameFields, personFields } from './persons.ts'
import type { Sale } from './sale.ts'
import { t } from './texts.ts'

/** A draft of one night. */
export function emptyDraft(start: string, lastName: string): Draft {
  return {
    end: plusDays(start, 1),
    startTime: '',
    endTime: '',
    adults: '1',
    children: '0',
    others: [],
    typeId: '',
    unitId: '',
    lastName,
    firstName: '',
    price: '',
    brand: '',
    number: newNumber(start),
  }
}

type Change = (change: Partial<Draft>) => void

/** Departure and persons. A stay that does not begin today has its arrival beside them; one that does may be a day use. */
export function when(start: string, draft: Draft, change: Change, arrival: View | null = null): View {
  const nights = nightsBetween(start, draft.end)
  const least = arrival === null ? 0 : 1
  const count = nights >= least ? g.value.nights(nights) : ''
  return el.div(
    { class: 'two' },
    arrival,
    h(Field, {
      label: t.value.until,
      type: 'date',
      value: draft.end,
      min: plusDays(start, least),
      onInput: (end) =>
        change({ end, price: '', startTime: timeText(now()), ...(arrival === null && { unitId: '' }) }),
      hint: arrival ? count : `${t.value.from(dateText(start))}: ${count}`,
      error: nights >= least ? null : arrival ? t.value.endBeforeStart : t.value.badDates,
      isFirst: arrival === null,
    }),
    nights === 0 &&
      arrival === null &&
      h(Field, {
        label: g.value.departureTime,
        type: 'time',
        value: draft.endTime,
        onInput: (endTime) => change({ endTime }),
        error: draft.endTime === '' ? t.value.timeNeeded : null,
      }),
    ...personFields(draft, change),
  )
}

/** The names of the guests. Only the first one is needed. */
export function who(draft: Draft, change: Change, isTried: boolean, isFirst = false): View[] {
  return [firstGuest(draft, change, isTried, isFirst), ...nameFields(draft, 1, change)]
}

function firstGuest(draft: Draft, change: Change, isTried: boolean, isFirst: boolean): View {
  return el.div(
    { class: 'two' },
    h(Field, {
      label: t.value.lastName,
      value: draft.lastName,
      onInput: (lastName) => change({ lastName }),
      error: isTried && draft.lastName.trim() === '' ? t.value.nameNeeded : null,
      isRequired: true,
      isFirst,
    }),
    h(Field, {
      label: t.value.firstName,
      value: draft.firstName,
      onInput: (firstName) => change({ firstName }),
    }),
  )
}

function roomChoice(
  rooms: readonly Resource<Unit>[] | null,
  unit: Resource<Unit> | null,
  choose: (id: string) => void,
): View {
  if (rooms?.length === 0) return el.p(null, t.value.noRoom)
  const isGone = rooms !== null && unit === null
  const choices = (rooms ?? []).map((each) => [each.id, unitText(each)] as const)
  return el.div(
    null,
    h(Choice, {
      label: t.value.room,
      value: unit?.id ?? '',
      choices: isGone ? [['', '–'] as const, ...choices] : choices,
      onChange: choose,
    }),
    isGone && el.p({ class: 'as-of', role: 'alert' }, t.value.gone),
  )
}

/** Room, price, and how it is paid. */
export function terms(
  { rooms, unit, currency, priceText, isPriceWrong }: Sale,
  draft: Draft,
  change: Change,
): View[] {
  return [
    roomChoice(rooms.data ?? null, unit, (unitId) => change({ unitId })),
    h(Field, {
      label: t.value.price(currency),
      inputMode: 'decimal',
      value: priceText,
      onInput: (text) => change({ price: text }),
      hint: t.value.priceHint,
      error: isPriceWrong ? g.value.priceWrong(exampleAmount(currency)) : null,
    }),
    h(Choice, {
      label: t.value.pay,
      value: draft.brand,
      choices: [['', t.value.later] as const, ...Object.entries(g.value.brands)],
      onChange: (brand) => change({ brand }),
    }),
  ]
}

/** Says why the box refused a booking. */
export function refusal(problem: ApiError): View {
  const isTaken = problem.code !== 'validation-failed' && (problem.status === 409 || problem.status === 422)
  return isTaken
    ? notice('warning', problem.title, el.p(null, problem.message), el.p(null, t.value.refused))
    : failure(problem)
}
