import { all, first, joined, none, uidAt } from '../../src/devices/driving/kept-bytes.ts'
import {
  accessBytes,
  accessOffset,
  transportConditions,
  transportKey,
} from '../../src/devices/mifare-classic.ts'

const plain = { kind: 'query', withinMs: 8_000, keeps: all, gives: all } as const
const card = { ...plain, keeps: first(5), gives: onlyResult } as const
const write = { ...card, kind: 'write' } as const

/**
 * The commands of the reader over the antenna, in the notation of `protocol.ts`. 43 60 33 is followed by a command for the
 * card, whose second byte is its code. Its positive reply ends with two bytes, the result of the card:
 *
 *   90 00 done    6F 00 refused: a wrong key, a card that has gone    6B 00, 67 00 no such address, no such length
 *
 * `ks` is 00 for key A and 01 for key B, `sn` a sector and `bn` a block in it. On an Ultralight `sn` is 00, `bn` a
 * page, and a block has 4 bytes. `keeps` is what a recording may keep of 00 INS and what follows, `gives` what it may keep
 * of the data of an answer.
 */
export const antennaCommands = {
  // > 43 60 30 41 30                    < 50 60 30 st kind ATQA(2) n UID(n) SAK …   searches for type A only
  'rf-activate': { cm: 0x60, pm: 0x30, ...plain, field: 'on', gives: activated },
  // > 43 60 31                          < 50 60 31 st
  'rf-off': { cm: 0x60, pm: 0x31, ...plain, field: 'off' },
  // > 43 60 32                          < 50 60 32 st type(2)                       00 when nothing is active
  'rf-status': { cm: 0x60, pm: 0x32, ...plain },
  // > 43 60 33 00 20 ks sn 06 key(6)    < 50 60 33 st 90 00
  'rf-login': { cm: 0x60, pm: 0x33, ins: 0x20, ...card },
  // > 43 60 33 00 B0 sn bn le           < 50 60 33 st data(16 le) 90 00
  'rf-read': { cm: 0x60, pm: 0x33, ins: 0xb0, ...card },
  // > 43 60 33 00 D1 sn bn lc data      < 50 60 33 st 90 00                         never a sector's trailer
  'rf-write': { cm: 0x60, pm: 0x33, ins: 0xd1, ...write },
  // > 43 60 33 00 D5 00 sn 06 key(6)    < 50 60 33 st 90 00                         see `factoryShaped`
  'rf-change-key': { cm: 0x60, pm: 0x33, ins: 0xd5, ...write },
} as const

/** Hides what the card holds, and keeps the two bytes of its result. */
function onlyResult(data: Uint8Array): Uint8Array {
  return joined(none(data.subarray(0, -2)), data.subarray(-2))
}

/** Replaces the UID, whose length precedes it. */
function activated(data: Uint8Array): Uint8Array {
  return uidAt(4, 4 + (data[3] ?? 0))(data)
}

export type AntennaCommandName = keyof typeof antennaCommands

/** Encodes the data after 43 60 33: 00 INS and what follows. */
export const cardCommand = {
  login: (sector: number, kind: 'A' | 'B', key: Uint8Array) =>
    encoded('rf-login', kind === 'A' ? 0x00 : 0x01, sector, key.length, ...key),
  read: (sector: number, index: number, blocks: number) => encoded('rf-read', sector, index, blocks),
  write: (sector: number, index: number, data: Uint8Array) =>
    encoded('rf-write', sector, index, 0x01, ...data),
  changeKey: (sector: number, keyA: Uint8Array) =>
    encoded('rf-change-key', 0x00, sector, keyA.length, ...keyA),
}

/**
 * Whether the reader can write this trailer. Its command sets a key A, together with the factory's access bits and key
 * B. No other trailer can be written.
 */
export function factoryShaped(trailer: Uint8Array): boolean {
  const shape = [...accessBytes(transportConditions), 0x69, ...transportKey]
  return shape.every((byte, index) => trailer[accessOffset + index] === byte)
}

function encoded(
  name: 'rf-login' | 'rf-read' | 'rf-write' | 'rf-change-key',
  ...parameters: number[]
): Uint8Array {
  return Uint8Array.of(0x00, antennaCommands[name].ins, ...parameters)
}
