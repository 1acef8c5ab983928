import { type QuarantinedMessage, quarantinedMessage } from '../resources/quarantined-message.ts'
import type { Linked } from './linked.ts'
import { readOne } from './read-again.ts'
import { asideOf } from './received.ts'
import { obstacleTo } from './take-in.ts'

const pageSize = 100

/**
 * Tries again what was put aside and was kept whole: what it lacked may have been set up here. Each one once, the oldest first. Answers how
 * many.
 */
export async function retryAll(linked: Linked): Promise<number> {
  const { reader, configuration } = linked
  const filters = [
    { path: 'configurationId', operator: 'eq' as const, value: configuration.id },
    { path: 'retryable', operator: 'eq' as const, value: 1 },
    { path: 'kind', operator: 'ne' as const, value: 'Unreadable' },
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

/** Tries one again. Null when it was taken in and let go; else why it still cannot be. Rejects with the DeviceFault of who has to read it. */
export async function retryOne(linked: Linked, message: QuarantinedMessage): Promise<string | null> {
  const { id, kind, payload, retryable } = message
  if (!retryable)
    return 'The message is not stored completely and cannot be retried. Fetch all reservations again (full-load).'
  if (kind === 'Unreadable') return readOne(linked, message)
  const { write, changes, configuration } = linked
  const raw: unknown = JSON.parse(payload)
  const reason = await obstacleTo(linked, raw)
  if (reason === null) await write(changes.releaseQuarantined, { id })
  else await write(changes.putAside, { configurationId: configuration.id, ...asideOf(raw, reason) })
  return reason
}
