import { h } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError, type Resource, send } from '../../lib/api.ts'
import { button, Choice, Dialog, Field, failure, loadingBar, TextArea } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { digitsOf, nightsBetween, plusDays } from '../../lib/format.ts'
import type { Controller, Key, Stay } from '../../lib/resources.ts'
import { unitText, useFreeUnits } from './check-in.ts'
import { orderOriginal } from './order-cards.ts'
import { readStay, type ShownStay, writeStay } from './stay.ts'
import { g } from './texts.ts'
import { useWork, workProblem } from './use-work.ts'

interface StayDialog {
  shown: ShownStay
  keys: readonly Resource<Key>[]
  controller: Resource<Controller> | null
  onClose: () => void
}

/** Changes the day of departure and the price, and then each key of the stay: a card is made anew. */
export function Extend({ shown, keys, controller, onClose }: StayDialog): View {
  const { stay } = shown
  const { startDate, endDate, amount, currency } = stay.attributes
  const work = useWork()
  const [end, setEnd] = useState(endDate)
  const [price, setPrice] = useState<string | null>(null)
  const suggested = amount ? priceFor(stay, end).toFixed(digitsOf(amount.currency)) : ''
  const text = price ?? suggested
  const isWrong = amount !== null && !/^\d+([.,]\d+)?$/.test(text)
  const change: Partial<Stay> = {
    endDate: end,
    ...(amount && !isWrong && { amount: scaled(amount, Number(text.replace(',', '.'))) }),
  }
  async function extend(from = stay): Promise<void> {
    await writeStay(from, change)
    onClose()
    const now = await readStay(stay.id)
    await extendKeys(now, keys, controller)
  }
  return h(
    Dialog,
    { title: g.value.extendTitle, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => !isWrong && void work.run(extend)) },
      h(Field, {
        label: g.value.departure,
        type: 'date',
        value: end,
        min: plusDays(startDate, 0),
        onInput: setEnd,
        hint: g.value.nights(Math.max(0, nightsBetween(startDate, end) || 0)),
        isFirst: true,
      }),
      amount &&
        h(Field, {
          label: g.value.price(currency ?? amount.currency),
          inputMode: 'decimal',
          value: text,
          onInput: setPrice,
          error: isWrong ? g.value.priceWrong : null,
        }),
      controller &&
        keys.some(({ attributes: { status } }) => status === 'live') &&
        el.p({ class: 'quiet' }, g.value.extendWhy(controller.attributes.name)),
      workProblem(work, change, ({ fresh }) => void work.run(() => extend(fresh))),
      button(g.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}

/** The price of the stay with another end, at the price of a night that it has now. */
function priceFor({ attributes: { amount, startDate, endDate } }: Resource<Stay>, end: string): number {
  if (!amount) return 0
  const nights = Math.max(1, nightsBetween(startDate, endDate))
  return (amount.amountWithTax / nights) * Math.max(1, nightsBetween(startDate, end) || 1)
}

/** The same share of tax in another amount. The prices of the single nights do not fit any more. */
function scaled(amount: NonNullable<Stay['amount']>, amountWithTax: number): NonNullable<Stay['amount']> {
  const { currency, amountWithTax: before, amountWithoutTax } = amount
  if (before === amountWithTax) return amount
  const digits = digitsOf(currency)
  const share = amountWithoutTax == null || before === 0 ? 1 : amountWithoutTax / before
  return { currency, amountWithTax, amountWithoutTax: Number((amountWithTax * share).toFixed(digits)) }
}

/** Extends each live key. The rights of a card are on the card, so that a new first card is made for its room. */
async function extendKeys(
  shown: ShownStay,
  keys: readonly Resource<Key>[],
  controller: Resource<Controller> | null,
): Promise<void> {
  const live = keys.filter(({ attributes: { status } }) => status === 'live' || status === 'virtual')
  const toMake = new Set<string>()
  for (const { id, attributes } of live) {
    try {
      await send('POST', `/api/v2/access/keys/${id}/actions/extend`, {
        body: { data: { type: 'key', attributes: { endDate: shown.stay.attributes.endDate } } },
        idempotencyKey: crypto.randomUUID(),
      })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'card-required') throw error
      if (attributes.unitName) toMake.add(attributes.unitName)
    }
  }
  const [room] = toMake
  if (room !== undefined && controller) await orderOriginal(shown, controller, room)
}

/** Gives the stay another room: the cards of the old one end, then the stay moves, then a new first card is made. */
export function Move({ shown, keys, controller, onClose }: StayDialog): View {
  const { stay } = shown
  const work = useWork()
  const { data: free = [], isLoading, problem, readAgain } = useFreeUnits(stay)
  const [unitId, setUnit] = useState('')
  const own = stay.attributes.units.map((each) => each.unitId)
  const choices = free.filter(({ id }) => !own.includes(id))
  const wanted = choices.find(({ id }) => id === unitId) ?? choices[0]
  const [first, ...others] = stay.attributes.units
  const units =
    wanted && first ? [{ ...first, unitId: wanted.id, unitName: wanted.attributes.name }, ...others] : []
  const isLive = keys.some(({ attributes }) => attributes.status === 'live')

  async function move(from = stay): Promise<void> {
    const old = keys.filter(
      ({ attributes: { status, unitName } }) => status === 'live' && unitName === first?.unitName,
    )
    for (const { id } of old) await send('DELETE', `/api/v2/access/keys/${id}`)
    await writeStay(from, { units })
    onClose()
    const now = await readStay(stay.id)
    if (old.length > 0 && controller && wanted) await orderOriginal(now, controller, wanted.attributes.name)
  }
  return h(
    Dialog,
    { title: g.value.moveTitle, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => wanted && void work.run(move)) },
      loadingBar(isLoading),
      problem && failure(problem, readAgain),
      choices.length === 0 && !isLoading
        ? el.p(null, g.value.noFreeRoom)
        : choices.length > 0 &&
            h(Choice, {
              isFirst: true,
              label: g.value.room,
              value: wanted?.id ?? '',
              choices: choices.map((each) => [each.id, unitText(each)] as const),
              onChange: setUnit,
            }),
      isLive && el.p({ class: 'quiet' }, g.value.moveWhy),
      workProblem(work, { units }, ({ fresh }) => void work.run(() => move(fresh))),
      button(g.value.save, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        isBusy: work.isBusy,
        isDisabled: !wanted,
      }),
    ),
  )
}

/** Changes the comment of the house about a stay. */
export function EditComment({ shown, onClose }: Pick<StayDialog, 'shown' | 'onClose'>): View {
  const { stay } = shown
  const work = useWork()
  const [text, setText] = useState(stay.attributes.comment ?? '')
  const change = { comment: text.trim() === '' ? null : text }
  const write =
    (from = stay) =>
    async () => {
      await writeStay(from, change)
      onClose()
    }
  return h(
    Dialog,
    { title: g.value.comment, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => void work.run(write())) },
      h(TextArea, { label: g.value.comment, value: text, onInput: setText, isFirst: true }),
      workProblem(work, change, ({ fresh }) => void work.run(write(fresh))),
      button(g.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}

function prevented(submit: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    submit()
  }
}
