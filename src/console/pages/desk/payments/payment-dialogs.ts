import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { moneyText } from '../../lib/language/format.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import type { Payment, TerminalPayment } from '../../lib/server/resources.ts'
import { confirmed } from '../../lib/server/session.ts'
import { cardTexts } from '../cards/texts.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { brandOf, textsOf } from './recording.ts'

interface TakeBackOptions {
  payment: Resource<Payment>
  onClose: () => void
  onDone: (said: string) => void
}

/** Voids a payment or a refund. */
export function TakeBack({ payment, onClose, onDone }: TakeBackOptions): View {
  const { kind, amount, currency, revision } = payment.attributes
  const texts = textsOf(kind)
  const work = useWork()
  const takeBack = async () => {
    await confirmed(() => send('DELETE', `/api/v2/payments/${payment.id}`, { ifMatch: `"${revision}"` }))
    onDone(texts.takenBack(moneyText(amount, currency)))
  }
  return h(
    Dialog,
    { title: texts.takeBackTitle, onClose },
    el.div(
      { class: 'stack' },
      el.p(null, `${moneyText(amount, currency)}, ${brandOf(payment)}`),
      el.p(null, texts.takeBackWhy),
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

interface ByHandOptions {
  payment: Resource<TerminalPayment>
  onClose: () => void
  onDone: (said: string) => void
}

/** States how a payment at a terminal ended. The box records the reason with the person's name. */
export function ByHand({ payment: { id, attributes }, onClose, onDone }: ByHandOptions): View {
  const { stayId, amount, currency } = attributes
  const sum = moneyText(amount, currency)
  const texts = g.value.atTerminal
  const work = useWork()
  const [reason, setReason] = useState('')
  const [number, setNumber] = useState('')
  const text = reason.trim()
  const settle = (charged: boolean) => async () => {
    const body = {
      terminalPaymentId: id,
      charged,
      reason: text,
      terminalTransactionId: charged ? number.trim() || null : null,
    }
    const path = `/api/v2/stays/${stayId}/actions/settle-terminal-payment`
    await confirmed(() => send('POST', path, { body }))
    onDone(charged ? texts.isCharged(sum) : texts.isNotCharged(sum))
  }
  const choice = (charged: boolean) =>
    button(charged ? texts.charged : texts.notCharged, {
      onClick: () => void work.run(settle(charged)),
      icon: charged ? 'check' : 'cross',
      isBusy: work.isBusy,
      isDisabled: text.length < 3,
      isWriting: true,
    })
  return h(
    Dialog,
    { title: texts.byHandTitle(sum), onClose },
    el.div(
      { class: 'stack' },
      el.p(null, texts.byHandWhy),
      h(Field, {
        label: texts.reason,
        value: reason,
        onInput: setReason,
        hint: cardTexts.value.overrideHint,
        maxLength: 200,
        isFirst: true,
      }),
      h(Field, {
        label: texts.number,
        value: number,
        onInput: setNumber,
        hint: texts.numberHint,
        maxLength: 128,
      }),
      workProblem(work, {}, () => {}),
      el.div({ class: 'row' }, choice(true), choice(false)),
    ),
  )
}
