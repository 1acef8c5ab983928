import type { CardDispenser, CardFormat } from '../../devices/capability.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import type { KeyBegun } from '../keys/orders/key-order.ts'
import type { Antenna } from './antenna.ts'

/** A card to which its key was written. */
export interface MadeCard {
  /** Its serial number; null where the lock system does not report it. */
  uid: string | null
  cardFormat: Exclude<CardFormat, 'unknown'> | null
  /** It was read back and contains the ordered key. */
  verified: boolean
  /** The lock system's identifier of the key. */
  reference: string | null
}

/** Writes a key to a card, with an encoder of this appliance or with one of the lock system. */
export interface CardMaker {
  /** Null when a card can encode the key; otherwise the reason why not, as a sentence. */
  problem(begun: KeyBegun): string | null
  /**
   * Called before a card is fed, or before the placed card is used. Rejects when the key could not be written now, and
   * when a card lies on the antenna before one is fed: it would be written instead.
   */
  expectReady(begun: KeyBegun, isPlaced: boolean): Promise<void>
  /**
   * Writes the key to the card on the encoder and proves it. Calls `writing` and waits until it has reached the disk
   * before it sends the first byte.
   */
  encode(begun: KeyBegun, writing: (uid: string | null) => Promise<void>): Promise<MadeCard>
  /** The antenna that can erase the card; null where only the lock system has an encoder. */
  antenna: Antenna | null
  /** Whether the card at the encoder may be overwritten: a blank one, or one whose key is no longer needed. */
  isUsable(): Promise<boolean>
  /** The card was handed over at the front desk. Called with its serial number. */
  handed(uid: string | null): void
}

/** A dispenser that is reserved for one card. */
export interface Feeder {
  handle: DispenserHandle
  machine: CardDispenser
}

/** The maker of a card, and the dispenser that feeds it. */
export interface Making {
  maker: CardMaker
  /** Null at a front desk, where a person lays the card on the encoder. */
  dispenser: Feeder | null
}
