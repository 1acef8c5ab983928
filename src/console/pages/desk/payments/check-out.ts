import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, Choice, Dialog, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { moneyText, typedText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { guestOf, nameInList, type Payment, type Stay } from '../../lib/server/resources.ts'
import { confirmed } from '../../lib/server/session.ts'
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
export function CheckOut(options: CheckOutOptions): View {
  const { stay, included } = options.shown
  const { currency: ofStay, revision } = stay.attributes
  const currency = ofStay ?? 'EUR'
  const work = useWork()
  const { recorded, balance, note } = useRecorded(stay, options.changed)
  const sum = Math.abs(balance)
  const trial = useTrial(stay, balance > 0)
  const kind: Payment['kind'] = balance < 0 ? 'Refund' : 'Payment'
  const mayRecord = nextOf(stay) !== null
  const mayLeave = balance <= 0 || trial.data?.refusal === null
  const settling = useWay(balance, currency, mayRecord)
  const { typed, way, why, isOpen, isLeft, isPart } = settling
  const doubt = doubtful.value.get(stay.id)?.state
  const isReady = doubt !== 'looking' && settling.isComplete && (mayLeave || !isOpen)

  async function record(): Promise<boolean> {
    forgetDoubtful(stay.id)
    const path = `${pathOf(stay)}/actions/${actions[kind]}`
    const payment = { stayId: stay.id, path, currency, amount: typed.amount, brand: way }
    const said = await confirmed(() => recordPayment(payment))
    // The outcome of a request without an answer is shown when it is known.
    if (said === null) return false
    note(said, isPart ? null : revision)
    return !isPart
  }
  async function leave(from = stay): Promise<void> {
    const note = isLeft ? noted(from, t.value.leftOpen(moneyText(sum, currency), why)) : {}
    await writeStay(from, { status: 'CheckedOut', ...note })
    options.onDone()
  }
  const confirm = () =>
    void work.run(async () => {
      if (isOpen) await leave()
      // The record of the money has changed the stay.
      else if (await record()) await leave((await readStay(stay.id)).stay)
    })
  const amount = moneyText(isOpen ? sum : typed.amount, currency)
  return h(
    Dialog,
    { title: `${g.value.checkOut}: ${nameInList(guestOf(stay, included))}`, onClose: options.onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => isReady && confirm()) },
      balanceNotice(balance, currency, mayLeave ? null : mayRecord ? t.value.payFirst : t.value.mayNotRecord),
      loadingBar(trial.isLoading && !trial.data),
      trial.problem && failure(trial.problem, trial.readAgain),
      balance !== 0 &&
        (mayRecord || mayLeave) &&
        ways(balance, { mayRecord, mayLeave }, { value: way, onChange: settling.setWay }),
      balance !== 0 && !isOpen && amountField(typed, { isFirst: false, most: sum }),
      isLeft && mayLeave && reasonField(settling.reason, settling.setReason),
      !isOpen && el.p({ class: 'quiet' }, textsOf(kind).payNote),
      el.p(null, g.value.checkOutWhy),
      doubtOf(stay.id),
      recorded.map((each) => notice('ok', each)),
      work.problem && notOut(recorded.length > 0 || doubt === 'unknown'),
      workProblem(work, { status: 'CheckedOut' }, ({ fresh }) => void work.run(() => leave(fresh))),
      button(label(balance, amount, { isOpen, isLeft, isPart }), {
        onClick: () => {},
        type: 'submit',
        kind: isPart ? 'main' : 'main danger',
        icon: isPart ? 'money' : 'out',
        isBusy: work.isBusy,
        isDisabled: !isReady,
      }),
    ),
  )
}

