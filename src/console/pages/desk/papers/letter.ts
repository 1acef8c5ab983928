export interface Letter {
  /** The address of the guest; null where none is known. */
  to: string | null
  subject: string
}

/**
 * Returns a message (RFC 5322) with an HTML body. The mail programs that know `X-Unsent` open it as one to be sent; it names no sender,
 * and nothing is sent from here.
 */
export function letterText({ to, subject }: Letter, html: string): string {
  return [
    ...(to === null ? [] : [`To: ${oneLine(to)}`]),
    `Subject: ${encodedWords(subject)}`,
    'X-Unsent: 1',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64(html).match(/.{1,76}/g) ?? []),
    '',
  ].join('\r\n')
}

/** Returns the name of a file for a letter, which every file system takes: of `Ä/7` it is `receipt-A-7.eml`. */
export function letterFile(number: string): string {
  const plain = number.normalize('NFKD').replaceAll('ß', 'ss').replaceAll(/\p{M}/gu, '')
  const name = plain.replaceAll(/[^\w.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '')
  return `${['receipt', name].filter(Boolean).join('-')}.eml`
}

/** A line break would begin another header. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

/** An encoded word has at most 75 characters (RFC 2047, 2), so 45 bytes. */
const mostBytes = 45

/** A header text as encoded words, each of whole characters. */
function encodedWords(text: string): string {
  const words = ['']
  for (const character of text) {
    const longer = words.at(-1)! + character
    if (bytesOf(longer).length > mostBytes) words.push(character)
    else words[words.length - 1] = longer
  }
  return words.map((word) => `=?utf-8?B?${base64(word)}?=`).join('\r\n ')
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const base64 = (text: string) => btoa(Array.from(bytesOf(text), (byte) => String.fromCharCode(byte)).join(''))
