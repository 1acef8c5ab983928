import { DeviceFault } from '../../devices/fault.ts'
import { type QuarantinedMessage, quarantinedMessage } from '../resources/quarantined-message.ts'
import type { Linked } from './linked.ts'
import { asideOf, asideOfRefused, checkedReading } from './received.ts'
import { obstacleTo } from './take-in.ts'

/** Reservations that are read again at once, and attempts after which only a person has one read again. */
const mostAtOnce = 20
const mostAttempts = 200

/**
 * Has the PMS tell again of reservations that it told in a way that could not be read, though that may pass: those first that were
 * tried the longest ago. Rejects as `Linked.ask` does.
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
    if (!linked.isOver()) await readOne(linked, message)
  }
}

/** Reads one again. Null when it was taken in, or is not there any more; else why it still cannot be. Rejects as `Linked.ask` does. */
export async function readOne(linked: Linked, message: QuarantinedMessage): Promise<string | null> {
  const { write, changes, configuration } = linked
  const read = await linked.ask({ what: 'one reservation', changes: false }, async (sync, call) => {
    if (!sync.read)
      throw new DeviceFault(
        'unsupported-operation',
        `${configuration.name} cannot read a single reservation.`,
      )
    return checkedReading(configuration.name, await sync.read(message.externalId ?? '', call))
  })
  const aside = read.refused.map(asideOfRefused)
  for (const raw of read.changes) {
    const reason = await obstacleTo(linked, raw)
    if (reason !== null) aside.push(asideOf(raw, reason))
  }
  for (const each of aside) await write(changes.putAside, { configurationId: configuration.id, ...each })
  const isStill = aside.some(({ digest }) => digest === message.digest)
  if (!isStill) await write(changes.releaseQuarantined, { id: message.id })
  return aside[0]?.reason ?? null
}
