/** What there is of a stay's key, as far as it matters for what to do. */
export type Found = 'none' | 'virtual' | 'live' | 'expired' | 'unknown' | 'gone'

/** What is to be done about it. */
export type Step =
  | 'hold'
  | 'make'
  | 'refuse-unit'
  | 'change-held'
  | 'materialise'
  | 'keep'
  | 'change'
  | 'revive'
  | 'resolve'
  | 'gone'

/** What a request asks for, as far as it matters for what to do. */
export interface WantedKey {
  windowOpen: boolean
  unitNamed: boolean
  /** The key is already what the request asks for. */
  matches: boolean
}

/**
 * Create-or-reconcile by reservation, and the materialisation table, row for row: what is done about a key that is found
 * when it is asked for as it says.
 */
export function nextStep(found: Found, { windowOpen, unitNamed, matches }: WantedKey): Step {
  if (found === 'gone') return 'gone'
  if (windowOpen && !unitNamed) return 'refuse-unit'
  if (found === 'none') return windowOpen ? 'make' : 'hold'
  if (found === 'expired') return windowOpen ? 'revive' : 'hold'
  if (found === 'virtual') {
    if (windowOpen) return 'materialise'
    return matches ? 'keep' : 'change-held'
  }
  if (found === 'unknown') return 'resolve'
  return matches ? 'keep' : 'change'
}
