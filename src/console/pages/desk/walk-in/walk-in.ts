import { h } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError, type Resource } from '../../lib/api.ts'
import { button, Choice, Field, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { dateText, digitsOf, nightsBetween, plusDays } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import type { Unit } from '../../lib/resources.ts'
import { goTo, place } from '../../lib/route.ts'
import { may, today } from '../../lib/session.ts'
import { unitText } from '../guest/check-in.ts'
import { ControllerChoice, useControllers, useOwnController } from '../guest/controllers.ts'
import { orderFirstCards } from '../guest/order-cards.ts'
import { readStay } from '../guest/stay.ts'
import { g } from '../guest/texts.ts'
import { useWork } from '../guest/use-work.ts'
import { amountIn, book } from './book.ts'
import { type Draft, newNumber, useDraft } from './draft.ts'
import { useOffers, useRooms } from './offers.ts'
import { t } from './texts.ts'
import { TypeChoice } from './type-choice.ts'

/** A guest without a booking: dates and persons, type, name, room, money, card, in the order of the talk. */
export function WalkIn(): View {
  const start = today.value
  const asked = place.value.parts[0] ?? ''
  const { draft, change, forget } = useDraft(emptyDraft(start, asked))
  const offers = useOffers(start, draft.end)
  const typeId = chosenType(draft, offers.data?.all ?? [])
  const rooms = useRooms(typeId, start, draft.end)
  // A room that was chosen and is gone is not replaced by another one without a word.
  const unit = (rooms.data ?? []).find(({ id }) => draft.unitId === '' || id === draft.unitId) ?? null
  const controllers = useControllers().data ?? []
  const { chosen, choose } = useOwnController(controllers)
  const [isWithoutCard, setWithoutCard] = useState(false)
  const [isTried, setTried] = useState(false)
  const work = useWork()
  const nights = nightsBetween(start, draft.end)
  const offer = offers.data?.all.find(({ type }) => type.id === typeId)
  const currency = offers.data?.ratePlan?.attributes.currency ?? 'EUR'
  const suggested = offer?.nightly == null ? '' : (offer.nightly * nights).toFixed(digitsOf(currency))
  const priceText = draft.price === '' ? suggested : draft.price
  const price = amountIn(priceText, currency)
  const isPriceWrong = priceText !== '' && price === null
  const isReady =
    draft.lastName.trim() !== '' &&
    draft.firstName.trim() !== '' &&
    nights >= 1 &&
    typeId !== null &&
    unit !== null &&
    !isPriceWrong

  async function submit(): Promise<void> {
    setTried(true)
    if (!isReady || typeId === null || unit === null) {
      setTimeout(() => document.querySelector<HTMLElement>('.walk-in [aria-invalid=true]')?.focus())
      return
    }
    await work.run(async () => {
      const ratePlanId = offers.data?.ratePlan?.id ?? null
      const stayId = await book({ draft, start, typeId, unitId: unit.id, ratePlanId, currency, price })
      forget()
      setTried(false)
      goTo('stay', [stayId])
      if (chosen && !isWithoutCard && may('keys.issue')) void orderFirstCards(await readStay(stayId), chosen)
    })
    offers.readAgain()
    rooms.readAgain()
  }
  useShortcuts(
    [{ key: 'Enter', ctrl: true, inFields: true, name: t.value.book, run: () => void submit() }],
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
      roomChoice(rooms.data ?? null, unit, (unitId) => change({ unitId })),
      h(Field, {
        label: t.value.price(currency),
        inputMode: 'decimal',
        value: priceText,
        onInput: (text) => change({ price: text }),
        hint: t.value.priceHint,
        error: isPriceWrong ? t.value.priceWrong : null,
      }),
      h(Choice, {
        label: t.value.pay,
        value: draft.brand,
        choices: [['', t.value.later] as const, ...Object.entries(g.value.brands)],
        onChange: (brand) => change({ brand }),
      }),
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

function emptyDraft(start: string, lastName: string): Draft {
  return {
    end: plusDays(start, 1),
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

type Offered = NonNullable<ReturnType<typeof useOffers>['data']>['all']

/** The chosen type, also when it was sold meanwhile; else the first that is left and large enough. */
function chosenType({ typeId, adults, children }: Draft, all: Offered): string | null {
  if (typeId !== '' && all.some(({ type }) => type.id === typeId)) return typeId
  const persons = Number(adults) + Number(children)
  const fits = all.find(
    ({ left, type }) =>
      left > 0 && (type.attributes.maxOccupancy === null || type.attributes.maxOccupancy >= persons),
  )
  return fits?.type.id ?? null
}

type Change = (change: Partial<Draft>) => void

function when(start: string, draft: Draft, change: Change): View {
  const nights = nightsBetween(start, draft.end)
  const counts = (from: number) => Array.from({ length: 9 - from }, (_, index) => String(index + from))
  const choices = (from: number) => counts(from).map((each) => [each, each] as const)
  return el.div(
    { class: 'two' },
    h(Field, {
      label: t.value.until,
      type: 'date',
      value: draft.end,
      min: plusDays(start, 1),
      onInput: (end) => change({ end, unitId: '', price: '' }),
      hint: `${t.value.from(dateText(start))}: ${t.value.nights(Math.max(0, nights || 0))}`,
      error: nights >= 1 ? null : t.value.badDates,
      isFirst: true,
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

function who(draft: Draft, change: Change, isTried: boolean): View {
  return el.div(
    { class: 'two' },
    h(Field, {
      label: t.value.lastName,
      value: draft.lastName,
      onInput: (lastName) => change({ lastName }),
      error: isTried && draft.lastName.trim() === '' ? t.value.nameNeeded : null,
      isRequired: true,
    }),
    h(Field, {
      label: t.value.firstName,
      value: draft.firstName,
      onInput: (firstName) => change({ firstName }),
      error: isTried && draft.firstName.trim() === '' ? t.value.nameNeeded : null,
      isRequired: true,
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

function refusal(problem: ApiError): View {
  const isTaken = problem.code !== 'validation-failed' && (problem.status === 409 || problem.status === 422)
  return isTaken
    ? notice('warning', problem.title, el.p(null, problem.message), el.p(null, t.value.refused))
    : failure(problem)
}
