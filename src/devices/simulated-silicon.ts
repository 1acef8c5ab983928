import type { SimulatedCard } from './simulated-card.ts'

/** What a card does, beside what it is. */
type Behaviour = Omit<SimulatedCard, 'uid' | 'technology' | 'memory'>

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
