import {
  accessBytes,
  accessOffset,
  transportConditions,
  transportKey,
} from '../../src/devices/mifare-classic.ts'

/** Encodes the data after 43 60 33; see `antenna-protocol.ts`. */
export const cardCommand = {
  login: (sector: number, kind: 'A' | 'B', key: Uint8Array) =>
    Uint8Array.of(0x00, 0x20, kind === 'A' ? 0x00 : 0x01, sector, key.length, ...key),
  read: (sector: number, index: number, blocks: number) => Uint8Array.of(0x00, 0xb0, sector, index, blocks),
  write: (sector: number, index: number, data: Uint8Array) =>
    Uint8Array.of(0x00, 0xd1, sector, index, 0x01, ...data),
  changeKey: (sector: number, keyA: Uint8Array) =>
    Uint8Array.of(0x00, 0xd5, 0x00, sector, keyA.length, ...keyA),
}

/**
 * Whether the reader can write this trailer. Its command sets a key A, together with the factory's access bits and key
 * B. No other trailer can be written.
 */
export function factoryShaped(trailer: Uint8Array): boolean {
  const shape = [...accessBytes(transportConditions), 0x69, ...transportKey]
  return shape.every((byte, index) => trailer[accessOffset + index] === byte)
}
