import type { DesfireFile, DesfireKey, DesfireMode, DesfireSettings } from '../capability.ts'

/** What a reader has proven to a card. */
export interface Login {
  sector: number
  kind: 'A' | 'B'
}

/** Which application a reader has gone to, 0 being the card itself, and the key it has proven to know there. */
export interface DesfireSession {
  application: number
  key: number | null
}

/**
 * A DESFire EV1 as a reader meets it that does the cryptography: the card checks keys and rights. Small: 7 applications,
 * of 4 keys, 4 standard files and 128 bytes each. Null and false are its refusals.
 */
export interface DesfireChip {
  has(application: number): boolean
  authenticate(application: number, keyNumber: number, key: DesfireKey): boolean
  settings(session: DesfireSession): DesfireSettings | null
  file(session: DesfireSession, number: number): DesfireFile | null
  read(
    session: DesfireSession,
    file: number,
    offset: number,
    length: number,
    mode: DesfireMode,
  ): Uint8Array | null
  write(session: DesfireSession, file: number, offset: number, data: Uint8Array, mode: DesfireMode): boolean
  createApplication(session: DesfireSession, application: number, settings: DesfireSettings): boolean
  createFile(session: DesfireSession, number: number, file: DesfireFile): boolean
  /** `from` is not looked at when the key is the one that is authenticated: the card knows that one. */
  changeKey(session: DesfireSession, keyNumber: number, from: Uint8Array, to: DesfireKey): boolean
  format(session: DesfireSession): boolean
}

/** What a card does, beside what it is. */
export interface Behaviour {
  /** True when the sector's trailer holds this key and its access bits let it log in. */
  login(sector: number, kind: 'A' | 'B', key: Uint8Array): boolean
  /** 16 bytes as the logged-in key may see them; null where the access bits forbid it. */
  readBlock(block: number, login: Login | null): Uint8Array | null
  /** False where the access bits forbid it. */
  writeBlock(block: number, data: Uint8Array, login: Login | null): boolean
  /** 16 bytes, four pages, wrapping at the end. Null on a card without pages, and where a password is wanted. */
  readPages(page: number, unlocked?: boolean): Uint8Array | null
  /** OTP and lock bits only ever go from 0 to 1. */
  writePage(page: number, data: Uint8Array, unlocked?: boolean): boolean
  /** The 8 bytes by which a chip with pages says what it is; null on one that does not. */
  version(): Uint8Array | null
  /** The 2 bytes that acknowledge the right password; null for another, or on a card without passwords. */
  unlock(password: Uint8Array): Uint8Array | null
  /** Null on every other card. */
  readonly desfire: DesfireChip | null
}

/** How one technology of cards is made and behaves. */
export interface Silicon {
  /** How many bytes of memory a card of it may have. */
  sizes: readonly number[]
  /** How its memory begins. Throws a RangeError for a serial number that such a card cannot have. */
  serial(uid: Uint8Array): Uint8Array
  /** The memory of a factory-new card, the first of the sizes unless said otherwise. */
  fresh(uid: Uint8Array, bytes?: number): Uint8Array
  behaviour(memory: Uint8Array): Behaviour
}

/** A card that knows no command at all. */
export const sealedAgainstAll: Behaviour = {
  login: () => false,
  readBlock: () => null,
  writeBlock: () => false,
  readPages: () => null,
  writePage: () => false,
  version: () => null,
  unlock: () => null,
  desfire: null,
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
