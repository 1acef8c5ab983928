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

/** The payment of a stay that is open at a payment terminal, and the ways to cancel it and to settle it by hand. */
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
    (data ?? []).map((each) =>
      each.attributes.inDoubtSince === null
        ? h(UnderWay, { key: each.id, payment: each.attributes, onDone: done })
        : el.div(
            { key: each.id },
            inDoubt(each, () => ask(each)),
          ),
    ),
    asked && h(ByHand, { payment: asked, onClose: () => ask(null), onDone: done }),
  )
}

interface UnderWayOptions {
  payment: TerminalPayment
  onDone: (said: string) => void
}

/** A payment that a guest makes now. The desk cancels it as the guest at the kiosk does. */
function UnderWay({ payment, onDone }: UnderWayOptions): View {
  const { terminalId, stayId, amount, currency, createdAt } = payment
  const { underWay, since, cancel, isCanceled, wasPaid } = g.value.atTerminal
  const work = useWork()
  const terminal = useRead(may('devices.read') ? `terminal ${terminalId}` : null, async (signal) => {
    const path = `/api/config/v1/payment-terminals/${terminalId}`
    return (await getOne<{ name: string }>(path, { signal })).data.attributes.name
  })
  const sum = moneyText(amount, currency)
  const end = async () => {
    const path = `/api/v2/stays/${stayId}/actions/cancel-terminal-payment`
    const { data } = await sendOne<TerminalPayment>('POST', path, { timeoutMs: cancelTimeoutMs })
    onDone((data.attributes.state === 'paid' ? wasPaid : isCanceled)(sum))
  }
  return el.div(
    { class: 'stack' },
    notice(
      'info',
      underWay(sum),
      el.p(null, since(terminal.data ?? null, momentText(createdAt))),
      may('payments.record') &&
        button(cancel, { onClick: () => void work.run(end), icon: 'cross', isBusy: work.isBusy }),
    ),
    workProblem(work, {}, () => {}),
  )
}

function inDoubt({ attributes: { amount, currency } }: Open, settle: () => void): View {
  const { doubt, doubtWhy, byHand } = g.value.atTerminal
  return notice(
    'warning',
    doubt(moneyText(amount, currency)),
    el.p(null, doubtWhy),
    may('payments.settle') && button(byHand, { onClick: settle, icon: 'money' }),
  )
}
