import { pdfTexts } from './payment-pdf.ts'
import { isBase64, type Receipt } from './payment-receipt.ts'

/** The texts that a person or a machine could read out of a receipt, whatever it is made of and wrapped in. */
export function receiptReadings(receipt: Receipt): string[] {
  if (typeof receipt === 'string') return [...textReadings(receipt), ...decodedReadings(receipt)]
  const { encoding, content } = receipt
  return encoding === 'utf-8' ? textReadings(content) : bytesReadings(Buffer.from(content, 'base64'))
}

/** A text that is nothing but base64, or a data URL, is read as what it stands for. */
function decodedReadings(text: string): string[] {
  const encoded = text.replace(/^data:[^,]{0,100};base64,/i, '').trim()
  return encoded.length >= 16 && isBase64(encoded) ? bytesReadings(Buffer.from(encoded, 'base64')) : []
}

/** Of printers, of PDF, and of text in any encoding that keeps ASCII: of UTF-16 only zero bytes are in the way. */
function bytesReadings(bytes: Buffer): string[] {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return pdfTexts(bytes).flatMap(textReadings)
  return [...textReadings(bytes.toString('utf8')), ...textReadings(bytes.toString('latin1'))]
}

/** A text as it is, and without the tags of HTML. Its digits are ASCII, its separators plain, its printer's commands gone. */
export function textReadings(text: string): string[] {
  const plain = withoutCommands(text)
  const stripped = withoutTags(plain)
  return stripped === plain ? [digitsOf(plain)] : [digitsOf(plain), digitsOf(stripped)]
}

const leadIns = ['\u001b', '\u001c', '\u001d']

/** ESC/POS: after a lead-in comes a command, most with one argument. What else is no text is left out with them. */
function withoutCommands(text: string): string {
  const printed = leadIns.reduce((rest, leadIn) => {
    const [first = '', ...others] = rest.split(leadIn)
    return first + others.map((each) => each.replace(/^(?:[@2im]|[\s\S]{1,2})/, '')).join('')
  }, text)
  return printed.replace(/\p{Cc}/gu, (character) => ('\t\n\r'.includes(character) ? character : ''))
}

/** A tag stands between two texts; what HTML shows as one space is one here. */
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
