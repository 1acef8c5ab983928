import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, get, type Resource, send } from '../../lib/api.ts'
import { button, Choice, Dialog, Field, failure, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { digitsOf, momentText, moneyText } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import { useRead } from '../../lib/read.ts'
import type { Payment, Stay } from '../../lib/resources.ts'
import { confirmed, may } from '../../lib/session.ts'
import { forgetRequest, keepRequest, keptRequest } from './kept-request.ts'
import { pathOf } from './stay.ts'
import { g } from './texts.ts'
import { useWork, workProblem } from './use-work.ts'

const timeoutMs = 30_000

/** What a stay costs, what was paid, and how to record a payment or take one back. */
export function Payments({ stay, changed }: { stay: Resource<Stay>; changed: () => void }): View {
  const { reservationId, outstanding, due, paid, currency } = stay.attributes
  const path = `/api/v2/payments?filter[reservationId]=${reservationId}&sort=-createdAt&page[size]=100`
  const payments = useRead(
    may('payments.read') ? `payments ${reservationId}` : null,
    async (signal) => (await get<Resource<Payment>[]>(path, { signal })).data,
    ['payment.'],
  )
  const [open, setOpen] = useState<'pay' | Resource<Payment> | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const again = () => {
    payments.readAgain()
    changed()
  }
  const pending = usePending(stay, (text) => {
    setSaid(text)
    again()
  })
  const close = () => setOpen(null)
  const mayPay = may('payments.record') && currency !== null && (outstanding ?? 0) > 0
  useShortcuts(mayPay ? [{ key: 'p', name: g.value.pay, run: () => setOpen('pay') }] : [], [mayPay, stay.id])
  return el.section(
    { class: 'stack' },
    el.h3(null, g.value.payments),
    el.div({ class: 'row' }, ...balance(due, paid, outstanding, currency)),
    payments.problem && failure(payments.problem, payments.readAgain),
    pending && notice('info', g.value.payUnclear),
    said && notice('ok', said),
    (payments.data ?? []).map((each) => line(each, () => setOpen(each))),
    mayPay &&
      el.div(null, button(g.value.pay, { onClick: () => setOpen('pay'), letter: 'p', icon: 'money' })),
    open === 'pay' &&
      h(Pay, {
        stay,
        onClose: close,
        onDone: (text) => {
          close()
          setSaid(text)
          again()
        },
      }),
    open !== null && open !== 'pay' && h(TakeBack, { payment: open, onClose: close, onDone: again }),
  )
}

function balance(
  due: number | null,
  paid: number | null,
  outstanding: number | null,
  currency: string | null,
) {
  if (due === null || currency === null) return [el.span({ class: 'quiet' }, g.value.nothingDue)]
  const rest = outstanding ?? 0
  const state =
    rest > 0
      ? g.value.toPay(moneyText(rest, currency))
      : rest < 0
        ? g.value.overpaid(moneyText(-rest, currency))
        : g.value.settled
  return [
    el.span(null, g.value.due(moneyText(due, currency))),
    el.span(null, g.value.paid(moneyText(paid ?? 0, currency))),
    el.strong(null, state),
  ]
}

function line(payment: Resource<Payment>, takeBack: () => void): View {
  const { amount, currency, brand, brandText, createdAt } = payment.attributes
  const how = brandText ?? g.value.brands[brand] ?? brand
  return el.div(
    { key: payment.id, class: 'line' },
    el.span(null, moneyText(amount, currency)),
    el.span(null, how),
    el.span({ class: 'quiet' }, momentText(createdAt)),
    may('payments.void') &&
      button(g.value.takeBack, {
        onClick: takeBack,
        icon: 'undo',
        name: `${g.value.takeBack}: ${moneyText(amount, currency)}`,
      }),
  )
}

const nameOf = (stay: Resource<Stay>) => `payment.${stay.id}`

/** Sends a payment that is kept, and forgets it as soon as the box has answered. Throws ApiError. */
async function sendKept(stay: Resource<Stay>): Promise<string> {
  const kept = keptRequest(nameOf(stay))
  if (!kept) return ''
  try {
    const { path, body, idempotencyKey } = kept
    const { data } = await send<Resource<Payment>>('POST', path, { body, idempotencyKey, timeoutMs })
    forgetRequest(nameOf(stay))
    return g.value.recorded(moneyText(data.attributes.amount, data.attributes.currency))
  } catch (error) {
    const isAnswer = error instanceof ApiError && ![0, 401, 429, 503].includes(error.status)
    if (isAnswer && error.code !== 'idempotency-in-progress') forgetRequest(nameOf(stay))
    throw error
  }
}

/** After a reload, asks for the answer to the payment that was under way. */
function usePending(stay: Resource<Stay>, done: (text: string) => void): boolean {
  const [isPending, setPending] = useState(keptRequest(nameOf(stay)) !== null)
  useEffect(() => {
    if (!isPending) return
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      try {
        done(await sendKept(stay))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (keptRequest(nameOf(stay)) !== null) {
          timer = setTimeout(() => void ask(), 2_000)
          return
        }
        done(error.message)
      }
      setPending(false)
    }
    void ask()
    return () => clearTimeout(timer)
  }, [stay.id])
  return isPending
}

