/** What a device reports about itself. Fields that it does not report are empty. */
export interface Identity {
  model: string
  firmware: string
  serialNumber: string
}

/** Where a card can be sent. Not every model reaches every one: see `CardDispenser.positions`. */
export const positions = ['encoder', 'chip', 'front', 'eject', 'hold', 'capture', 'stacker'] as const
export type Position = (typeof positions)[number]

/** Where the sensors see a card. */
export type CardPosition = 'none' | 'stacker-exit' | 'hold' | 'encoder' | 'chip' | 'gate' | 'unknown'

export interface DispenserStatus {
  card: CardPosition
  stacker: 'ok' | 'nearEmpty' | 'empty' | 'unknown'
  bin: 'ok' | 'nearFull' | 'full' | 'unknown'
}

/** What the machine does at initialisation with a card in its path. */
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
  /** Sets whether the machine accepts a card that is pushed in at the front. */
  entry(enabled: boolean): Promise<void>
  /**
   * Resets the machine's count of captured cards after a person has emptied the bin. Absent where the machine does not
   * count.
   */
  binEmptied?(): Promise<void>
  /** Ends all work on the wire; calls under way reject. Closes the wire. */
  close(): void
}

/** The kinds of card that the appliance can write. NTAG and Ultralight EV1 count as Ultralight. */
export type CardFormat = 'Mifare1K' | 'Mifare4K' | 'MifareUltralight' | 'UltralightC' | 'Desfire' | 'unknown'

/** Chips of the Ultralight family that report their version, by their number of pages. */
export type PageChip = 'UltralightEV1' | 'NTAG213' | 'NTAG215' | 'NTAG216'

export interface FoundCard {
  /** The card's serial number, 4, 7 or 10 bytes. */
  uid: Uint8Array
  format: CardFormat
  /** The exact chip, where the card reports it and the encoder asks for it. */
  chip?: PageChip
}

export type DesfireKeyType = '3DES' | 'AES'

/** A DESFire key: 16 bytes of either type. */
export interface DesfireKey {
  type: DesfireKeyType
  bytes: Uint8Array
}

/** The key settings of an application or of the card itself. */
export interface DesfireSettings {
  /**
   * Bits 0 to 3: the master key may be changed; listing needs no key; creating and deleting needs no key; these
   * settings may be changed. Bits 4 to 7: the number of the key that changes keys; E means each key changes itself, F
   * means none does.
   */
  rights: number
  /** The number of keys, 1 to 14; key 0 is the master key. */
  keys: number
  type: DesfireKeyType
}

/** A standard data file. */
export interface DesfireFile {
  /** How the data is protected on the air. */
  mode: DesfireMode
  /** Four key numbers: the key that reads, writes, does both, and changes these rights. E means everyone, F no one. */
  rights: readonly [read: number, write: number, both: number, change: number]
  /** In bytes. */
  size: number
}

export type DesfireMode = 'plain' | 'maced' | 'enciphered'

/**
 * What an encoder does with the DESFire card that `find` selected. Faults are those of `CardEncoder`. When the card
 * refuses a command (with `false`, null or a fault), the authentication ends; the application stays selected.
 */
export interface DesfireEncoder {
  /**
   * Selects an application by its number (1 to FFFFFF); 0 is the card itself. False when there is no such application.
   */
  select(application: number): Promise<boolean>
  /** False when the card refuses the key. */
  authenticate(keyNumber: number, key: DesfireKey): Promise<boolean>
  /** The key settings of the selected application or card; null when the card does not report them. */
  settings(): Promise<DesfireSettings | null>
  /** Null when there is no such file, when it is not a standard data file, or when the card does not report it. */
  file(number: number): Promise<DesfireFile | null>
  read(file: number, offset: number, length: number, mode: DesfireMode): Promise<Uint8Array>
  /** Writes data into a file. Not atomic: a card that is removed during the write may keep a part. */
  write(file: number, offset: number, data: Uint8Array, mode: DesfireMode): Promise<void>
  /** Creates an application whose keys are all zeros. The card itself must be selected. */
  createApplication(application: number, settings: DesfireSettings): Promise<void>
  /** Creates a file whose bytes are all zeros. */
  createFile(number: number, file: DesfireFile): Promise<void>
  /**
   * Changes a key of the selected application or card, after an authentication with the key that may do so. `settings`
   * are those of the selected application or card. Changing the authenticated key ends the authentication.
   */
  changeKey(keyNumber: number, from: Uint8Array, to: DesfireKey, settings: DesfireSettings): Promise<void>
  /** Deletes all applications, after an authentication with the master key of the card itself. */
  format(): Promise<void>
}

