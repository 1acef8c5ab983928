import { h } from 'preact'
import { useState } from 'preact/hooks'
import { get, type Resource, send } from '../../lib/api.ts'
import { button, Dialog, Field, failure, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { moneyText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import type { TerminalPayment } from '../../lib/resources.ts'
import { confirmed, may } from '../../lib/session.ts'
import { g } from './texts.ts'
import { useWork, workProblem } from './use-work.ts'

type Open = Resource<TerminalPayment>

/** The payment of a stay that is open at a payment terminal, and the way to settle it by hand. */
export function AtTerminal({ stayId, settled }: { stayId: string; settled: (said: string) => void }): View {
  const path = `/api/v2/terminal-payments?filter[stayId]=${stayId}&filter[state]=open`
  const { data, problem, readAgain } = useRead(
    may('payments.read') ? `at terminal ${stayId}` : null,
    async (signal) => (await get<Open[]>(path, { signal })).data,
    ['terminal-payment.', 'stay.payment-in-doubt'],
  )
  const [asked, ask] = useState<Open | null>(null)
  const done = (said: string) => {
    ask(null)
    readAgain()
    settled(said)
  }
  return el.div(
    null,
    problem && failure(problem, readAgain),
    (data ?? []).map((each) => shown(each, () => ask(each))),
    asked && h(ByHand, { payment: asked, onClose: () => ask(null), onDone: done }),
  )
}

function shown({ id, attributes: { amount, currency, inDoubtSince } }: Open, settle: () => void): View {
  const { underWay, doubt, doubtWhy, byHand } = g.value.atTerminal
  const sum = moneyText(amount, currency)
  return el.div(
    { key: id },
    inDoubtSince === null
      ? notice('info', underWay(sum))
      : notice(
          'warning',
          doubt(sum),
          el.p(null, doubtWhy),
          may('payments.settle') && button(byHand, { onClick: settle, icon: 'money' }),
        ),
  )
}

interface ByHandOptions {
  payment: Open
  onClose: () => void
  onDone: (said: string) => void
}

/** The box records the reason with the person's name. */
function ByHand({ payment: { id, attributes }, onClose, onDone }: ByHandOptions): View {
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
        hint: g.value.card.overrideHint,
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
