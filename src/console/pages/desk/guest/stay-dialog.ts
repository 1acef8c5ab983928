import { minorOf, priceOf } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Controller, Key, Stay } from '../../lib/server/resources.ts'
import type { ShownStay } from '../stay/stay.ts'

/** What a dialogue of the sheet gets: the stay as the person saw it, and its keys. */
export interface StayDialog {
  shown: ShownStay
  keys: readonly Resource<Key>[]
  controller: Resource<Controller> | null
  onClose: () => void
}

type Amount = NonNullable<Stay['amount']>

/** Returns the tax as the same share of another amount. The old prices of single nights are dropped. */
export function scaled(amount: Amount, amountWithTax: number): Amount {
  const { currency, amountWithTax: before, amountWithoutTax } = amount
  const share = amountWithoutTax == null || before === 0 ? 1 : amountWithoutTax / before
  const withoutTax = priceOf(minorOf(amountWithTax * share, currency), currency)
  return { currency, amountWithTax, amountWithoutTax: withoutTax }
}
