import { chip } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { momentText, moneyText } from '../../lib/language/format.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { isNotBegun, type TerminalPayment } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { t } from './texts.ts'

export interface TerminalRow {
  name: string
  controllerId: string | null
}

interface TileOptions {
  terminal: Resource<TerminalRow>
  /** The name of the kiosk's encoder beside which it stands; null where any kiosk uses it. */
  beside: string | null
}

/** One payment terminal. The box speaks with it during payments only, so the last payment shows how it is. */
export function TerminalTile({ terminal: { id, attributes }, beside }: TileOptions): View {
  const path = `/api/v2/terminal-payments?filter[terminalId]=${id}&sort=-id&page[size]=1`
  const { data, problem, readAgain } = useRead(
    may('payments.read') ? `terminal ${id}` : null,
    async (signal) => (await getList<TerminalPayment>(path, { signal })).data,
    ['terminal-payment.', 'stay.payment-in-doubt'],
  )
  const last = data?.[0]?.attributes
  const { kind, any, at, unused } = t.value.terminal
  return el.article(
    { class: 'device', 'aria-label': attributes.name },
    el.div({ class: 'row' }, el.h2(null, attributes.name), last && stateChip(last)),
    el.p({ class: 'quiet' }, [kind, beside === null ? any : at(beside)].join(', ')),
    problem && failure(problem, readAgain),
    last && troubleOf(last),
    last ? el.p(null, lastText(last)) : data && el.p(null, unused),
  )
}

function stateChip({ state, reason, inDoubtSince }: TerminalPayment): View {
  const { underWay, inDoubt, notBegun } = t.value.terminal
  if (state === 'open')
    return inDoubtSince === null ? chip('info', underWay, 'clock') : chip('error', inDoubt)
  return isNotBegun(reason) ? chip('warning', notBegun) : chip('ok', t.value.states.active)
}

function troubleOf({ state, reason, inDoubtSince }: TerminalPayment): View | null {
  const { doubtWhy, notBegunWhy } = t.value.terminal
  if (state === 'open') return inDoubtSince === null ? null : el.p(null, doubtWhy(momentText(inDoubtSince)))
  return isNotBegun(reason) ? el.p(null, notBegunWhy) : null
}

function lastText({ state, reason, amount, currency, createdAt }: TerminalPayment): string {
  const { last, outcomes, refusedAs } = t.value.terminal
  const refused = outcomes[reason ?? ''] ?? (reason ? refusedAs(reason) : outcomes.refused)
  const outcome = state === 'refused' ? refused : outcomes[state]
  return last(momentText(createdAt), moneyText(amount, currency), outcome ?? state)
}
