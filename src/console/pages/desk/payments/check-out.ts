import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { button, Choice, Dialog, Field, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { moneyText, typedText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import { failure } from '../../lib/refusal-text.ts'
import { guestOf, nameInList, type Payment, type Stay } from '../../lib/resources.ts'
import { confirmed } from '../../lib/session.ts'
import { noted, pathOf, readStay, refusalOf, type ShownStay, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { doubtOf, nextOf } from './next-payment.ts'
import { amountField, useAmount } from './payment-fields.ts'
import { actions, doubtful, forgetDoubtful, recordPayment, textsOf } from './recording.ts'
import { t } from './texts.ts'

interface CheckOutOptions {
  shown: ShownStay
  onClose: () => void
  /** Called when money was recorded, and the dialogue goes on. */
  changed: () => void
  onDone: () => void
}

/** The choice to record no money now. */
const openWay = 'open'

/**
 * Checks a guest out. A balance is paid, given back or left open in the same dialogue, and one confirmation does both. What was
 * recorded stays recorded when the check-out fails: a second press only checks out.
 */
export function CheckOut({ shown: { stay, included }, onClose, changed, onDone }: CheckOutOptions): View {
  const { outstanding, currency: ofStay, revision } = stay.attributes
  const currency = ofStay ?? 'EUR'
  const work = useWork()
  // The messages of what was recorded here, and the revision of the stay whose balance the last of them settled.
  const [recorded, setRecorded] = useState<readonly string[]>([])
  const [settled, setSettled] = useState<number | null>(null)
  const balance = revision === settled ? 0 : (outstanding ?? 0)
  const sum = Math.abs(balance)
  const trial = useTrial(stay, balance > 0)
  const kind: Payment['kind'] = balance < 0 ? 'Refund' : 'Payment'
  const mayRecord = nextOf(stay) !== null
  const mayLeave = balance <= 0 || trial.data?.refusal === null
  const typed = useAmount(sum, currency)
  useEffect(() => typed.setText(typedText(sum, currency)), [sum])
  const [chosen, setWay] = useState<string | null>(null)
  const way = chosen ?? (mayRecord && balance > 0 ? 'Cash' : openWay)
  const [reason, setReason] = useState('')
  const why = reason.trim()
  const isOpen = balance === 0 || way === openWay
  const isLeft = balance > 0 && way === openWay
  const isPart = !isOpen && typed.amount < sum
  const found = doubtful.value.get(stay.id)
  const doubt = found?.state
  useEffect(() => {
    if (found?.state !== 'recorded') return
    setRecorded([...recorded, textsOf(found.kind).recorded(found.sum)])
    forgetDoubtful(stay.id)
    changed()
  }, [doubt])
  const mayBeRecorded = recorded.length > 0 || doubt === 'unknown'
  const isReady =
    doubt !== 'looking' &&
    (isOpen ? mayLeave && (!isLeft || why.length >= 3) : typed.amount > 0 && typed.amount <= sum)

  async function record(): Promise<boolean> {
    forgetDoubtful(stay.id)
    const path = `${pathOf(stay)}/actions/${actions[kind]}`
    const payment = { stayId: stay.id, path, currency, amount: typed.amount, brand: way }
    const said = await confirmed(() => recordPayment(payment))
    // The outcome of a request without an answer is shown when it is known.
    if (said === null) return false
    setRecorded([...recorded, said])
    if (!isPart) setSettled(revision)
    changed()
    return !isPart
  }
  async function leave(from = stay): Promise<void> {
    const note = isLeft ? noted(from, t.value.leftOpen(moneyText(sum, currency), why)) : {}
    await writeStay(from, { status: 'CheckedOut', ...note })
    onDone()
  }
  const confirm = () =>
    void work.run(async () => {
      if (isOpen) await leave()
      // The record of the money has changed the stay.
      else if (await record()) await leave((await readStay(stay.id)).stay)
    })
  return h(
    Dialog,
    { title: `${g.value.checkOut}: ${nameInList(guestOf(stay, included))}`, onClose },
    el.form(
      {
        class: 'stack',
        onSubmit: (event) => {
          event.preventDefault()
          if (isReady) confirm()
        },
      },
      balance !== 0 &&
        notice(
          balance > 0 ? 'warning' : 'info',
          (balance > 0 ? g.value.toPay : g.value.overpaid)(moneyText(sum, currency)),
          balance > 0 && !mayLeave && el.p(null, mayRecord ? t.value.payFirst : t.value.mayNotRecord),
        ),
      loadingBar(trial.isLoading && !trial.data),
      trial.problem && failure(trial.problem, trial.readAgain),
      balance !== 0 && (mayRecord || mayLeave) && ways(),
      balance !== 0 && !isOpen && amountField(typed, { isFirst: false, most: sum }),
      isLeft &&
        mayLeave &&
        h(Field, {
          label: t.value.whyOpen,
          value: reason,
          onInput: setReason,
          hint: t.value.whyHint,
          maxLength: 200,
        }),
      !isOpen && el.p({ class: 'quiet' }, textsOf(kind).payNote),
      el.p(null, g.value.checkOutWhy),
      doubtOf(stay.id),
      recorded.map((each) => notice('ok', each)),
      work.problem &&
        notice(
          'warning',
          mayBeRecorded ? t.value.notOut : t.value.nothingDone,
          mayBeRecorded && el.p(null, t.value.goOn),
        ),
      workProblem(work, { status: 'CheckedOut' }, ({ fresh }) => void work.run(() => leave(fresh))),
      button(label(), {
        onClick: () => {},
        type: 'submit',
        kind: isPart ? 'main' : 'main danger',
        icon: isPart ? 'money' : 'out',
        isBusy: work.isBusy,
        isDisabled: !isReady,
      }),
    ),
  )

  function ways(): View {
    const open = balance > 0 ? t.value.leaveOpen : t.value.later
    const how = balance > 0 ? t.value.howToPay : t.value.howToGive
    const brands = mayRecord ? Object.entries(g.value.brands) : []
    const choices = mayLeave ? [...brands, [openWay, open] as const] : brands
    return h(Choice, { label: how, value: way, choices, onChange: setWay, isFirst: true }) as View
  }
  function label(): string {
    const amount = moneyText(isOpen ? sum : typed.amount, currency)
    if (isOpen) return isLeft ? t.value.leaveAndGo(amount) : g.value.checkOut
    if (balance > 0) return isPart ? t.value.takePart(amount) : t.value.takeAndGo(amount)
    return isPart ? t.value.givePart(amount) : t.value.giveAndGo(amount)
  }
}

/** Asks the box whether it would check the guest out with the balance left open. */
function useTrial(stay: Resource<Stay>, isDue: boolean) {
  const { outstanding, revision } = stay.attributes
  return useRead(isDue ? `check-out ${stay.id} ${revision} ${outstanding}` : null, async () => ({
    refusal: await refusalOf(stay, { status: 'CheckedOut' }),
  }))
}
