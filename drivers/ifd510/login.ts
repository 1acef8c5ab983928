import type { SectorLogin } from '../../src/devices/driving/encoder.ts'
import { accessOffset, blocksPerSector, placeOf } from '../../src/devices/mifare-classic.ts'
import { mode } from './protocol.ts'

/** The trailer of a sector of 4 blocks. */
export function trailerOf(sector: number): number {
  return sector * blocksPerSector + blocksPerSector - 1
}

/** The first parameters of a command on one block. The reader stores no key: each command carries its own. */
export function onBlock({ kind, key }: SectorLogin, block: number): number[] {
  return [kind === 'A' ? mode.keyA : mode.keyB, 1, block, ...key]
}

/** The login after a write to this block: a trailer carries the sector's new keys. */
export function loginAfter(login: SectorLogin, block: number, data: Uint8Array): SectorLogin {
  if (!placeOf(block).isTrailer) return login
  const key = login.kind === 'A' ? data.slice(0, accessOffset) : data.slice(10)
  return { ...login, key }
}
