import { packetFraming, type ReceivedPacket, twoDigits } from '../../src/devices/driving/stx-packets.ts'

export type K720ControlWord = 'ack' | 'nak' | 'enq' | 'eot'
export type K720Received = ReceivedPacket<K720ControlWord>

const words: Record<K720ControlWord, number> = { ack: 0x06, nak: 0x15, enq: 0x05, eot: 0x04 }

/** The first bytes of control words. */
export const controls: readonly number[] = Object.values(words)

/**
 * STX | ADDRH ADDRL       | LENH LENL              | payload    | ETX | BCC
 *  02 | "00".."15", ASCII | big endian, of payload | 1 to 293 B |  03 | XOR of all before it
 *
 * Between frames there are control words without a check byte: a control byte and the address. Skipped bytes that begin
 * like a frame count as a damaged frame.
 */
export const { frame, control, deframer, withPayloads } = packetFraming<K720ControlWord>({
  stx: 0x02,
  etx: 0x03,
  address: twoDigits,
  payload: { shortest: 1, longest: 293 },
  control: words,
  controlIsAddressed: true,
  isDamage: ({ begun }) => begun > 1,
})
