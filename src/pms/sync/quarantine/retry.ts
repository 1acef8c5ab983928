import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock, Timer } from '../../../host/clock.ts'
import { type QuarantinedMessage, quarantinedMessage } from '../../resources/quarantined-message.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import { fetched, isPlaceUnknown, obstacleTo, quarantinePage } from '../inbound/pull.ts'
import {
  checkedReading,
  endlessDigest,
  type KeptPage,
  messageOf,
  refusedMessageOf,
} from '../inbound/received.ts'
import type { Linked } from '../loop/linked.ts'

/** Quarantined messages are retried after something was set up, but not for each of many things anew. */
const shortestRetryMs = 500
const retryMsEach = 10

/** Retries quarantined messages: once at the beginning, and after something was set up. `due` is called when a retry waits. */
export function retriesOf(link: Linked, { clock, due }: { clock: Clock; due(): void }) {
  let isFirst = true
  let wasSetUp = false
  let mayRetry = true
  let resting: Timer | null = null

  async function whenDue(): Promise<void> {
    if (!isFirst && !(wasSetUp && mayRetry)) return
    isFirst = false
    wasSetUp = false
    mayRetry = false
    let tried = 0
    try {
      tried = await retryAll(link)
    } catch (error) {
      wasSetUp = true
      throw error
    } finally {
      const end = () => {
        mayRetry = true
        if (wasSetUp) due()
      }
      resting = clock.setTimeout(end, Math.max(shortestRetryMs, tried * retryMsEach)).unref()
    }
  }

  return {
    whenDue,
    setUp() {
      wasSetUp = true
    },
    close: () => resting?.cancel(),
  }
}

/** Messages that are read from the store at once. */
const pageSize = 100

/**
 * Retries the quarantined messages that were stored whole: what they lacked may have been set up here. Each once, the oldest first. Returns
 * how many.
 */
async function retryAll(linked: Linked): Promise<number> {
  const { reader, configuration } = linked
  const filters = [
    { path: 'configurationId', operator: 'eq' as const, value: configuration.id },
    { path: 'retryable', operator: 'eq' as const, value: 1 },
    { path: 'kind', operator: 'ne' as const, value: 'Unreadable' },
    { path: 'kind', operator: 'ne' as const, value: 'Page' },
  ]
  let tried = 0
  for (let after: string | undefined; !linked.isOver(); ) {
    const page = { size: pageSize, ...(after !== undefined && { after }) }
    const rows = reader.rows(quarantinedMessage, { filters, sort: [], page })
    for (const row of rows) if (!linked.isOver()) await retryOne(linked, row)
    tried += rows.length
    if (rows.length < pageSize) break
    after = rows.at(-1)!.id
  }
  return tried
}

/** Retries one that is no page. Returns null when it was applied and released, otherwise the reason. Rejects with the DeviceFault of a PMS that has to read it again. */
export async function retryOne(linked: Linked, message: QuarantinedMessage): Promise<string | null> {
  const { id, kind, payload, retryable } = message
  if (!retryable)
    return 'The message is not stored completely and cannot be retried. Fetch all reservations again (full-load).'
  if (kind === 'Unreadable') return readOne(linked, message)
  const { write, changes, configuration } = linked
  const raw: unknown = JSON.parse(payload)
  const reason = await obstacleTo(linked, raw)
  if (reason === null) await write(changes.releaseQuarantined, { id })
  else await write(changes.quarantine, { configurationId: configuration.id, ...messageOf(raw, reason) })
  return reason
}

/** Reservations that are read again at once, and attempts after which only a person has one read again. */
const mostAtOnce = 20
const mostAttempts = 200

/**
 * Reads again reservations whose report could not be read, if that may pass: first those whose last attempt is the oldest. One that the
 * PMS fails over has had an attempt, and keeps back nothing else.
 */
export async function readAgain(linked: Linked): Promise<void> {
  const { reader, configuration } = linked
  const filters = [
    { path: 'configurationId', operator: 'eq' as const, value: configuration.id },
    { path: 'kind', operator: 'eq' as const, value: 'Unreadable' },
    { path: 'retryable', operator: 'eq' as const, value: 1 },
    { path: 'attempts', operator: 'lt' as const, value: mostAttempts },
  ]
  const sort = [{ path: 'lastTriedAt', descending: false }]
  for (const message of reader.rows(quarantinedMessage, { filters, sort, page: { size: mostAtOnce } })) {
    if (linked.isOver()) return
    try {
      await readOne(linked, message)
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error
      await linked.write(linked.changes.attemptQuarantined, { id: message.id })
      if (error.code === 'adapter-timeout') return
    }
  }
}

/**
 * Requests quarantined pages again, first those whose last attempt is the oldest, but for the page that the pull waits for. Returns true
 * when one can be used now: the pull then begins again at its cursor. Rejects with the fault of one that still cannot be used, after
 * all of them, and as `Linked.ask` does.
 */
export async function readPagesAgain(linked: Linked): Promise<boolean> {
  const { reader, write, changes, configuration } = linked
  const { id: configurationId, revision } = configuration
  const filters = [
    { path: 'configurationId', operator: 'eq' as const, value: configurationId },
    { path: 'kind', operator: 'eq' as const, value: 'Page' },
    { path: 'digest', operator: 'ne' as const, value: endlessDigest },
  ]
  const sort = [{ path: 'lastTriedAt', descending: false }]
  let still: UnreadableAnswer | null = null
  for (const { id, payload } of reader.rows(quarantinedMessage, {
    filters,
    sort,
    page: { size: mostAtOnce },
  })) {
    const { after } = JSON.parse(payload) as KeptPage
    if (linked.isOver() || after === (linked.link().pullCursor ?? null)) continue
    const page = await requested(linked, after)
    if (page instanceof UnreadableAnswer) {
      still = page
      await quarantinePage(linked, after, page)
      continue
    }
    // A page that the PMS has forgotten is among all that is fetched then.
    if (page === 'forgotten') await write(changes.releaseQuarantined, { id })
    const pullCursor = page === 'forgotten' ? null : after
    await write(changes.keepPlace, { configurationId, revision, pullCursor })
    return true
  }
  if (still) throw still
  return false
}

async function requested(
  linked: Linked,
  after: string | null,
): Promise<'usable' | 'forgotten' | UnreadableAnswer> {
  try {
    return (await fetched(linked, after)).unread ?? 'usable'
  } catch (error) {
    if (error instanceof UnreadableAnswer) return error
    if (isPlaceUnknown(error)) return 'forgotten'
    throw error
  }
}

/** Reads one again. Null when it was taken in, or is not there any more; else why it still cannot be. Rejects as `Linked.ask` does. */
async function readOne(linked: Linked, message: QuarantinedMessage): Promise<string | null> {
  const { write, changes, configuration } = linked
  const read = await linked.ask({ what: 'one reservation', changes: false }, async (sync, call) => {
    if (!sync.read)
      throw new DeviceFault(
        'unsupported-operation',
        `${configuration.name} cannot read a single reservation.`,
      )
    return checkedReading(configuration.name, await sync.read(message.externalId ?? '', call))
  })
  const messages = read.refused.map(refusedMessageOf)
  for (const raw of read.changes) {
    const reason = await obstacleTo(linked, raw)
    if (reason !== null) messages.push(messageOf(raw, reason))
  }
  for (const each of messages) await write(changes.quarantine, { configurationId: configuration.id, ...each })
  const isStill = messages.some(({ digest }) => digest === message.digest)
  if (!isStill) await write(changes.releaseQuarantined, { id: message.id })
  return messages[0]?.reason ?? null
}
