import { accessOffset, blocksPerSector } from '../../src/devices/mifare-classic.ts'
import { mode } from './protocol.ts'

/** The key of a sector that the card accepted. The reader stores no key: each command carries its own. */
export interface Login {
  sector: number
  kind: 'A' | 'B'
  key: Uint8Array
}

export function sectorOf(block: number): number {
  return Math.floor(block / blocksPerSector)
}

export function trailerOf(sector: number): number {
  return sector * blocksPerSector + blocksPerSector - 1
}

export function isTrailer(block: number): boolean {
  return block === trailerOf(sectorOf(block))
}

/** The first parameters of a command on one block. */
export function onBlock({ kind, key }: Login, block: number): number[] {
  return [kind === 'A' ? mode.keyA : mode.keyB, 1, block, ...key]
}

/** The login after a write to this block: a trailer carries the sector's new keys. */
export function loginAfter(login: Login, block: number, data: Uint8Array): Login {
  if (!isTrailer(block)) return login
  const key = login.kind === 'A' ? data.slice(0, accessOffset) : data.slice(10)
  return { ...login, key }
}
