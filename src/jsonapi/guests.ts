/**
 * What a guest has said of a stay: a number of its booking, the last name of its guest, or something that the profile of
 * its guest has on file.
 */
export type GuestFactor = 'number' | 'name' | 'onFile'

/** The guests at one client that may only find single stays, such as a kiosk. */
export interface Guests {
  /**
   * Notes what a search has found: for each stay the factors that are right for it. `asked` are those that the guest has
   * given. A proof is complete when the factors of this search and of the last ones that found the stay are enough. It ends
   * with the next search that does not find the stay. Resolves when the proof is stored, so that it outlives a power cut.
   */
  found(asked: readonly GuestFactor[], stays: ReadonlyMap<string, ReadonlySet<GuestFactor>>): Promise<void>
  /** Returns whether the guest of the stay has given a proof, and has been here within the last five minutes. */
  has(stayId: string): boolean
  /** The guest of the stay was here until now: a long request has ended. Has no effect without a proof. */
  keep(stayId: string): void
  /** Returns the ids of all stays with a proof. */
  all(): string[]
}

/** The guests of a caller that nobody has authenticated. */
export const noGuests: Guests = { found: async () => {}, has: () => false, keep: () => {}, all: () => [] }
