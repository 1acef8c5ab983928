import { Problem } from '../../resource/problem.ts'
import type { Receipt } from '../values/payment-receipt.ts'
import { findCardNumber } from './luhn.ts'
import { receiptReadings, textReadings } from './payment-readings.ts'

/** The texts that a person types or a terminal prints, by attribute. */
interface PaymentTexts {
  brandText?: string | null
  terminalTransactionId?: string | null
  customerReceipt?: Receipt | null
  merchantReceipt?: Receipt | null
}

/**
 * Throws 422 `receipt-contains-pan` for every text that contains a possible card number, in every format of a receipt.
 * The Problem does not contain the number.
 */
export function refuseCardNumbers(payment: PaymentTexts): void {
  const problems = textsOf(payment)
    .filter(({ readings }) => readings.some((text) => findCardNumber(text) !== null))
    .map(({ pointer }) => containsCardNumber(pointer))
  if (problems.length > 0) throw Problem.all(problems)
}

interface Read {
  pointer: string
  readings: string[]
}

function textsOf({
  brandText,
  terminalTransactionId,
  customerReceipt,
  merchantReceipt,
}: PaymentTexts): Read[] {
  return [
    ...plainText('/brandText', brandText),
    ...plainText('/terminalTransactionId', terminalTransactionId),
    ...receiptTexts('/customerReceipt', customerReceipt),
    ...receiptTexts('/merchantReceipt', merchantReceipt),
  ]
}

function plainText(pointer: string, text: string | null | undefined): Read[] {
  return text ? [{ pointer, readings: textReadings(text) }] : []
}

function receiptTexts(pointer: string, receipt: Receipt | null | undefined): Read[] {
  if (!receipt) return []
  if (typeof receipt === 'string') return [{ pointer, readings: receiptReadings(receipt) }]
  return [
    { pointer: `${pointer}/content`, readings: receiptReadings(receipt) },
    ...plainText(`${pointer}/number`, receipt.number),
    ...plainText(`${pointer}/terminalId`, receipt.terminalId),
  ]
}

function containsCardNumber(pointer: string): Problem {
  const field = pointer.slice(1).replaceAll('/', '.')
  return new Problem(
    'receipt-contains-pan',
    `${field} holds what may be a card number: 13 to 19 digits that pass the Luhn test. Send it masked, or leave it out.`,
    { pointer },
  )
}
