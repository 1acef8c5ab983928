import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { goTo, place } from '../../lib/controls/route.ts'
import { ApiError } from '../../lib/server/api.ts'
import { today } from '../../lib/server/session.ts'
import { isInStep, pmsLines, usePms } from '../pms-line.ts'
import { useFirstCards } from '../stay/card-fields.ts'
import { readStay } from '../stay/stay.ts'
import { useWork } from '../stay/use-work.ts'
import { book } from './book.ts'
import { useDraft } from './draft.ts'
import { emptyDraft, refusal, terms, when, who } from './form-parts.ts'
import { personsIn } from './persons.ts'
import { useSale } from './sale.ts'
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
  const cards = useFirstCards()
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
      const sold = { draft, start, typeId, ratePlanId, currency, price }
      const stayId = await book({ ...sold, unitId: unit.id, status: 'InHouse' })
      forget()
      setTried(false)
      goTo('stay', [stayId])
      // The fields are empty now. The next keys are those of the sheet.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      await cards.order(() => readStay(stayId))
    })
    offers.readAgain()
    rooms.readAgain()
  }
  useShortcuts(
    [{ key: 'Enter', ctrl: true, inFields: true, name: t.value.book, run: submit, isWriting: true }],
    [JSON.stringify(draft), unit?.id, price, cards.place?.id, cards.count, work.isBusy],
  )
  return el.form(
    {
      class: 'stack walk-in',
      'aria-label': t.value.title,
      noValidate: true,
      onSubmit: prevented(() => void submit()),
    },
    el.h1(null, t.value.title),
    !isInStep(pms) && notice('warning', t.value.local, pmsLines(pms)),
    when(start, draft, change),
    loadingBar(offers.isLoading && !offers.data),
    offers.problem && failure(offers.problem, offers.readAgain),
    h(TypeChoice, {
      offers: offers.data?.all ?? [],
      currency,
      persons: personsIn(draft),
      value: typeId,
      choose: (id) => change({ typeId: id, unitId: '', price: '' }),
    }),
    ...who(draft, change, isTried),
    el.div({ class: 'two' }, ...terms(sale, draft, change), ...(cards.fields ?? [])),
    work.problem instanceof ApiError && refusal(work.problem),
    el.div(
      { class: 'row' },
      button(cards.place ? t.value.book : t.value.bookOnly, {
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
