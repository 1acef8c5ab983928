import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, Dialog, keepFocus } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Payment, Stay } from '../../lib/server/resources.ts'
import { confirmed } from '../../lib/server/session.ts'
import { pathOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { doubtOf, nextOf } from './next-payment.ts'
import { amountField, brandChoice, useAmount } from './payment-fields.ts'
import { actions, doubtful, forgetDoubtful, recordPayment, textsOf } from './recording.ts'

/** A button in another dialogue of the stay, to record first what is to pay, or what is given back. */
export function PayHere(options: { stay: Resource<Stay>; changed: () => void }): View | null {
  const { stay, changed } = options
  const [isOpen, open] = useState(false)
  // When everything is paid, this button disappears, and the focus must move.
  useEffect(() => () => queueMicrotask(keepFocus), [])
  const doubt = doubtful.value.get(stay.id)?.state
  useEffect(() => {
    if (doubt === 'recorded') changed()
  }, [doubt])
  const next = nextOf(stay)
  if (next === null) return null
  return el.div(
    null,
    doubtOf(stay.id),
    doubt !== 'looking' && button(textsOf(next).pay, { onClick: () => open(true), icon: 'money' }),
    isOpen &&
      h(Pay, {
        stay,
        onClose: () => open(false),
        onDone: () => {
          open(false)
          changed()
        },
      }),
  )
}

interface PayOptions {
  stay: Resource<Stay>
  onClose: () => void
  /** Called with the message; null when the answer was lost. */
  onDone: (said: string | null) => void
}

/** Records a payment of what is to pay on a stay, or a refund of what is to give back. */
export function Pay({ stay, onClose, onDone }: PayOptions): View {
  const outstanding = stay.attributes.outstanding ?? 0
  // The stay may be settled, or owe, while the dialogue is open: its kind stays.
  const [kind] = useState<Payment['kind']>(outstanding < 0 ? 'Refund' : 'Payment')
  const texts = textsOf(kind)
  const currency = stay.attributes.currency ?? 'EUR'
  const work = useWork()
  const typed = useAmount(Math.abs(outstanding), currency)
  const [brand, setBrand] = useState('Cash')
  const { amount } = typed
  const pay = async () => {
    forgetDoubtful(stay.id)
    const path = `${pathOf(stay)}/actions/${actions[kind]}`
    onDone(await confirmed(() => recordPayment({ stayId: stay.id, path, currency, amount, brand })))
  }
  return h(
    Dialog,
    { title: texts.pay, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => amount > 0 && void work.run(pay)) },
      amountField(typed),
      brandChoice(texts.how, brand, setBrand),
      el.p({ class: 'quiet' }, texts.payNote),
      workProblem(work, {}, () => {}),
      button(g.value.record, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}
