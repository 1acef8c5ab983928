import { h } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError, type Resource } from '../../lib/api.ts'
import { button, Choice, Field, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { dateText, exampleAmount, nightsBetween, plusDays, timeText } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import type { Unit } from '../../lib/resources.ts'
import { goTo, place } from '../../lib/route.ts'
import { may, now, today } from '../../lib/session.ts'
import { ControllerChoice, useControllers, useOwnController } from '../cards/controllers.ts'
import { isInStep, pmsLines, usePms } from '../pms-line.ts'
import { unitText } from '../stay/free-units.ts'
import { orderFirstCards } from '../stay/order-cards.ts'
import { readStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork } from '../stay/use-work.ts'
import { book } from './book.ts'
import { type Draft, newNumber, useDraft } from './draft.ts'
import { type Sale, useSale } from './sale.ts'
import { t } from './texts.ts'
import { TypeChoice } from './type-choice.ts'

/**
 * The form for a guest without a booking. Its fields have the order of the conversation: dates and persons, type, name,
 * room, payment, card.
 */
export function WalkIn(): View {
  const start = today.value
  const asked = place.value.parts[0] ?? ''
  const { draft, change, forget } = useDraft(emptyDraft(start, asked))
  const sale = useSale(draft, start)
  const { offers, typeId, rooms, unit, currency, price, isReady } = sale
  const controllers = useControllers().data ?? []
  const { chosen, choose } = useOwnController(controllers)
  const [isWithoutCard, setWithoutCard] = useState(false)
  const [isTried, setTried] = useState(false)
  const work = useWork()
  const pms = usePms()
  async function submit(): Promise<void> {
    setTried(true)
    if (!isReady || typeId === null || unit === null) {
      setTimeout(() => document.querySelector<HTMLElement>('.walk-in [aria-invalid=true]')?.focus())
      return
    }
    await work.run(async () => {
      const ratePlanId = offers.data?.ratePlan?.id ?? null
      const stayId = await book({
        draft,
        status: 'InHouse',
        start,
        typeId,
        unitId: unit.id,
        ratePlanId,
        currency,
        price,
      })
      forget()
      setTried(false)
      goTo('stay', [stayId])
      // The fields are empty now. The next keys are those of the sheet.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      if (chosen && !isWithoutCard && may('keys.issue')) void orderFirstCards(await readStay(stayId), chosen)
    })
    offers.readAgain()
    rooms.readAgain()
  }
  useShortcuts(
    [
      {
        key: 'Enter',
        ctrl: true,
        inFields: true,
        name: t.value.book,
        run: () => void submit(),
        isWriting: true,
      },
    ],
    [JSON.stringify(draft), unit?.id, price, isWithoutCard, chosen?.id, work.isBusy],
  )
  return el.form(
    {
      class: 'stack walk-in',
      'aria-label': t.value.title,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        void submit()
      },
    },
    el.h1(null, t.value.title),
    !isInStep(pms) && notice('warning', t.value.local, pmsLines(pms)),
    when(start, draft, change),
    loadingBar(offers.isLoading && !offers.data),
    offers.problem && failure(offers.problem, offers.readAgain),
    h(TypeChoice, {
      offers: offers.data?.all ?? [],
      currency,
      persons: Number(draft.adults) + Number(draft.children),
      value: typeId,
      choose: (id) => change({ typeId: id, unitId: '', price: '' }),
    }),
    who(draft, change, isTried),
    el.div(
      { class: 'two' },
      ...terms(sale, draft, change),
      controllers.length > 0 &&
        h(ControllerChoice, {
          all: controllers,
          value: isWithoutCard ? '' : (chosen?.id ?? ''),
          none: g.value.noCardNow,
          choose: (id) => {
            setWithoutCard(id === '')
            if (id !== '') choose(id)
          },
        }),
    ),
    work.problem instanceof ApiError && refusal(work.problem),
    el.div(
      { class: 'row' },
      button(chosen && !isWithoutCard ? t.value.book : t.value.bookOnly, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        icon: 'in',
        letter: 'Ctrl Enter',
        isBusy: work.isBusy,
      }),
      button(t.value.clear, { onClick: forget, icon: 'cross' }),
    ),
  )
}

/** A draft of one night. */
export function emptyDraft(start: string, lastName: string): Draft {
  return {
    end: plusDays(start, 1),
    startTime: '',
    endTime: '',
    adults: '1',
    children: '0',
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
  const counts = (from: number) => Array.from({ length: 9 - from }, (_, index) => String(index + from))
  const choices = (from: number) => counts(from).map((each) => [each, each] as const)
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
    h(Choice, {
      label: t.value.adults,
      value: draft.adults,
      choices: choices(1),
      onChange: (adults) => change({ adults }),
    }),
    h(Choice, {
      label: t.value.children,
      value: draft.children,
      choices: choices(0),
      onChange: (children) => change({ children }),
    }),
  )
}

/** The name of the guest. */
export function who(draft: Draft, change: Change, isTried: boolean, isFirst = false): View {
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
