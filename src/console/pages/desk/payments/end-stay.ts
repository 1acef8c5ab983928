import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { moneyText } from '../../lib/language/format.ts'
import { useRead } from '../../lib/server/read.ts'
import { guestOf, nameInList, type Stay } from '../../lib/server/resources.ts'
import { noted, type ShownStay, stayWith, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { t } from './texts.ts'

interface EndStayOptions {
  shown: ShownStay
  to: 'Canceled' | 'NoShow'
  onClose: () => void
  onDone: () => void
}

/**
 * Ends a stay whose guest does not come. Shows the conditions by which the box fixes a fee, and asks for the reason, which one
 * request writes together with the new status.
 */
export function EndStay({ shown: { stay, included }, to, onClose, onDone }: EndStayOptions): View {
  const { cancellationPolicy } = stay.attributes
  const { data: trial } = useRead(cancellationPolicy && to, (signal) =>
    stayWith(stay, { status: to }, signal),
  )
  const work = useWork()
  const [reason, setReason] = useState('')
  const why = reason.trim()
  const name = to === 'NoShow' ? g.value.noShow : g.value.cancelStay
  const changeOf = (from = stay) => ({ status: to, ...noted(from, `${g.value.status[to]}: ${why}`) })
  const end = (from = stay) =>
    void work.run(async () => {
      await writeStay(from, changeOf(from))
      onDone()
    })
  return h(
    Dialog,
    { title: `${name}: ${nameInList(guestOf(stay, included))}`, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => why.length >= 3 && end()) },
      el.p(null, t.value.endsAs[to]),
      cancellationPolicy &&
        notice(
          'info',
          trial ? feeText(trial) : t.value.feeMay,
          cancellationPolicy.description &&
            el.p(null, el.strong(null, `${g.value.conditions}: `), cancellationPolicy.description),
        ),
      h(Field, {
        label: t.value.whyEnded,
        value: reason,
        onInput: setReason,
        hint: t.value.whyHint,
        maxLength: 200,
        isFirst: true,
      }),
      workProblem(work, changeOf(), ({ fresh }) => end(fresh)),
      button(name, {
        onClick: () => {},
        type: 'submit',
        kind: 'main danger',
        icon: to === 'NoShow' ? 'absent' : 'cross',
        isBusy: work.isBusy,
        isDisabled: why.length < 3,
      }),
    ),
  )
}

/** What the box would fix now. */
const feeText = ({ cancellationFee: fee }: Stay) =>
  fee && fee.amount > 0 ? t.value.feeNow(moneyText(fee.amount, fee.currency)) : t.value.noFee
