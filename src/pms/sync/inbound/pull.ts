import { Problem } from '../../../resource/problem.ts'
import { first, having } from '../../../resource/query.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import type { ConflictPolicy } from '../../resources/conflict-policy.ts'
import { quarantinedMessage } from '../../resources/quarantined-message.ts'
import type { PmsChange } from '../../sync-contract.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import type { Counts } from '../link.ts'
import type { Linked } from '../loop/linked.ts'
import { eachOf, type Turn } from '../loop/turn.ts'
import type { NewMessage } from '../quarantine/quarantine.ts'
import type { Rules } from '../sync-changes.ts'
import { type Outcome, reasonOf } from './apply.ts'
import type { PageCount } from './page-count.ts'
import {
  checkedChange,
  checkedPage,
  endlessDigest,
  messageOf,
  pageDigest,
  pageMessageOf,
  type ReceivedPage,
  refusedMessageOf,
} from './received.ts'

/** Messages that are being quarantined at once. */
const mostAtOnce = 128
/** The most changes in one command. */
const mostTogether = 256
/**
 * A request of the desk waits for the command that runs, so a command is to cost no more than so many new reservations, about 10 ms;
 * the others cost as much of one as is said here. With 64 reports of any kind in each, a PATCH beside a catch-up took up to 297 ms
 * (p99), because the first commands run code that was never run before.
 */
const mostCost = 16
const costs: Readonly<Record<string, number>> = { inserted: 1, merged: 0.5, taken: 0.5 }
const otherCost = 1 / 16
/** The next changes are checked while the writer applies the ones before. */
const slicesAtOnce = 2

/** Pages that the pull passes over. With more it waits before the next one that cannot be used. */
const mostPassedOver = 20

/**
 * Fetches what has changed at the PMS until there is no more, or the turn is over. Returns whether there was no more. The cursor after a
 * page is stored when all of it is on the disk. If the PMS no longer knows the cursor, everything is fetched. A page that cannot be used
 * is quarantined: the pull goes on behind it where the page says where that is, and otherwise rejects with its UnreadableAnswer. It
 * rejects with that of `pages` too, for pages without end.
 */
export async function takeAll(linked: Linked, turn: Turn, pages: PageCount): Promise<boolean> {
  let last: ReceivedPage | null = null
  let cursor = linked.link().pullCursor ?? null
  let isForgotten = false
  while (turn.goesOn() && !linked.isOver()) {
    let received: ReceivedPage
    try {
      received = await fetched(linked, cursor)
      const { unread } = received
      if (unread && countPages(linked) >= mostPassedOver) throw unread
    } catch (error) {
      if (error instanceof UnreadableAnswer) await quarantinePage(linked, cursor, error)
      if (isForgotten || !isPlaceUnknown(error)) throw error
      isForgotten = true
      cursor = null
      pages.end()
      continue
    }
    const before = newsIn(linked.counts)
    if (received.unread) {
      await quarantinePage(linked, cursor, received.unread)
      linked.counts.quarantined++
    }
    await takePage(linked, received)
    const taken = received.unread ? [] : [pageDigest(cursor)]
    if (!received.more) pages.end()
    await releasePages(linked, received.more ? taken : [...taken, endlessDigest])
    if (!received.more) return true
    const isNews = newsIn(linked.counts) > before
    last = received
    if (!pages.more({ isNews, after: cursor, cursor: received.cursor })) break
    cursor = received.cursor
  }
  const endless = linked.isOver() ? null : pages.fault(last)
  if (endless) {
    await quarantine(linked, pageMessageOf(cursor, endless, endlessDigest))
    throw endless
  }
  return false
}

const quarantinedPages = `SELECT count(*) FROM quarantined_message
  WHERE kind = 'Page' AND configurationId = ${ridOf('pms_configuration')}`

function countPages({ reader, configuration }: Linked): number {
  return reader.count(quarantinedPages, configuration.id)
}

/** Quarantines the page after a cursor, or counts another attempt of it. */
export async function quarantinePage(
  linked: Linked,
  after: string | null,
  page: UnreadableAnswer,
): Promise<void> {
  const { write, changes, configuration } = linked
  const message = pageMessageOf(after, page, pageDigest(after))
  await write(changes.quarantine, { configurationId: configuration.id, ...message })
}

/** The pages with these digests were taken in, as far as they were quarantined. */
async function releasePages(
  { reader, write, changes, configuration }: Linked,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return
  const filters = having({ configurationId: configuration.id, digest: digests })
  for (const { id } of reader.rows(quarantinedMessage, first(filters, digests.length)))
    await write(changes.releaseQuarantined, { id })
}

function newsIn({ applied, quarantined }: Counts): number {
  return applied + quarantined
}

const pageLater =
  'The page is in the quarantine, and is requested again once a minute at most; until it can be used, changes at the PMS are missing here. Ask the maker of the PMS to check this.'

/**
 * The page after a cursor. One that cannot be used is `unread` where it names another cursor; otherwise this rejects with its
 * UnreadableAnswer, and counts as a PMS that did not answer.
 */
