import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { later } from '../../lib/controls/later.ts'
import { momentText, moneyText } from '../../lib/language/format.ts'
import { getList, getOne, type Resource, sendOne } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { TerminalPayment } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'

type Open = Resource<TerminalPayment>

const ByHand = later(async () => (await import('../guest/stay-dialogs.ts')).ByHand)

/** The deadline of a cancellation: the box answers within 8 s. */
const cancelTimeoutMs = 15_000

/** The payment of a stay that is open at a payment terminal, and the ways to cancel it, to ask for its end and to settle it by hand. */
export function AtTerminal({ stayId, settled }: { stayId: string; settled: (said: string) => void }): View {
  const path = `/api/v2/terminal-payments?filter[stayId]=${stayId}&filter[state]=open`
  const { data, problem, readAgain } = useRead(
    may('payments.read') ? `at terminal ${stayId}` : null,
    async (signal) => (await getList<TerminalPayment>(path, { signal })).data,
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
    (data ?? []).map((each) => h(OpenPayment, { key: each.id, payment: each, settle: ask, onDone: done })),
    asked && h(ByHand, { payment: asked, onClose: () => ask(null), onDone: done }),
  )
}

interface OpenPaymentOptions {
  payment: Open
  settle: (payment: Open) => void
  onDone: (said: string) => void
}

/**
 * A payment that a guest makes now, or one in doubt. The desk cancels it as the guest at the kiosk does: the terminal answers how a
 * payment in doubt has ended, and ends it if it has not.
 */
function OpenPayment({ payment, settle, onDone }: OpenPaymentOptions): View {
  const { terminalId, stayId, amount, currency, createdAt, inDoubtSince } = payment.attributes
  const { underWay, since, cancel, doubt, doubtWhy, askNow, byHand, isCanceled, wasPaid, ends, refused } =
    g.value.atTerminal
  const work = useWork()
  const terminal = useRead(may('devices.read') ? `terminal ${terminalId}` : null, async (signal) => {
    const path = `/api/config/v1/payment-terminals/${terminalId}`
    return (await getOne<{ name: string }>(path, { signal })).data.attributes.name
  })
  const sum = moneyText(amount, currency)
  const end = async () => {
    const path = `/api/v2/stays/${stayId}/actions/cancel-terminal-payment`
    const { data } = await sendOne<TerminalPayment>('POST', path, { timeoutMs: cancelTimeoutMs })
    const { state, reason } = data.attributes
    if (state === 'paid') onDone(wasPaid(sum))
    else onDone(reason === 'canceled' ? isCanceled(sum) : (ends[reason ?? ''] ?? refused))
  }
  const isInDoubt = inDoubtSince !== null
  return el.div(
    { class: 'stack' },
    notice(
      isInDoubt ? 'warning' : 'info',
      (isInDoubt ? doubt : underWay)(sum),
      el.p(null, since(terminal.data ?? null, momentText(createdAt))),
      isInDoubt && el.p(null, doubtWhy),
      may('payments.record') &&
        button(isInDoubt ? askNow : cancel, {
          onClick: () => void work.run(end),
          icon: isInDoubt ? 'help' : 'cross',
          isBusy: work.isBusy,
        }),
      isInDoubt &&
        may('payments.settle') &&
        button(byHand, { onClick: () => settle(payment), icon: 'money' }),
    ),
    workProblem(work, {}, () => {}),
  )
}