interface PayOptions {
  stay: Resource<Stay>
  onClose: () => void
  onDone: (said: string) => void
}

function Pay({ stay, onClose, onDone }: PayOptions): View {
  const currency = stay.attributes.currency ?? 'EUR'
  const digits = digitsOf(currency)
  const work = useWork()
  const [text, setText] = useState(((stay.attributes.outstanding ?? 0) / 10 ** digits).toFixed(digits))
  const [brand, setBrand] = useState('Cash')
  const amount = Math.round(Number(text.replace(',', '.')) * 10 ** digits)
  const isWrong = !(amount > 0)
  const pay = async () => {
    const body = { data: { type: 'payment', attributes: { currency, amount, brand } } }
    keepRequest(nameOf(stay), `${pathOf(stay)}/actions/record-payment`, body)
    onDone(await sendKept(stay))
  }
  return h(
    Dialog,
    { title: g.value.payTitle, onClose },
    el.form(
      {
        class: 'stack',
        onSubmit: (event) => {
          event.preventDefault()
          if (!isWrong) void work.run(pay)
        },
      },
      h(Field, {
        label: `${g.value.amount} (${currency})`,
        inputMode: 'decimal',
        value: text,
        onInput: setText,
        error: isWrong ? g.value.priceWrong : null,
        isFirst: true,
      }),
      h(Choice, {
        label: g.value.how,
        value: brand,
        choices: Object.entries(g.value.brands).map(([value, name]) => [value, name] as const),
        onChange: setBrand,
      }),
      el.p({ class: 'quiet' }, g.value.payNote),
      workProblem(work, {}, () => {}),
      button(g.value.record, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}

interface TakeBackOptions {
  payment: Resource<Payment>
  onClose: () => void
  onDone: () => void
}

function TakeBack({ payment, onClose, onDone }: TakeBackOptions): View {
  const { amount, currency, brand, brandText, revision } = payment.attributes
  const work = useWork()
  const takeBack = async () => {
    await confirmed(() => send('DELETE', `/api/v2/payments/${payment.id}`, { ifMatch: `"${revision}"` }))
    onClose()
    onDone()
  }
  return h(
    Dialog,
    { title: g.value.takeBackTitle, onClose },
    el.div(
      { class: 'stack' },
      el.p(null, `${moneyText(amount, currency)}, ${brandText ?? g.value.brands[brand] ?? brand}`),
      el.p(null, g.value.takeBackWhy),
      workProblem(work, {}, () => {}),
      button(g.value.takeBack, {
        onClick: () => void work.run(takeBack),
        kind: 'main',
        icon: 'undo',
        isBusy: work.isBusy,
        isFirst: true,
      }),
    ),
  )
}
