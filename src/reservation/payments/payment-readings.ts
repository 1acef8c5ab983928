import { isBase64, type Receipt } from '../values/payment-receipt.ts'
import { pdfTexts } from './payment-pdf.ts'

/** Returns every text that a person or a program could read from the receipt, for each of its formats and encodings. */
export function receiptReadings(receipt: Receipt): string[] {
  if (typeof receipt === 'string') return [...textReadings(receipt), ...decodedReadings(receipt)]
  const { encoding, content } = receipt
  return encoding === 'utf-8' ? textReadings(content) : bytesReadings(Buffer.from(content, 'base64'))
}

/** Decodes a text that is entirely base64, or a data URL, and returns the texts in the decoded bytes. */
function decodedReadings(text: string): string[] {
  const encoded = text.replace(/^data:[^,]{0,100};base64,/i, '').trim()
  return encoded.length >= 16 && isBase64(encoded) ? bytesReadings(Buffer.from(encoded, 'base64')) : []
}

/**
 * Reads PDF, printer data and text. UTF-8 and Latin-1 are sufficient, because the digits of every encoding that extends
 * ASCII stay readable. UTF-16 adds only zero bytes, which `withoutCommands` removes.
 */
function bytesReadings(bytes: Buffer): string[] {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return pdfTexts(bytes).flatMap(textReadings)
  return [...textReadings(bytes.toString('utf8')), ...textReadings(bytes.toString('latin1'))]
}

/**
 * Returns the text, and the text without HTML tags if it has any. Both have ASCII digits, plain separators and no
 * printer commands.
 */
export function textReadings(text: string): string[] {
  const plain = withoutCommands(text)
  const stripped = withoutTags(plain)
  return stripped === plain ? [digitsOf(plain)] : [digitsOf(plain), digitsOf(stripped)]
}

const leadIns = ['\u001b', '\u001c', '\u001d']

/**
 * Removes ESC/POS commands, which are a lead-in, a command byte and in most cases one argument byte, and all other
 * control characters except tabs and line ends.
 */
function withoutCommands(text: string): string {
  const printed = leadIns.reduce((rest, leadIn) => {
    const [first = '', ...others] = rest.split(leadIn)
    return first + others.map((each) => each.replace(/^(?:[@2im]|[\s\S]{1,2})/, '')).join('')
  }, text)
  return printed.replace(/\p{Cc}/gu, (character) => ('\t\n\r'.includes(character) ? character : ''))
}

/** Replaces each tag by a space, decodes numeric entities, and collapses white space as a browser does. */
function withoutTags(html: string): string {
  if (!/[<&]/.test(html)) return html
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&#(x[0-9a-f]{1,6}|\d{1,7});?/gi, (_, code: string) => characterOf(code))
    .replace(/\s+/g, ' ')
}

function characterOf(code: string): string {
  const point = Number(code.toLowerCase().replace(/^x/, '0x'))
  return point <= 0x10ffff ? String.fromCodePoint(point) : ''
}

function digitsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\t/g, ' ')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
}
