import { etx, message, messages, type ReceivedMessage, stx } from '../../src/devices/driving/stx-messages.ts'
import type { Deframer } from '../../src/devices/network/listening.ts'

/**
 * How a record is framed. Over TCP a record lies between STX and ETX. On a serial line a check byte may follow, and the
 * receiver answers each record with ACK or NAK; ENQ requests the last answer again.
 */
export type Framing = 'tcp' | 'serial' | 'serial-lrc'

export type Sign = 'ack' | 'nak' | 'enq'
export type FiasReceived = ReceivedMessage<Sign>

export const longestRecord = 2_000

export const signs = { enq: 0x05, ack: 0x06, nak: 0x15 } as const

/** Encodes one record. Throws a RangeError for a record that cannot be framed. */
export function frame(record: Uint8Array, framing: Framing): Buffer {
  if (record.length > longestRecord) throw new RangeError(`a record has at most ${longestRecord} bytes`)
  if (record.includes(stx) || record.includes(etx)) throw new RangeError('a record holds neither STX nor ETX')
  return message(record, framing === 'serial-lrc')
}

/**
 * Finds records in a stream of bytes, in pieces of any size. An STX always begins a record: the record before it was
 * incomplete.
 */
export function frames(framing: Framing): Deframer<FiasReceived> {
  const hasCheck = framing === 'serial-lrc'
  return messages<Sign>({ longest: longestRecord, hasCheck, control: framing === 'tcp' ? {} : signs })
}
