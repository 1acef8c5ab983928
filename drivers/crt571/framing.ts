import { oneByte, packetFraming, type ReceivedPacket } from '../../src/devices/driving/stx-packets.ts'

export type Crt571ControlWord = 'ack' | 'nak' | 'eot'
export type Crt571Received = ReceivedPacket<Crt571ControlWord>

const shortestFrame = 9

/**
 * STX | ADDR  | LENH LENL           | TEXT ...       | ETX | BCC
 *  F2 | 00-0F | big endian, of TEXT | 3 to 518 bytes |  03 | XOR of all before it
 *
 * Between frames there are single bytes without a check. TEXT begins with C (command), P (positive reply) or N (negative
 * reply; two manuals print it as E). Skipped bytes count as a damaged frame when they are as many as the shortest frame has.
 */
export const { frame, control, deframer, withPayloads } = packetFraming<Crt571ControlWord>({
  stx: 0xf2,
  etx: 0x03,
  address: oneByte,
  payload: { shortest: 3, longest: 518 },
  heads: [0x43, 0x50, 0x4e, 0x45],
  control: { ack: 0x06, nak: 0x15, eot: 0x04 },
  controlIsAddressed: false,
  isDamage: ({ count }) => count >= shortestFrame,
})
