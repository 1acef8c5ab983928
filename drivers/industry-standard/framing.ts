import { message as framed, messages, type ReceivedMessage } from '../../src/devices/driving/stx-messages.ts'

/**
 * STX | sep | field | sep | field | sep | ETX | LRC
 *  02 | B3  | Latin-1             | B3  | 03  | XOR of all after STX, ETX included; 0D: not to be checked
 *
 * Between messages stand ENQ, ACK and NAK.
 */
export const separator = 0xb3
export const uncheckedLrc = 0x0d
/** Leaves ample room for four rooms, two card tracks and an error text. */
const longest = 2_046

export const control = { enq: 0x05, ack: 0x06, nak: 0x15 } as const
export type EncoderReceived = ReceivedMessage<keyof typeof control>

const sep = String.fromCharCode(separator)

/** The characters of a field: printable Latin-1 without the separator (U+00B3). */
export const fieldText = /^[ -~\u00a0-\u00b2\u00b4-\u00ff]*$/

/** Encodes a message; its fields must match `fieldText` and have fewer than 2,000 characters in total. */
export function message(fields: readonly string[]): Uint8Array {
  return Uint8Array.from(framed(Buffer.from(`${sep}${fields.join(sep)}${sep}`, 'latin1'), true))
}

/** Splits a text into its fields; the last separator may be absent. */
export function fieldsIn(text: Buffer): string[] {
  const fields = text.toString('latin1', 1).split(sep)
  return fields.length > 1 && fields.at(-1) === '' ? fields.slice(0, -1) : fields
}

/** Finds messages and control bytes in a stream. It buffers at most one message. */
export function deframer() {
  return messages({ longest, hasCheck: true, unchecked: uncheckedLrc, control, begins: separator })
}
