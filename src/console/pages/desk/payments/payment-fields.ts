import { h } from 'preact'
import { useState } from 'preact/hooks'
import { Choice, Field } from '../../lib/controls/controls.ts'
import type { View } from '../../lib/controls/el.ts'
import { exampleAmount, minorOf, moneyText, typedText } from '../../lib/language/format.ts'
import { g } from '../stay/texts.ts'
import { amountIn } from './typed-amount.ts'

/** An amount that a person types. */
export interface TypedAmount {
  text: string
  setText(text: string): void
  currency: string
  /** In minor units of the currency; 0 for a text that is no amount. */
  amount: number
}

/** The state of an amount field that suggests an amount in minor units. */
export function useAmount(suggested: number, currency: string): TypedAmount {
  const [text, setText] = useState(typedText(suggested, currency))
  return { text, setText, currency, amount: minorOf(amountIn(text, currency) ?? 0, currency) }
}

/** The field for an amount, as the language writes it. `most` is the largest one, in minor units. */
export function amountField(
  { text, setText, currency, amount }: TypedAmount,
  { isFirst = true, most = Infinity } = {},
): View {
  const above = amount > most ? g.value.amountAbove(moneyText(most, currency)) : null
  return h(Field, {
    label: `${g.value.amount} (${currency})`,
    inputMode: 'decimal',
    value: text,
    onInput: setText,
    error: amount > 0 ? above : g.value.priceWrong(exampleAmount(currency)),
    isFirst,
  }) as View
}

/** The ways to pay that the box knows. */
export function brandChoice(label: string, value: string, onChange: (brand: string) => void): View {
  return h(Choice, { label, value, choices: Object.entries(g.value.brands), onChange }) as View
}
