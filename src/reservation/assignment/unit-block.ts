import { dateAfter } from '../stays/stay-dates.ts'

/** Dates for which a unit is taken out: nobody is given it for the nights that begin on them. Both ends are in it. */
export interface Block {
  startDate: string
  endDate: string
  reason?: string | null
}

/** A period that blocks a unit (0) or frees it again (1). */
export interface BlockPeriod {
  first: string
  last: string
  quantity: number
  reason?: string | null
}

/**
 * The blocks of a unit after these periods, in order: none overlaps another, those that touch for the same reason are
 * one, and those that were over before `oldest` are forgotten.
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

/** What is left of a block on either side of a period. */
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

/** What of the dates is not blocked yet. */
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

/** The first block that takes the unit on any of the dates, both ends among them. */
export function blockOn(
  blocks: readonly Block[] | null | undefined,
  dates: { first: string; last: string },
): Block | undefined {
  return blocks?.find(({ startDate, endDate }) => startDate <= dates.last && endDate >= dates.first)
}
