import type { Clock, Timer } from '../../host/clock.ts'
import { command, type Questions, type Transaction, type Writer } from '../../resource/command.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import type { Dates } from './availability.ts'

/** There is at most one event about a unit type in so long. */
const everyMs = 2_000

/** The dates of an event; null for all dates. */
interface Changed {
  startDate: string | null
  endDate: string | null
}

const isEarly = `excluded.publishedAt - publishedAt BETWEEN 0 AND ${everyMs - 1}`

/** `min` and `max` are NULL where one of their values is: all dates and some dates are all dates. */
const note = `INSERT INTO availability_change (unitTypeId, publishedAt, pending, startDate, endDate)
  VALUES (${ridOf('unit_type')}, ?, 0, ?, ?)
  ON CONFLICT DO UPDATE SET pending = ${isEarly}, publishedAt = iif(${isEarly}, publishedAt, excluded.publishedAt),
    startDate = iif(pending, min(startDate, excluded.startDate), excluded.startDate),
    endDate = iif(pending, max(endDate, excluded.endDate), excluded.endDate)
  RETURNING pending, startDate, endDate`

/**
 * Publishes that a unit type may have more or fewer units left than before: on some dates, or on all. What changes within two
 * seconds after an event waits for `publishPending`, and is one event then.
 */
export function publishAvailability(tx: Transaction, unitTypeId: string, dates?: Dates): void {
  const { first = null, last = null } = dates ?? {}
  const [noted] = tx.all<Changed & { pending: 0 | 1 }>(note, unitTypeId, tx.now, first, last)
  if (noted!.pending === 0) publish(tx, unitTypeId, noted!)
}

const waiting = `SELECT ${uuidText('unit_type.id')} AS unitTypeId, startDate, endDate
  FROM availability_change JOIN unit_type ON unit_type.rid = unitTypeId WHERE pending = 1`

const published = `UPDATE availability_change SET pending = 0, publishedAt = ? WHERE pending = 1`

/** Publishes what waits, as one event for each unit type. The caller has let two seconds go by. */
export const publishPending = command('availability/publish-pending', (tx): null => {
  for (const { unitTypeId, ...changed } of tx.all<Changed & { unitTypeId: string }>(waiting))
    publish(tx, unitTypeId, changed)
  tx.run(published, tx.now)
  return null
})

function publish(tx: Transaction, unitTypeId: string, { startDate, endDate }: Changed): void {
  const dates = startDate && endDate ? { startDate, endDate } : {}
  tx.journal('availability.changed', `unit-types/${unitTypeId}`, dates)
}

/** Publishes what waits about a unit type that is removed, and forgets when that was. */
export function publishLast(tx: Transaction, unitTypeId: string): void {
  const last = tx.all<Changed>(`${waiting} AND unitTypeId = ${ridOf('unit_type')}`, unitTypeId)
  for (const changed of last) publish(tx, unitTypeId, changed)
  tx.run(`DELETE FROM availability_change WHERE unitTypeId = ${ridOf('unit_type')}`, unitTypeId)
}

interface PublisherOptions {
  clock: Clock
  reader: Questions
  writer: Writer
  /** Calls back when anything was written, until the returned function is called. */
  written(listener: () => void): () => void
  failed(error: unknown): void
}

const actor = { by: 'availability', requestId: null }

/** Has pending changes published after two seconds, until it is closed; what waits then is published after the next start. */
export function availabilityPublisher({ clock, reader, writer, written, failed }: PublisherOptions) {
  let timer: Timer | null = null
  const stop = written(look)
  look()

  function look(): void {
    try {
      if (!timer && isPending(reader)) timer = clock.setTimeout(() => void publishNow(), everyMs).unref()
    } catch (error) {
      failed(error)
    }
  }

  async function publishNow(): Promise<void> {
    await writer.execute(publishPending, null, { actor }).catch(failed)
    timer = null
    look()
  }

  return {
    close(): void {
      stop()
      timer?.cancel()
    },
  }
}

function isPending(reader: Questions): boolean {
  return reader.count('SELECT EXISTS (SELECT 1 FROM availability_change WHERE pending = 1)') > 0
}
