import { dateAfter } from '../stays/rules/stay-dates.ts'

/**
 * A range of dates, both ends included, on which a unit is blocked. No stay gets the unit for the nights that begin on
 * these dates.
 */
export interface Block {
  startDate: string
  endDate: string
  reason?: string | null
}

/** A period that blocks a unit (`quantity` 0) or unblocks it (`quantity` 1). Both dates are included. */
export interface BlockPeriod {
  first: string
  last: string
  quantity: number
  reason?: string | null
}

/**
 * Applies the periods in order to the blocks of a unit and returns the new blocks, sorted by date. The blocks do not
 * overlap. Adjacent blocks with the same reason are merged. Blocks that ended before `oldest` are dropped.
 */
export function blocksAfter(
  blocks: readonly Block[],
  periods: readonly BlockPeriod[],
  oldest: string,
): Block[] {
  let after = [...blocks]
  for (const { first, last, quantity, reason } of periods) {
    after = after.flatMap((block) => without(block, first, last))
    if (quantity === 0) after.push({ startDate: first, endDate: last, reason: reason ?? null })
  }
  const inOrder = after.toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))
  return joined(inOrder).filter(({ endDate }) => endDate >= oldest)
}

/** Returns the parts of a block before and after a period. */
function without(block: Block, first: string, last: string): Block[] {
  if (block.endDate < first || block.startDate > last) return [block]
  return [
    ...(block.startDate < first ? [{ ...block, endDate: dateAfter(first, -1) }] : []),
    ...(block.endDate > last ? [{ ...block, startDate: dateAfter(last, 1) }] : []),
  ]
}

function joined(blocks: readonly Block[]): Block[] {
  const all: Block[] = []
  for (const block of blocks) {
    const before = all.at(-1)
    const isSame = before && (before.reason ?? null) === (block.reason ?? null)
    if (isSame && dateAfter(before.endDate, 1) === block.startDate) before.endDate = block.endDate
    else all.push({ ...block })
  }
  return all
}

/** Returns the parts of the date range that are not blocked yet. Both ends are included. */
export function unblocked(
  blocks: readonly Block[] | null | undefined,
  { first, last }: { first: string; last: string },
): { first: string; last: string }[] {
  const whole: Block[] = [{ startDate: first, endDate: last }]
  return (blocks ?? [])
    .reduce(
      (rest, { startDate, endDate }) => rest.flatMap((each) => without(each, startDate, endDate)),
      whole,
    )
    .map(({ startDate, endDate }) => ({ first: startDate, last: endDate }))
}

/** Returns the first block that contains any of the dates, both ends included. */
export function blockOn(
  blocks: readonly Block[] | null | undefined,
  dates: { first: string; last: string },
): Block | undefined {
  return blocks?.find(({ startDate, endDate }) => startDate <= dates.last && endDate >= dates.first)
}
