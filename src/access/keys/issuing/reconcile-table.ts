/** The state of a stay's key, as far as it decides the next step. */
export type FoundKey = 'none' | 'virtual' | 'live' | 'expired' | 'unknown' | 'gone'

/** The next step for a stay's key. */
export type ReconcileStep =
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

/** The request, as far as it decides the next step. */
interface WantedKey {
  windowOpen: boolean
  unitNamed: boolean
  /** The key already equals the request. */
  matches: boolean
}

/**
 * Returns the next step for the key that was found and the request. It follows the table of create-or-reconcile by
 * reservation and the materialisation table row by row.
 */
export function nextStep(found: FoundKey, { windowOpen, unitNamed, matches }: WantedKey): ReconcileStep {
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