/** How the balance is settled, as the fields choose it: the way, the amount, or the reason why it stays open. */
function useWay(balance: number, currency: string, mayRecord: boolean) {
  const sum = Math.abs(balance)
  const typed = useAmount(sum, currency)
  useEffect(() => typed.setText(typedText(sum, currency)), [sum])
  const [chosen, setWay] = useState<string | null>(null)
  const way = chosen ?? (mayRecord && balance > 0 ? 'Cash' : openWay)
  const [reason, setReason] = useState('')
  const isOpen = balance === 0 || way === openWay
  const isLeft = balance > 0 && way === openWay
  const isPart = !isOpen && typed.amount < sum
  const why = reason.trim()
  const isComplete = isOpen ? !isLeft || why.length >= 3 : typed.amount > 0 && typed.amount <= sum
  return { typed, way, setWay, reason, setReason, why, isOpen, isLeft, isPart, isComplete }
}

/** What this dialogue has recorded, and the balance that is left. A record whose answer was lost is added once its outcome is known. */
function useRecorded(stay: Resource<Stay>, changed: () => void) {
  const { outstanding, revision } = stay.attributes
  const [recorded, setRecorded] = useState<readonly string[]>([])
  /** The revision of the stay whose balance the last record settled. */
  const [settled, setSettled] = useState<number | null>(null)
  const found = doubtful.value.get(stay.id)
  const note = (said: string, ofRevision: number | null) => {
    setRecorded([...recorded, said])
    if (ofRevision !== null) setSettled(ofRevision)
    changed()
  }
  useEffect(() => {
    if (found?.state !== 'recorded') return
    forgetDoubtful(stay.id)
    note(textsOf(found.kind).recorded(found.sum), null)
  }, [found?.state])
  return { recorded, balance: revision === settled ? 0 : (outstanding ?? 0), note }
}

/** `whyNot`: why the guest does not leave with what is to pay; null where that may stay open. */
function balanceNotice(balance: number, currency: string, whyNot: string | null): View | null {
  const text = moneyText(Math.abs(balance), currency)
  if (balance === 0) return null
  if (balance < 0) return notice('info', g.value.overpaid(text))
  return notice('warning', g.value.toPay(text), whyNot !== null && el.p(null, whyNot))
}

function ways(
  balance: number,
  { mayRecord, mayLeave }: { mayRecord: boolean; mayLeave: boolean },
  chosen: { value: string; onChange: (way: string) => void },
): View {
  const open = balance > 0 ? t.value.leaveOpen : t.value.later
  const how = balance > 0 ? t.value.howToPay : t.value.howToGive
  const brands = mayRecord ? Object.entries(g.value.brands) : []
  const choices = mayLeave ? [...brands, [openWay, open] as const] : brands
  return h(Choice, { label: how, choices, ...chosen, isFirst: true }) as View
}

function reasonField(value: string, onInput: (reason: string) => void): View {
  const { whyOpen, whyHint } = t.value
  return h(Field, { label: whyOpen, value, onInput, hint: whyHint, maxLength: 200 }) as View
}

function notOut(mayBeRecorded: boolean): View {
  if (!mayBeRecorded) return notice('warning', t.value.nothingDone)
  return notice('warning', t.value.notOut, el.p(null, t.value.goOn))
}

/** What the button does: with a balance the record of the money too, or the record alone where it is a part. */
function label(
  balance: number,
  amount: string,
  { isOpen, isLeft, isPart }: Record<'isOpen' | 'isLeft' | 'isPart', boolean>,
): string {
  if (isOpen) return isLeft ? t.value.leaveAndGo(amount) : g.value.checkOut
  if (balance > 0) return isPart ? t.value.takePart(amount) : t.value.takeAndGo(amount)
  return isPart ? t.value.givePart(amount) : t.value.giveAndGo(amount)
}

/** Asks the box whether it would check the guest out with the balance left open. */
function useTrial(stay: Resource<Stay>, isDue: boolean) {
  const { outstanding, revision } = stay.attributes
  return useRead(isDue ? `check-out ${stay.id} ${revision} ${outstanding}` : null, async () => ({
    refusal: await refusalOf(stay, { status: 'CheckedOut' }),
  }))
}
