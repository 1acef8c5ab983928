import type { CardDispenser, CardFormat } from '../../devices/capability.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import type { KeyBegun } from '../keys/key-order.ts'
import type { Antenna } from './antenna.ts'

/** A card that holds its key. */
export interface MadeCard {
  /** Its serial number; null where the lock system did not tell it. */
  uid: string | null
  cardFormat: Exclude<CardFormat, 'unknown'> | null
  /** Read back, and found to be what was asked for. */
  verified: boolean
  /** What the lock system calls it. */
  reference: string | null
}

/** The step of a card's way on which it becomes a key: by our own encoder, or by one of the lock system. */
export interface CardMaker {
  /** Null when a card can say the key; otherwise what stands in the way. */
  problem(begun: KeyBegun): string | null
  /** Before a card is fed: what the antenna sees now would be written instead of it. */
  expectEmpty(): Promise<void>
  /** Makes the card that lies there a key, and proves it. No byte is written before `writing` has reached the disk. */
  encode(begun: KeyBegun, writing: (uid: string | null) => Promise<void>): Promise<MadeCard>
  /** Our antenna, for who erases the card that lies there; null where only the lock system has one. */
  antenna: Antenna | null
  /** Whether the card that was placed at the encoder may be written: a blank one, or one that nobody needs any more. */
  isUsable(): Promise<boolean>
  /** The card is in a hand now. */
  handed(uid: string | null): void
}

/** A dispenser in use for one card. */
export interface Feeder {
  handle: DispenserHandle
  machine: CardDispenser
}

/** What makes a card a key, and where it comes from. */
export interface Making {
  maker: CardMaker
  /** Null at a desk, where a hand lays the card on the encoder. */
  dispenser: Feeder | null
}
