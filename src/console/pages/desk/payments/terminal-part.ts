import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, failure, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { later } from '../../lib/controls/later.ts'
import { moneyText } from '../../lib/language/format.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { TerminalPayment } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
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
