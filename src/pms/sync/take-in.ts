import { DeviceFault } from '../../devices/fault.ts'
import { Problem } from '../../resource/problem.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import type { ConflictPolicy } from '../resources/conflict-policy.ts'
import type { PmsChange, ReservationChange } from '../sync-contract.ts'
import { eachOf } from './each-of.ts'
import type { Counts } from './link.ts'
import type { Linked } from './linked.ts'
import { asideOf, asideOfRefused, checkedChange, checkedPage, type ReceivedPage } from './received.ts'
import type { Turn } from './turn.ts'

/** Changes that are being written at once: a commit has enough to share, and who asks the house meanwhile is not kept waiting. */
const mostAtOnce = 128
/**
 * Fetches what has changed at the PMS until there is no more, or the turn is over; `hasMore` is told of each page after
 * which there is more, and whether it told anything new. Answers whether there was no more. The place behind a page is kept when all of it is on the disk. Where the PMS does not know our place
 * any more, everything is fetched.
 */
export async function takeAll(
  linked: Linked,
  turn: Turn,
  hasMore: (page: { isNews: boolean }) => void,
): Promise<boolean> {
  const { name } = linked.configuration
  let cursor = linked.link().pullCursor ?? null
  let isForgotten = false
  while (turn.goesOn() && !linked.isOver()) {
    let received: ReceivedPage
    try {
      received = await fetched(linked, cursor)
    } catch (error) {
      if (isForgotten || !isPlaceUnknown(error)) throw error
      isForgotten = true
      cursor = null
      continue
    }
    const before = newsIn(linked.counts)
    await takePage(linked, received)
    if (!received.more) return true
    hasMore({ isNews: newsIn(linked.counts) > before })
    if (received.cursor === cursor) {
      throw new DeviceFault(
        'vendor-error',
        `${name} says that there are more changes, but its cursor does not move.`,
      )
    }
    cursor = received.cursor
  }
  return false
}

function newsIn({ applied, quarantined }: Counts): number {
  return applied + quarantined
}

/** What is no page counts as a PMS that did not answer. */
async function fetched({ ask, configuration }: Linked, cursor: string | null): Promise<ReceivedPage> {
  return ask({ what: 'changes', changes: false }, async (sync, call) =>
    checkedPage(configuration.name, await sync.pull(cursor, call)),
  )
}

function isPlaceUnknown(error: unknown): boolean {
  return error instanceof Problem && error.code === 'page-cursor-unknown'
}

/** Takes in all of a page, then keeps the place behind it. */
export async function takePage(linked: Linked, { changes, refused, cursor }: ReceivedPage): Promise<void> {
  await eachOf(changes, mostAtOnce, (raw) => takeOne(linked, raw))
  linked.counts.received += refused.length
  await eachOf(refused, mostAtOnce, (raw) => putAside(linked, asideOfRefused(raw)))
  const { link, write, changes: known, configuration } = linked
  if (link().pullCursor === cursor) return
  await write(known.keepPlace, { configurationId: configuration.id, pullCursor: cursor })
}

/** Takes in one change, or puts it aside with what is wrong with it. Rejects when the house itself cannot write now. */
async function takeOne(linked: Linked, raw: unknown): Promise<void> {
  if (linked.isOver()) throw new Problem('starting-up', 'The appliance is stopping.')
  linked.counts.received++
  const reason = await obstacleTo(linked, raw)
  if (reason !== null) await putAside(linked, asideOf(raw, reason))
}

/** Null when it was taken in; else why it cannot be. */
export async function obstacleTo(linked: Linked, raw: unknown): Promise<string | null> {
  try {
    const change = await checkedChange(raw)
    linked.counts[(await wasTaken(linked, change)) ? 'applied' : 'ignored']++
    return null
  } catch (error) {
    if (!(error instanceof Problem)) {
      linked.failed(error)
      return 'An internal error prevented its processing; see the log.'
    }
    if (error.status === 503) throw error
    return [error, ...error.others].map(reasonOf).join(' ').slice(0, 1_000)
  }
}

/** With the place, where its sentence does not say it. */
function reasonOf({ message, options: { pointer } }: Problem): string {
  if (!pointer || message.includes(pointer.slice(1))) return message
  return `${message} (${pointer})`
}

async function wasTaken(linked: Linked, change: PmsChange): Promise<boolean> {
  const { write, changes, configuration } = linked
  const configurationId = configuration.id
  if (change.is === 'lease') return (await write(changes.keepLease, { configurationId, change })) === 'taken'
  if (change.is === 'housekeeping')
    return (await write(changes.applyHousekeeping, { configurationId, change })) === 'taken'
  const applied = await write(changes.applyUpstreamChange, { configurationId, change, ...rulesOf(linked) })
  await settleOlder(linked, change)
  return applied.is === 'inserted' || applied.is === 'merged'
}

/** What the merge goes by. */
export function rulesOf({ configuration: { conflictPolicy, direction } }: Linked) {
  return { policy: conflictPolicy as ConflictPolicy, direction: direction ?? 'Both' }
}

const waiting = `SELECT count(*) FROM quarantined_message AS message
  JOIN pms_configuration AS pms ON pms.rid = message.configurationId
  WHERE pms.id = ${uuidBytes()} AND message.externalId = ?`

/** What was put aside of the reservation before is told by this, too. */
async function settleOlder(linked: Linked, { externalId, revision }: ReservationChange): Promise<void> {
  const { reader, write, changes, configuration } = linked
  if (reader.count(waiting, configuration.id, externalId) === 0) return
  await write(changes.settleQuarantined, { configurationId: configuration.id, externalId, revision })
}

async function putAside(linked: Linked, message: ReturnType<typeof asideOf>): Promise<void> {
  const { write, changes, configuration, counts } = linked
  await write(changes.putAside, { configurationId: configuration.id, ...message })
  counts.quarantined++
}
