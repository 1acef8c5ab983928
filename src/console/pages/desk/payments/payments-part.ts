import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { later } from '../../lib/controls/later.ts'
import { usePassing } from '../../lib/controls/passing.ts'
import { momentText, moneyText } from '../../lib/language/format.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Payment, Stay } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { g } from '../stay/texts.ts'
import { FeePart } from './fee-part.ts'
import { doubtOf, nextOf } from './next-payment.ts'
import { brandOf, doubtful, resumeRecording, textsOf } from './recording.ts'
import { AtTerminal } from './terminal-part.ts'

const Pay = later(async () => (await import('../guest/stay-dialogs.ts')).Pay)
const TakeBack = later(async () => (await import('../guest/stay-dialogs.ts')).TakeBack)
const GiveBack = later(async () => (await import('../guest/stay-dialogs.ts')).GiveBack)

/** A payment of which a dialogue is open. */
interface Opened {
  dialog: 'take-back' | 'give-back'
  payment: Resource<Payment>
}

/** The price of a stay, its payments and its refunds. Records and voids them. */
export function Payments({ stay, changed }: { stay: Resource<Stay>; changed: () => void }): View {
  const { reservationId } = stay.attributes
  const path = `/api/v2/payments?filter[reservationId]=${reservationId}&sort=-createdAt&page[size]=100`
  const payments = useRead(
    may('payments.read') ? `payments ${reservationId}` : null,
    async (signal) => (await getList<Payment>(path, { signal })).data,
    ['payment.'],
  )
  const [open, setOpen] = useState<'pay' | Opened | null>(null)
  const [said, setSaid] = usePassing()
  const section = useRef<HTMLElement>(null)
  // The clerk who pressed the key of a payment may look at another part of the sheet.
  useEffect(() => {
    if (said !== null) section.current?.scrollIntoView({ block: 'nearest' })
  }, [said])
  const again = () => {
    payments.readAgain()
    changed()
  }
  const close = () => setOpen(null)
  const done = (text: string | null) => {
    close()
    setSaid(text)
    again()
  }
  const doubt = doubtful.value.get(stay.id)?.state
  useEffect(() => resumeRecording(stay.id), [stay.id])
  useEffect(() => {
    if (doubt === 'recorded') again()
  }, [doubt])
  const next = doubt === 'looking' ? null : nextOf(stay)
  const name = next && textsOf(next).pay
  useShortcuts(name === null ? [] : [{ key: 'p', name, run: () => setOpen('pay') }], [name, stay.id])
  return el.section(
    { class: 'stack', ref: section },
    el.h3(null, g.value.payments),
    balance(stay.attributes),
    h(FeePart, { stay, changed: again }),
    payments.problem && failure(payments.problem, payments.readAgain),
    doubtOf(stay.id),
    h(AtTerminal, { stayId: stay.id, settled: done }),
    said && notice('ok', said),
    (payments.data ?? []).map((each) =>
      line(each, leftOf(each, payments.data ?? []), (dialog) => setOpen({ dialog, payment: each })),
    ),
    name !== null &&
      el.div(
        null,
        button(name, {
          onClick: () => setOpen('pay'),
          kind: (stay.attributes.outstanding ?? 0) > 0 ? 'soft' : 'plain',
          letter: 'p',
          icon: 'money',
        }),
      ),
    open === 'pay' && h(Pay, { stay, onClose: close, onDone: done }),
    open !== null &&
      open !== 'pay' &&
      (open.dialog === 'take-back'
        ? h(TakeBack, { payment: open.payment, onClose: close, onDone: done })
        : h(GiveBack, {
            stay,
            payment: open.payment,
            left: leftOf(open.payment, payments.data ?? []),
            onClose: close,
            onDone: done,
          })),
  )
}

function balance({ due, paid, outstanding, currency }: Stay): View {
  if (due === null || currency === null) return el.p({ class: 'quiet' }, g.value.nothingDue)
  const rest = outstanding ?? 0
  const [tone, text] =
    rest > 0
      ? ['warning', g.value.toPay(moneyText(rest, currency))]
      : rest < 0
        ? ['info', g.value.overpaid(moneyText(-rest, currency))]
        : ['ok', g.value.settled]
  return el.div(
    { class: classes('balance', tone) },
    el.strong(null, text),
    el.span(
      null,
      `${g.value.due(moneyText(due, currency))}, ${g.value.paid(moneyText(paid ?? 0, currency))}`,
    ),
  )
}

/** Returns what is left of a payment, less its refunds, as the sheet shows them. The box knows it exactly. */
function leftOf({ id, attributes }: Resource<Payment>, all: readonly Resource<Payment>[]): number {
  if (attributes.kind === 'Refund') return 0
  const refunds = all.filter((each) => each.attributes.refundOf === id)
  return refunds.reduce((left, each) => left - each.attributes.amount, attributes.amount)
}

function line(payment: Resource<Payment>, left: number, open: (dialog: Opened['dialog']) => void): View {
  const { kind, amount, currency, createdAt, reason } = payment.attributes
  const sum = moneyText(amount, currency)
  const text = kind === 'Refund' ? g.value.givenBack(sum) : sum
  const action = (dialog: Opened['dialog'], label: string) =>
    button(label, { onClick: () => open(dialog), icon: 'undo', name: `${label}: ${text}` })
  return el.div(
    { key: payment.id, class: 'line' },
    el.span(null, text),
    el.span(null, brandOf(payment)),
    el.span({ class: 'quiet' }, momentText(createdAt), reason && `, ${reason}`),
    may('payments.void') && left > 0 && action('give-back', g.value.giveBack),
    // The box does not take back a payment of which a part was given back.
    may('payments.void') && (kind === 'Refund' || left === amount) && action('take-back', g.value.takeBack),
  )
}
