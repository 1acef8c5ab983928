import { command, type Transaction } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'

/**
 * The epoch of a box counts how often its property was restored. Where an old box and a restored one both work, the lower epoch
 * tells the old one. `own` is absent until the first restore, which means 1.
 */
const own = 'epoch-own'
/** The highest epoch of this property that another box was said to have. */
const seen = 'epoch-seen'

/** The epoch to which this box has handed the property over; absent for a box that has not. */
const handedTo = 'epoch-handed-to'

/** The epoch that is seen because the data came to this machine as a copy; absent for data that were never copied. */
const copied = 'epoch-copied'

/** The prefix of the counters whose names end with a digest of where the data are. */
const places = 'place/'

export interface Epoch {
  own: number
  /** 0 when no other box was heard of. */
  seen: number
}

/** Returns the epoch of this box, and the highest that another has. */
export function epochOf({ counters }: Pick<Reader, 'counters'>): Epoch {
  const found = counters(own, seen)
  return { own: found.get(own) ?? 1, seen: found.get(seen) ?? 0 }
}

/** Whether a newer box has the property, so that this one must make no keys. */
export function isFenced(reader: Pick<Reader, 'counters'>): boolean {
  const epoch = epochOf(reader)
  return epoch.seen > epoch.own
}

/** Whether the box has handed the property over, and so has made no key since. No other box has either. */
export function isHandedOver(reader: Pick<Reader, 'counters'>): boolean {
  const to = reader.counters(handedTo, handedTo).get(handedTo)
  return to !== undefined && to === epochOf(reader).seen
}

/** Whether the box is fenced because its data are a copy, and the box that they come from may still work with them. */
export function isCopy(reader: Pick<Reader, 'counters'>): boolean {
  const { seen, own } = epochOf(reader)
  return seen > own && reader.counters(copied, copied).get(copied) === seen
}

/** Whether all of these digests of the place of the data are noted. */
export function areNoted(reader: Pick<Reader, 'counters'>, digests: readonly string[]): boolean {
  const known = placesIn(reader)
  return digests.every((each) => known.has(places + each))
}

/**
 * The command that notes at a start where the data are, by digests such as `machine/1f…`, `path/2e…` and `file/3d…`. Data on another
 * machine than before, or in another folder and another file than before, are a copy, and the other box may still make keys with the
 * same numbers: this one is fenced until a person claims the property. A board that was installed anew is the same machine, and a card
 * or disk that was put into another machine is no copy. Returns whether it has fenced the box now. A restore from a backup forgets the
 * place, because it decides itself.
 */
export const notePlace = command('property/place', (tx, input: { digests: string[] }): boolean => {
  const known = placesIn(tx)
  const isSame = (kind: string) => input.digests.some((each) => isOf(kind, each) && known.has(places + each))
  const isOther = (kind: string) =>
    input.digests.some((each) => isOf(kind, each)) &&
    [...known.keys()].some((name) => isOf(kind, name.slice(places.length))) &&
    !isSame(kind)
  const isOnOther = !isSame('board') && !isSame('medium') && (isOther('board') || isOther('machine'))
  const isCopied = isOnOther || (isOther('path') && isOther('file'))
  forgetPlace(tx)
  for (const each of input.digests) tx.add(places + each, 1)
  if (!isCopied || isFenced(tx)) return false
  const { own: epoch, seen: before } = epochOf(tx)
  tx.add(seen, epoch + 1 - before)
  tx.add(copied, epoch + 1 - tx.add(copied, 0))
  tx.journal('system.fenced', 'system', { epoch, seen: epoch + 1 })
  return true
})

const isOf = (kind: string, digest: string) => digest.startsWith(`${kind}/`)

const placesIn = (reader: Pick<Reader, 'counters'>) => reader.counters(places, `${places}~`)

/** Forgets where the data are, so that the next start takes its place without a question. */
export function forgetPlace(tx: Transaction): void {
  tx.forget(places, `${places}~`)
}

const since = Date.UTC(2026, 0, 1)

/**
 * Raises the epoch of this box beyond every other, also beyond that of a second box that was restored from the same backup
 * before. Returns the new epoch.
 */
export function raiseEpoch(tx: Transaction): number {
  const before = epochOf(tx)
  const seconds = Math.floor((tx.now - since) / 1_000)
  const to = Math.max(before.own + 1, before.seen + 1, seconds)
  const stored = tx.add(own, 0)
  tx.forget(handedTo, handedTo)
  return tx.add(own, to - stored)
}

/**
 * The command with which a box hands the property over, before the backup that moves it: it makes no more keys, so the backup
 * has all of them. `claimEpoch` takes that back.
 */
export const handOver = command('property/handed-over', (tx): Epoch => {
  const before = epochOf(tx)
  if (isHandedOver(tx)) return before
  const to = Math.max(before.own, before.seen) + 1
  tx.add(own, before.own - tx.add(own, 0))
  tx.add(seen, to - before.seen)
  tx.add(handedTo, to - tx.add(handedTo, 0))
  tx.journal('system.handed-over', 'system', { epoch: before.own, seen: to })
  return epochOf(tx)
})

/** The command that notes the epoch of another box. Only a higher one than before changes anything. */
export const seeEpoch = command('property/epoch-seen', (tx, input: { epoch: number }): Epoch => {
  const before = epochOf(tx)
  if (input.epoch <= Math.max(before.seen, before.own)) return before
  tx.add(seen, input.epoch - before.seen)
  const after = epochOf(tx)
  tx.journal('system.fenced', 'system', { epoch: after.own, seen: after.seen })
  return after
})

/** The command that states that this box has the property: every other box is older. */
export const claimEpoch = command('property/epoch-claimed', (tx): Epoch => {
  const epoch = raiseEpoch(tx)
  tx.journal('system.epoch-raised', 'system', { epoch })
  return epochOf(tx)
})

export const epochCommands = [seeEpoch, claimEpoch, handOver, notePlace]
