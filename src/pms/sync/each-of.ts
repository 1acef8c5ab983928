/**
 * Does the work for each item in their order, with at most `width` under way at once, and resolves when all is done. The first
 * that rejects lets no further one begin, and is what this rejects with once those under way have ended.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let next = 0
  let failure: { reason: unknown } | null = null
  const worker = async () => {
    while (next < items.length && !failure) {
      const item = items[next++]!
      try {
        await work(item)
      } catch (reason) {
        failure ??= { reason }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  if (failure) throw (failure as { reason: unknown }).reason
}
