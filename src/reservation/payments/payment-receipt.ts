import { invalidValue } from '../invalid-value.ts'
import { closedObject, textOf } from '../value-schema.ts'

const longestText = 16 * 1024
const longestContent = 64 * 1024

/** Any Unicode: a receipt is kept as it was printed, with the control characters of its printer. */
const unicode = { pattern: '^[^\\p{Cs}]*$', $comment: 'text of whole characters' }

const { properties, ...object } = closedObject(
  {
    format: { enum: ['Text', 'Html', 'Pdf', 'EscPos'] },
    encoding: { enum: ['utf-8', 'base64'] },
    content: { type: 'string', maxLength: longestContent, ...unicode },
    number: textOf(1, 64),
    terminalId: textOf(1, 64),
    issuedAt: { type: 'string', format: 'date-time' },
  },
  ['format', 'encoding', 'content'],
)

/** A receipt in a body: the terminal's text, or what it is made of. */
export const receiptSchema = {
  ...object,
  type: ['string', 'object'],
  maxLength: longestText,
  ...unicode,
  properties,
}

/** What `receiptSchema` lets through. */
export type Receipt = string | ReceiptObject

export interface ReceiptObject {
  format: 'Text' | 'Html' | 'Pdf' | 'EscPos'
  encoding: 'utf-8' | 'base64'
  content: string
  number?: string | null
  terminalId?: string | null
  issuedAt?: string | null
}

/**
 * Throws 422 `validation-failed` for a text of more than 16 KiB in UTF-8, a content of more than 64 KiB, and a content that
 * is not in the base64 it is said to be in.
 */
export function checkReceipt(receipt: Receipt, pointer: string): void {
  if (typeof receipt === 'string') {
    refuseLonger(receipt, longestText, pointer)
    return
  }
  refuseLonger(receipt.content, longestContent, `${pointer}/content`)
  if (receipt.encoding === 'base64' && !isBase64(receipt.content)) {
    throw invalidValue(`${pointer}/content`, 'Expected base64.', { expected: 'base64' })
  }
}

function refuseLonger(text: string, most: number, pointer: string): void {
  if (Buffer.byteLength(text) <= most) return
  throw invalidValue(pointer, `Expected at most ${most} bytes.`, { expected: { maxBytes: most } })
}

/** In the standard alphabet, in lines or in one piece. */
export function isBase64(text: string): boolean {
  const whole = text.replace(/[\r\n]/g, '')
  return whole.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(whole)
}
