/** What a device says of itself. Fields it does not tell are empty. */
export interface Identity {
  model: string
  firmware: string
  serialNumber: string
}

/** Where a card can be sent. Not every model reaches every one: see `CardDispenser.positions`. */
export const positions = ['encoder', 'chip', 'front', 'eject', 'hold', 'capture', 'stacker'] as const
export type Position = (typeof positions)[number]

/** Where a card is seen to be. */
export type CardPosition = 'none' | 'stacker-exit' | 'hold' | 'encoder' | 'chip' | 'gate' | 'unknown'

export interface DispenserStatus {
  card: CardPosition
  stacker: 'ok' | 'nearEmpty' | 'empty' | 'unknown'
  bin: 'ok' | 'nearFull' | 'full' | 'unknown'
}

/** What becomes of a card found in the path when the machine is initialised. */
export type InitAction = 'hold' | 'capture' | 'leave'

/**
 * A machine that takes blank cards from a stacker, holds them at an encoder, and gives them out or captures them.
 * Every method rejects with a DeviceFault and nothing else. A motion is never repeated by the driver itself.
 */
export interface CardDispenser {
  readonly positions: readonly Position[]
  /** Mechanical reset. Must be the first call after a wire opens. Leaves the entry disabled. */
  initialise(card: InitAction): Promise<Identity>
  status(): Promise<DispenserStatus>
  /** Resolves once the machine's own sensors confirm the position. `encoder` feeds a card when the path is empty. */
  move(to: Position): Promise<DispenserStatus>
  /** Whether a card pushed in at the front is taken. */
  entry(enabled: boolean): Promise<void>
  /** To be told when somebody has emptied the bin, where the machine may count what it captures. */
  binEmptied?(): Promise<void>
  /** Ends all work on the wire; calls under way reject. Closes the wire. */
  close(): void
}

/** The kinds of card we know how to write. NTAG and Ultralight EV1 count as Ultralight. */
export type CardFormat = 'Mifare1K' | 'Mifare4K' | 'MifareUltralight' | 'UltralightC' | 'Desfire' | 'unknown'

/** Chips of the Ultralight family that say their version, by how many pages they have. */
export type PageChip = 'UltralightEV1' | 'NTAG213' | 'NTAG215' | 'NTAG216'

export interface FoundCard {
  /** The card's serial number, 4, 7 or 10 bytes. */
  uid: Uint8Array
  format: CardFormat
  /** The very chip, where the card says so and the encoder asks. */
  chip?: PageChip
}

export type DesfireKeyType = '3DES' | 'AES'

/** A DESFire key: 16 bytes of either sort. */
export interface DesfireKey {
  type: DesfireKeyType
  bytes: Uint8Array
}

/** How an application, or the card itself, governs its keys and files. */
export interface DesfireSettings {
  /**
   * Bits 0 to 3: the master key may change, listing is free, creating and deleting is free, this may change. Bits 4 to
   * 7: which key changes keys; E is each key itself, F none.
   */
  rights: number
  /** How many keys there are, 1 to 14; key 0 is the master. */
  keys: number
  type: DesfireKeyType
}

/** A standard data file. */
export interface DesfireFile {
  /** How it travels through the air. */
  mode: DesfireMode
  /** Four key numbers: who reads, writes, does both, changes these rights. E is everyone, F nobody. */
  rights: readonly [read: number, write: number, both: number, change: number]
  /** In bytes. */
  size: number
}

export type DesfireMode = 'plain' | 'maced' | 'enciphered'

/**
 * What an encoder does with the DESFire that `find` selected; faults are those of `CardEncoder`. Whoever the
 * card refuses, with `false`, null or a fault, is no longer authenticated; the application stays selected.
 */
export interface DesfireEncoder {
  /** Goes to an application by its number (1 to FFFFFF), 0 being the card itself. False when there is none. */
  select(application: number): Promise<boolean>
  /** False when the card refuses the key. */
  authenticate(keyNumber: number, key: DesfireKey): Promise<boolean>
  /** Of what is selected; null when the card does not tell. */
  settings(): Promise<DesfireSettings | null>
  /** Null when there is no such file, or none that is a standard one, or the card does not tell. */
  file(number: number): Promise<DesfireFile | null>
  read(file: number, offset: number, length: number, mode: DesfireMode): Promise<Uint8Array>
  /** Not atomic: a card torn away may keep a part. */
  write(file: number, offset: number, data: Uint8Array, mode: DesfireMode): Promise<void>
  /** Its keys are all zeros. The card itself must be selected. */
  createApplication(application: number, settings: DesfireSettings): Promise<void>
  /** Its bytes are zeros. */
  createFile(number: number, file: DesfireFile): Promise<void>
  /**
   * Changes a key of what is selected, authenticated with the key that may. `settings` are those of what is selected.
   * Changing the key one is authenticated with ends the authentication.
   */
  changeKey(keyNumber: number, from: Uint8Array, to: DesfireKey, settings: DesfireSettings): Promise<void>
  /** Deletes all applications, authenticated with the master key of the card itself. */
  format(): Promise<void>
}