/**
 * All operations that may change a card. A recorder of writes uses this list to know when such a command is about to
 * leave. An operation that is not in the list never changes a card.
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
  /**
   * Looks for a card once; null when no card lies on the antenna. Rejects with `multiple-cards` when the encoder can
   * detect this.
   */
  find(): Promise<FoundCard | null>
  /** MIFARE Classic: logs in to a sector (0..39) with a 6-byte key. False when the card refuses the key. */
  authenticate(sector: number, kind: 'A' | 'B', key: Uint8Array): Promise<boolean>
  /** MIFARE Classic: reads the 16 bytes of an absolute block (0..255), after a login to its sector. */
  readBlock(block: number): Promise<Uint8Array>
  writeBlock(block: number, data: Uint8Array): Promise<void>
  /** Ultralight and NTAG: reads 16 bytes, which are four pages from `page` on. */
  readPages(page: number): Promise<Uint8Array>
  /** Ultralight and NTAG: writes 4 bytes. */
  writePage(page: number, data: Uint8Array): Promise<void>
  /**
   * Ultralight EV1 and NTAG, where the encoder can: unlocks the pages that a password (4 bytes) protects. False when
   * the card refuses the password, or acknowledges it with bytes other than these 2.
   */
  unlockPages?(password: Uint8Array, acknowledgement: Uint8Array): Promise<boolean>
  /** DESFire EV1 and later, where the encoder can. */
  readonly desfire?: DesfireEncoder
  /** Switches the field off, so that the card may be moved. */
  off(): Promise<void>
  /** Shows a light and plays a sound, where the encoder has them. */
  signal(kind: 'ready' | 'good' | 'bad'): Promise<void>
  close(): void
}

/** What a key opens, and when, in the lock system's own terms. Instants are Unix milliseconds. */
export interface Grant {
  /** The lock's code in the lock system. */
  lock: string
  /** The issue number for that lock: a greater number cancels smaller ones at the door; copies share it. */
  sequence: number
  copy: boolean
  usage: 'Guest' | 'OneShot' | 'Staff' | 'Spare'
  /** Common doors and zones, by their names in the lock system, sorted. */
  authorizations: readonly string[]
  validFrom: number
  validUntil: number
  /** The appliance's own number for the key, 1..2^32-1. */
  credential: number
}

/** The content of a card. `blank` and `grant` are never both set. */
export interface CardContent {
  uid: Uint8Array
  format: CardFormat
  blank: boolean
  /** Set only when the record is complete and authentic for this card and this site. */
  grant: Grant | null
  /** Why there is no grant on a card that is not blank. */
  defect: 'foreign' | 'damaged' | null
}

/** A lock system whose rights travel on the card. Methods reject with a DeviceFault and nothing else. */
export interface CardLockSystem {
  /** Writes the grant so that an interruption at any point leaves no valid record. Does not verify: `read` does. */
  write(encoder: CardEncoder, card: FoundCard, grant: Grant): Promise<void>
  read(encoder: CardEncoder, card: FoundCard): Promise<CardContent>
  /** Leaves the card blank and usable. Rejects with `card-write-protected` for a card of another owner. */
  erase(encoder: CardEncoder, card: FoundCard): Promise<void>
  /** The names of what this lock system opens beside its rooms, for the checks before a card is touched. */
  readonly authorizations: readonly string[]
  /** Null when a card of this lock system can carry the grant; otherwise the reason why it cannot. */
  grantProblem(grant: Grant): string | null
}
