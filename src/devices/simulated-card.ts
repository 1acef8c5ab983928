/**
 * A contactless card as it behaves on an antenna: serial number, memory, keys and access bits. It knows no key format
 * and no driver; simulators of readers act on it, and simulated doors look at it.
 */
export interface SimulatedCard {
  readonly uid: Uint8Array
  readonly technology: 'classic' | 'ultralight'
  /** All bytes: 1,024 for a MIFARE Classic 1K, 64 for an Ultralight. */
  readonly memory: Uint8Array
  /** True when the sector's trailer holds this key and its access bits let it log in. */
  login(sector: number, kind: 'A' | 'B', key: Uint8Array): boolean
  /** 16 bytes as the logged-in key may see them; null where the access bits forbid it. */
  readBlock(block: number, login: Login | null): Uint8Array | null
  /** False where the access bits forbid it. */
  writeBlock(block: number, data: Uint8Array, login: Login | null): boolean
  /** 16 bytes, four pages, wrapping at the end. Null on a Classic card. */
  readPages(page: number): Uint8Array | null
  /** OTP and lock bits only ever go from 0 to 1. */
  writePage(page: number, data: Uint8Array): boolean
}

export interface Login {
  sector: number
  kind: 'A' | 'B'
}

/** Where a simulated reader finds cards: what lies in its field at this moment. */
export interface Antenna {
  cards(): readonly SimulatedCard[]
}
