/**
 * What a guest has said of a stay: a number of its booking, the last name of its guest, or something that the profile of
 * its guest has on file.
 */
export type GuestFactor = 'number' | 'name' | 'onFile'

/** A card of the stay that the guest has shown after the proof. */
export interface ShownCard {
  keyId: string
  /** The dispenser has taken the card: its key ends with it. */
  isReturned: boolean
}

/** What a client knows of the guest who has given a proof. */
export interface GuestProof {
  /** The guest has said a number of the booking. */
  knowsNumber: boolean
  /** When the proof was given, Unix milliseconds. After a power cut it may be later. */
  since: number
  shown: ShownCard | null
  /** When the client has checked this guest in, Unix milliseconds; null when it has not, and after a power cut. */
  checkedInAt: number | null
}

/** The guests at one client that may only find single stays, such as a kiosk. */
export interface Guests {
  /**
   * Notes what a search has found: for each stay the factors that are right for it. `asked` are those that the guest has
   * given, and `said` is the same text for the same answer: one that is repeated counts once as wrong. Two factors are a proof, from this search, which must be right as a whole, and from those just before it that
   * found the stay. What was said of other stays is forgotten, and a search after a proof begins anew. Resolves when a proof
   * is stored, so that it outlives a power cut; with `refused` when too much was wrong, and the answer must not say what was
   * right.
   */
  found(
    asked: readonly GuestFactor[],
    stays: ReadonlyMap<string, ReadonlySet<GuestFactor>>,
    said: string,
  ): Promise<'noted' | 'refused'>
  /** Returns whether the guest of the stay has given a proof, and has been here within the last five minutes. */
  has(stayId: string): boolean
  /** Returns what the proof for the stay is, where `has` is true; null otherwise. */
  proof(stayId: string): GuestProof | null
  /** Notes that the guest has shown a card of the stay. It adds to a proof, and is none alone. */
  showed(stayId: string, card: ShownCard): Promise<void>
  /** Notes that the client has checked the guest in. */
  checkedIn(stayId: string): void
  /** Does the work of a request about a stay. Its guest is here until it ends. */
  during<Result>(stayId: string, work: () => Promise<Result> | Result): Promise<Result>
  /** Returns the ids of all stays with a proof. */
  all(): string[]
}

/** The guests of a caller that nobody has authenticated. */
export const noGuests: Guests = {
  found: async () => 'noted',
  has: () => false,
  proof: () => null,
  showed: async () => {},
  checkedIn: () => {},
  during: async (_stayId, work) => work(),
  all: () => [],
}
