import { invalidValue } from '../../resource/problem.ts'

/**
 * Returns the items with exactly one of them primary: the marked one, or the first if none is marked. Throws 422
 * `validation-failed` when several are marked. `pointer` points at the list, such as `/emails`.
 */
export function withOnePrimary<Item extends { primary?: boolean | null }>(
  items: readonly Item[],
  pointer: string,
): (Item & { primary: boolean })[] {
  const marked = items.flatMap(({ primary }, at) => (primary ? [at] : []))
  if (marked.length > 1)
    throw invalidValue(`${pointer}/${marked[1]}/primary`, 'Only one item can be primary.')
  return items.map((item, at) => ({ ...item, primary: at === (marked[0] ?? 0) }))
}
