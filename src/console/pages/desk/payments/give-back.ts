import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { moneyText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Payment, Stay } from '../../lib/server/resources.ts'
import { confirmed } from '../../lib/server/session.ts'
import { cardTexts } from '../cards/texts.ts'
import { pathOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { amountField, brandChoice, useAmount } from './payment-fields.ts'
import { actions, brandOf, forgetDoubtful, recordPayment, textsOf } from './recording.ts'
import { t } from './texts.ts'

interface GiveBackOptions {
  stay: Resource<Stay>
  payment: Resource<Payment>
  /** What is left of the payment, in minor units of its currency. */
  left: number
  onClose: () => void
  /** Called with the message; null when the answer was lost. */
  onDone: (said: string | null) => void
}

/** Records that a payment, or a part of it, was given back, with its method and a reason. */
export function GiveBack({ stay, payment, left, onClose, onDone }: GiveBackOptions): View {
  const { currency, amount: whole, brand: paidWith } = payment.attributes
  const texts = textsOf('Refund')
  const work = useWork()
  const typed = useAmount(left, currency)
  const [brand, setBrand] = useState(paidWith in g.value.brands ? paidWith : 'Cash')
  const [reason, setReason] = useState('')
  const text = reason.trim()
  const { amount } = typed
  const isReady = amount > 0 && text.length >= 3
  const give = async () => {
    forgetDoubtful(stay.id)
    const path = `${pathOf(stay)}/actions/${actions.Refund}`
    const refund = { stayId: stay.id, path, currency, amount, brand, refundOf: payment.id, reason: text }
    onDone(await confirmed(() => recordPayment(refund)))
  }
  return h(
    Dialog,
    { title: t.value.giveBackTitle, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => isReady && void work.run(give)) },
      el.p(null, `${moneyText(whole, currency)}, ${brandOf(payment)}`),
      el.p(null, t.value.left(moneyText(left, currency))),
      amountField(typed, { most: left }),
      brandChoice(texts.how, brand, setBrand),
      h(Field, {
        label: t.value.whyGiven,
        value: reason,
        onInput: setReason,
        hint: cardTexts.value.overrideHint,
        maxLength: 200,
      }),
      el.p({ class: 'quiet' }, texts.payNote),
      workProblem(work, {}, () => {}),
      button(amount > 0 ? t.value.givePart(moneyText(amount, currency)) : g.value.giveBack, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        isBusy: work.isBusy,
        isDisabled: !isReady,
      }),
    ),
  )
}