export async function fetched({ ask, configuration }: Linked, cursor: string | null): Promise<ReceivedPage> {
  return ask({ what: 'changes', changes: false }, async (sync, call) => {
    try {
      return await checkedPage(configuration.name, await sync.pull(cursor, call))
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error
      error.message += ` ${pageLater}`
      if (error.next === null || error.next.cursor === cursor) throw error
      return { changes: [], refused: [], ...error.next, unread: error }
    }
  })
}

/** Whether the PMS does not know the cursor any more, so that everything has to be asked for again. */
export function isPlaceUnknown(error: unknown): boolean {
  return error instanceof Problem && error.code === 'page-cursor-unknown'
}

/** Applies all of a page, then stores the cursor behind it. */
export async function takePage(linked: Linked, page: ReceivedPage): Promise<void> {
  const { changes, refused, cursor, isChecked, settlesUnreadable } = page
  const { link, write, changes: known, configuration, counts, slice } = linked
  // A page of new reservations may follow one in which nothing was new.
  slice.size = Math.min(slice.size, mostCost)
  await eachOf(slicesOf(changes, slice), slicesAtOnce, async (raws) => {
    const reasons = await taken(linked, raws, isChecked)
    counts.received += raws.length
    for (const [at, reason] of reasons.entries())
      if (reason !== null) await quarantine(linked, messageOf(raws[at], reason))
  })
  if (settlesUnreadable) await settleUnreadable(linked)
  counts.received += refused.length
  await eachOf(refused, mostAtOnce, (raw) => quarantine(linked, refusedMessageOf(raw)))
  if (link().pullCursor === cursor) return
  const { id: configurationId, revision } = configuration
  await write(known.keepPlace, { configurationId, revision, pullCursor: cursor })
}

/** Removes the messages that could not be read, a few in each command. */
async function settleUnreadable({ write, changes, configuration }: Linked): Promise<void> {
  while (await write(changes.settleAllUnreadable, { configurationId: configuration.id }));
}

/** The changes in the sizes that are right when each is taken. */
function* slicesOf(changes: readonly unknown[], slice: Linked['slice']): Generator<readonly unknown[]> {
  for (let at = 0; at < changes.length; ) {
    const next = changes.slice(at, at + slice.size)
    at += next.length
    yield next
  }
}

/** The next commands are as large as the cost of the last one allows, and at most twice as large. */
function fitSlice(slice: Linked['slice'], outcomes: readonly Outcome[]): void {
  const costOf = (outcome: Outcome) => costs['is' in outcome ? outcome.is : 'inserted'] ?? otherCost
  const cost = outcomes.reduce((sum, outcome) => sum + costOf(outcome), 0)
  const size = Math.floor((mostCost * outcomes.length) / cost)
  slice.size = Math.max(1, Math.min(size, slice.size * 2, mostTogether))
}

const isNews: readonly string[] = ['inserted', 'merged', 'taken']
const internal = 'An internal error prevented its processing; see the log.'

/**
 * Applies changes in one command. Resolves for each with null, or with the reason why it cannot be applied. A fault of ours in one of
 * them makes them be applied one by one. Rejects when the appliance cannot write now.
 */
async function taken(
  linked: Linked,
  raws: readonly unknown[],
  isChecked = false,
): Promise<(string | null)[]> {
  if (linked.isOver()) throw new Problem('starting-up', 'The appliance is stopping.')
  const { write, changes: known, counts, slice } = linked
  const reasons: (string | null)[] = raws.map(() => null)
  const places: number[] = []
  const changes: PmsChange[] = []
  for (const [at, raw] of raws.entries()) {
    try {
      changes.push(await checkedChange(raw, isChecked))
      places.push(at)
    } catch (error) {
      if (!(error instanceof Problem)) linked.failed(error)
      reasons[at] = error instanceof Problem ? reasonOf(error) : internal
    }
  }
  let outcomes: Outcome[] = []
  try {
    if (changes.length > 0) outcomes = await write(known.applyChanges, { ...rulesOf(linked), changes })
  } catch (error) {
    if (error instanceof Problem) throw error
    linked.failed(error)
    if (raws.length === 1) return [internal]
    const each: (string | null)[] = []
    for (const raw of raws) each.push(...(await taken(linked, [raw], isChecked)))
    return each
  }
  if (outcomes.length > 0) fitSlice(slice, outcomes)
  for (const [index, outcome] of outcomes.entries()) {
    if ('reason' in outcome) reasons[places[index]!] = outcome.reason
    else counts[isNews.includes(outcome.is) ? 'applied' : 'ignored']++
  }
  return reasons
}

/** Applies one change. Resolves with null, or with the reason why it cannot be applied. */
export async function obstacleTo(linked: Linked, raw: unknown): Promise<string | null> {
  const [reason = null] = await taken(linked, [raw])
  return reason
}

/** What the merge goes by. */
export function rulesOf({ configuration: { id, conflictPolicy, direction } }: Linked): Rules {
  return {
    configurationId: id,
    policy: conflictPolicy as ConflictPolicy,
    direction: direction ?? 'Both',
  }
}

async function quarantine(linked: Linked, message: Omit<NewMessage, 'configurationId'>): Promise<void> {
  const { write, changes, configuration, counts } = linked
  await write(changes.quarantine, { configurationId: configuration.id, ...message })
  counts.quarantined++
}
