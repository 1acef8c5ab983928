import { invalidValue } from '../../resource/problem.ts'
import { closedObject, textOf } from './value-schema.ts'

const longestText = 16 * 1024
const longestContent = 64 * 1024

/** Any Unicode text. A receipt is stored as it was printed, with the control characters of the printer. */
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

/** A receipt in a body: the text of the terminal, or an object with the content and its encoding. */
export const receiptSchema = {
  ...object,
  type: ['string', 'object'],
  maxLength: longestText,
  ...unicode,
  properties,
}

/** The type of a value that `receiptSchema` accepts. */
export type Receipt = string | ReceiptObject

/** A receipt with its format. `content` is text for `utf-8`, and bytes in base64 for `base64`. */
export interface ReceiptObject {
  format: 'Text' | 'Html' | 'Pdf' | 'EscPos'
  encoding: 'utf-8' | 'base64'
  content: string
  number?: string | null
  terminalId?: string | null
  issuedAt?: string | null
}

/**
 * Throws 422 `validation-failed` for a text of more than 16 KiB in UTF-8, for a content of more than 64 KiB, and for a
 * content that is declared as base64 but is not valid base64.
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

/** Accepts the standard alphabet, with or without line breaks. */
export function isBase64(text: string): boolean {
  const whole = text.replace(/[\r\n]/g, '')
  return whole.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(whole)
}
