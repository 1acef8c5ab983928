import { h } from 'preact'
import { useState } from 'preact/hooks'
import { getList, type Resource } from '../../lib/api.ts'
import { button, failure, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { moneyText } from '../../lib/format.ts'
import { later } from '../../lib/later.ts'
import { useRead } from '../../lib/read.ts'
import type { TerminalPayment } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { g } from '../stay/texts.ts'

type Open = Resource<TerminalPayment>

const ByHand = later(async () => (await import('../guest/stay-dialogs.ts')).ByHand)

/** The payment of a stay that is open at a payment terminal, and the way to settle it by hand. */
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
