/** What was acknowledged, by those who were told. */
export interface Ledger {
  /** Answers by operation and outcome, such as `check in: 204` or `create: 422 no-eligible-unit`. */
  outcomes: Map<string, number>
  /** What no answer of the interface is. */
  strange: string[]
  /** Paths of what was made and is to be there, with what was said of it. */
  there: Map<string, Record<string, unknown>>
  /** Amounts of payments that were recorded and not taken back, by their ids. */
  paid: Map<string, { reservationId: string; amount: number }>
  voided: Set<string>
  /** Ids that were answered to one idempotency key. */
  repeated: Map<string, Set<string>>
}

export function ledger(): Ledger {
  return {
    outcomes: new Map(),
    strange: [],
    there: new Map(),
    paid: new Map(),
    voided: new Set(),
    repeated: new Map(),
  }
}

/** The same numbers, from 0 to below 1, for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