/**
 * All operations that may change a card, for who must know when one is about to leave. An operation that is not here
 * never changes a card.
 */
export const writingOperations = {
  encoder: ['writeBlock', 'writePage'],
  desfire: ['write', 'createApplication', 'createFile', 'changeKey', 'format'],
} as const satisfies { encoder: readonly (keyof CardEncoder)[]; desfire: readonly (keyof DesfireEncoder)[] }

/**
 * A reader and writer of contactless cards. Every method rejects with a DeviceFault and nothing else. `find` selects
 * the card; the others act on the selected card, and reject with `card-removed` or `no-card` once another card, or
 * none, lies there.
 */
export interface CardEncoder {
  identify(): Promise<Identity>
  /** Looks once; null when no card lies on the antenna. Rejects with `multiple-cards` when it can tell. */
  find(): Promise<FoundCard | null>
  /** MIFARE Classic: logs in to a sector (0..39) with a 6-byte key. False when the card refuses the key. */
  authenticate(sector: number, kind: 'A' | 'B', key: Uint8Array): Promise<boolean>
  /** MIFARE Classic: 16 bytes of an absolute block (0..255), its sector being logged in. */
  readBlock(block: number): Promise<Uint8Array>
  writeBlock(block: number, data: Uint8Array): Promise<void>
  /** Ultralight and NTAG: 16 bytes, four pages from `page` on. */
  readPages(page: number): Promise<Uint8Array>
  /** Ultralight and NTAG: writes 4 bytes. */
  writePage(page: number, data: Uint8Array): Promise<void>
  /**
   * Ultralight EV1 and NTAG, where the encoder can: opens the pages that a password (4 bytes) protects. False when the
   * card refuses it, or acknowledges with other than these 2 bytes.
   */
  unlockPages?(password: Uint8Array, acknowledgement: Uint8Array): Promise<boolean>
  /** DESFire EV1 and later, where the encoder can. */
  readonly desfire?: DesfireEncoder
  /** Switches the field off, so that the card may be moved. */
  off(): Promise<void>
  /** Light and sound, where there are any. */
  signal(kind: 'ready' | 'good' | 'bad'): Promise<void>
  close(): void
}

/** What a key shall open, and when, in the lock system's own terms. Instants are Unix milliseconds. */
export interface Grant {
  /** The lock's code in the lock system. */
  lock: string
  /** The issue number of that lock: a greater one cancels lesser ones at the door; copies share it. */
  sequence: number
  copy: boolean
  usage: 'Guest' | 'OneShot' | 'Staff' | 'Spare'
  /** Common doors and zones, by their names in the lock system, sorted. */
  authorizations: readonly string[]
  validFrom: number
  validUntil: number
  /** Our own number for the key, 1..2^32-1. */
  credential: number
}

/** What a card was found to hold. `blank` and `grant` are never both given. */
export interface CardContent {
  uid: Uint8Array
  format: CardFormat
  blank: boolean
  /** Set only when the record is whole and authentic for this very card and this site. */
  grant: Grant | null
  /** Why there is no grant on a card that is not blank. */
  defect: 'foreign' | 'damaged' | null
}

/** A lock system whose rights travel on the card. Methods reject with a DeviceFault and nothing else. */
export interface CardLockSystem {
  /** Writes the grant so that a tear at any point leaves no valid record. Does not verify: `read` does. */
  write(encoder: CardEncoder, card: FoundCard, grant: Grant): Promise<void>
  read(encoder: CardEncoder, card: FoundCard): Promise<CardContent>
  /** Leaves the card blank and usable. Rejects with `card-write-protected` for a card that is not ours. */
  erase(encoder: CardEncoder, card: FoundCard): Promise<void>
  /** The name of what this lock system opens beyond its rooms, for the checks before a card is touched. */
  readonly authorizations: readonly string[]
  /** Null when the lock system knows the code; otherwise what a lock code looks like. */
  lockCodeProblem(code: string): string | null
  /** Null when a card of this lock system can say the grant; otherwise what stands in the way. */
  grantProblem(grant: Grant): string | null
}
