import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field, loadingBar } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { goTo } from '../../lib/controls/route.ts'
import { nightsBetween, plusDays } from '../../lib/language/format.ts'
import { ApiError } from '../../lib/server/api.ts'
import { today } from '../../lib/server/session.ts'
import { useWork } from '../stay/use-work.ts'
import { book } from '../walk-in/book.ts'
import { emptyDraft, refusal, terms, when, who } from '../walk-in/form-parts.ts'
import { useSale } from '../walk-in/sale.ts'

import type { Cell } from './new-cell.ts'
import { t } from './texts.ts'

interface NewBookingOptions {
  cell: Cell
  /** The first night that the rack shows. */
  rackStart: string
  onClose: () => void
}

/** Books a room of the rack from its first night on. The box decides whether the room is free. */
export function NewBooking({ cell: { unit, from, nights }, rackStart, onClose }: NewBookingOptions): View {
  const [start, setStart] = useState(plusDays(rackStart, from))
  const [draft, setDraft] = useState({
    ...emptyDraft(start, ''),
    end: plusDays(start, nights),
    typeId: unit.attributes.unitTypeId,
    unitId: unit.id,
  })
  const change = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more })
  const sale = useSale(draft, start)
  const { offers, typeId, currency, price, isPriceWrong } = sale
  const work = useWork()
  const [isTried, setTried] = useState(false)
  const isReady =
    draft.lastName.trim() !== '' && nightsBetween(start, draft.end) >= 1 && typeId !== null && !isPriceWrong
  async function submit(): Promise<void> {
    setTried(true)
    if (!isReady || typeId === null) return
    await work.run(async () => {
      const ratePlanId = offers.data?.ratePlan?.id ?? null
      const sold = { draft, start, typeId, ratePlanId, currency, price }
      const stayId = await book({ ...sold, unitId: draft.unitId, status: 'Confirmed' })
      onClose()
      goTo('stay', [stayId])
    })
    sale.rooms.readAgain()
  }
  const moveStart = (to: string) => {
    if (to < today.value) return
    // The length of the stay is kept.
    const length = Math.max(1, nightsBetween(start, draft.end) || 1)
    setStart(to)
    change({ end: plusDays(to, length), price: '' })
  }
  const arrival = h(Field, {
    label: t.value.arrival,
    type: 'date',
    value: start,
    min: today.value,
    onInput: moveStart,
  }) as View
  return h(
    Dialog,
    { title: `${t.value.newBooking}: ${unit.attributes.name}`, onClose },
    el.form(
      { class: 'stack walk-in', noValidate: true, onSubmit: prevented(() => void submit()) },
      ...who(draft, change, isTried, true),
      when(start, draft, change, arrival),
      loadingBar(offers.isLoading && !offers.data),
      offers.problem && failure(offers.problem, offers.readAgain),
      el.div({ class: 'two' }, ...terms(sale, draft, change)),
      work.problem instanceof ApiError && refusal(work.problem),
      button(t.value.book, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        icon: 'today',
        isBusy: work.isBusy,
      }),
    ),
  )
}
