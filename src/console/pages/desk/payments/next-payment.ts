import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { common } from '../../lib/language/common-texts.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Payment, Stay } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { doubtful, forgetDoubtful, textsOf } from './recording.ts'

/** Returns what the caller may record next on a stay: a payment of what is to pay, or a refund of what is to give back. */
export function nextOf({ attributes: { outstanding, currency } }: Resource<Stay>): Payment['kind'] | null {
  if (currency === null || !outstanding) return null
  if (outstanding > 0) return may('payments.record') ? 'Payment' : null
  return may('payments.void') ? 'Refund' : null
}

/** Shows the outcome of a payment or a refund whose first answer was lost. */
export function doubtOf(stayId: string): View | null {
  const found = doubtful.value.get(stayId)
  if (!found) return null
  const { sum, kind, state, problem } = found
  const texts = textsOf(kind)
  const close = button(common.value.close, { onClick: () => forgetDoubtful(stayId) })
  if (state === 'looking') return notice('warning', texts.payLooking(sum))
  if (state === 'recorded') return notice('ok', texts.recorded(sum), close)
  if (state === 'unknown')
    return notice('warning', texts.payUnknown(sum), el.p(null, texts.payUnknownWhy), close)
  return notice('error', texts.payRefused(sum), el.p(null, problem?.message), close)
}
