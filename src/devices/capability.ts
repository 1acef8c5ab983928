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
  /** Ends all work on the wire; calls under way reject. Closes the wire. */
  close(): void
}

/** The kinds of card we know how to write. */
export type CardFormat = 'Mifare1K' | 'Mifare4K' | 'MifareUltralight' | 'UltralightC' | 'Desfire' | 'unknown'

export interface FoundCard {
  /** The card's serial number, 4, 7 or 10 bytes. */
  uid: Uint8Array
  format: CardFormat
}

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
