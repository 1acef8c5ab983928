import { Problem } from '../../resource/problem.ts'
import { invalidValue } from '../invalid-value.ts'

/** How many plans a plan may be derived from, one from the other. */
const maxDepth = 3

/**
 * Throws 422 when a plan adjusts without a parent, and 422 `rate-plan-derivation` when its parents lead back to it or
 * are more than three. `parentOf` gives the parent's id of a plan, or null. `id` is null for a plan not yet kept.
 */
export function checkDerivation(
  plan: { id: string | null; parentId?: string | null; derivedAdjustment?: unknown },
  parentOf: (id: string) => string | null,
): void {
  if (plan.derivedAdjustment && !plan.parentId) {
    throw invalidValue('/derivedAdjustment', 'Only a plan with a parent is adjusted.')
  }
  let depth = 0
  for (let parent = plan.parentId ?? null; parent !== null; parent = parentOf(parent)) {
    depth += 1
    if (parent === plan.id) throw underivable('The plan is derived from itself.')
    if (depth > maxDepth) throw underivable(`A plan has at most ${maxDepth} parents above each other.`)
  }
}

function underivable(detail: string): Problem {
  return new Problem('rate-plan-derivation', detail, { pointer: '/parentId', meta: { maxDepth } })
}
