import type { DesfireFile, DesfireKey, DesfireMode, DesfireSettings } from '../../devices/capability.ts'

/** The login that a reader has on a card. */
export interface Login {
  sector: number
  kind: 'A' | 'B'
}

/**
 * The application that a reader has selected, 0 being the card itself, and the key with which it has authenticated
 * there.
 */
export interface DesfireSession {
  application: number
  key: number | null
}

/**
 * A simulated DESFire EV1 for a reader that does the cryptography; the card checks keys and rights. It has room for 7
 * applications, each with 4 keys, 4 standard files and 128 bytes. It refuses with null or false.
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
  /** `from` is ignored when the key is the authenticated one: the card knows its value. */
  changeKey(session: DesfireSession, keyNumber: number, from: Uint8Array, to: DesfireKey): boolean
  format(session: DesfireSession): boolean
}

/** The commands of a card. */
export interface Behaviour {
  /** Logs in. True when the sector's trailer contains this key and its access bits permit the login. */
  login(sector: number, kind: 'A' | 'B', key: Uint8Array): boolean
  /** Reads 16 bytes with the rights of the login; null where the access bits forbid it. */
  readBlock(block: number, login: Login | null): Uint8Array | null
  /** False where the access bits forbid it. */
  writeBlock(block: number, data: Uint8Array, login: Login | null): boolean
  /**
   * Reads 16 bytes, four pages, wrapping at the end. Null on a card without pages, and where a password is required.
   */
  readPages(page: number, unlocked?: boolean): Uint8Array | null
  /** Writes a page. OTP and lock bits only change from 0 to 1. */
  writePage(page: number, data: Uint8Array, unlocked?: boolean): boolean
  /** The 8 bytes of the version of a chip with pages; null on a chip that does not report one. */
  version(): Uint8Array | null
  /** The 2 bytes that acknowledge the right password; null for a wrong one, or on a card without passwords. */
  unlock(password: Uint8Array): Uint8Array | null
  /** The DESFire commands; null on every other card. */
  readonly desfire: DesfireChip | null
}

/** How cards of one technology are created and behave. */
export interface Silicon {
  /** The possible memory sizes, in bytes. */
  sizes: readonly number[]
  /** The beginning of its memory. Throws a RangeError for a serial number that such a card cannot have. */
  serial(uid: Uint8Array): Uint8Array
  /** The memory of a factory-new card. Default size: the first of `sizes`. */
  fresh(uid: Uint8Array, bytes?: number): Uint8Array
  behaviour(memory: Uint8Array): Behaviour
}

/** A card that supports no command. */
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

/** Whether two runs of bytes are the same. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
