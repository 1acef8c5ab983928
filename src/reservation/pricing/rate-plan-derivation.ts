import { invalidValue, Problem } from '../../resource/problem.ts'

/** The largest number of ancestors of a plan: its parent, the parent of its parent, and so on. */
const maxDepth = 3

/**
 * Throws 422 when a plan has an adjustment but no parent, and 422 `rate-plan-derivation` when its chain of parents
 * contains a cycle or more than three plans. `parentOf` returns the id of a plan's parent, or null. `id` is null for a
 * new plan.
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
    if (parent === plan.id)
      throw new Problem('rate-plan-derivation', 'The plan is derived from itself.', place)
    if (depth <= maxDepth) continue
    throw new Problem(
      'rate-plan-derivation',
      `A plan has at most ${maxDepth} parents above each other.`,
      place,
    )
  }
}

const place = { pointer: '/parentId', meta: { maxDepth } }
