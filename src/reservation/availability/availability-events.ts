import type { BackgroundWork } from '../../host/background-work.ts'
import type { Clock, Timer } from '../../host/clock.ts'
import { command, type Questions, type Transaction, type Writer } from '../../resource/command.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import type { Dates } from '../stays/rules/stay-dates.ts'

/** The shortest time between two events about the same unit type. */
const everyMs = 2_000

/** The dates of an event. Null means all dates. */
interface Changed {
  startDate: string | null
  endDate: string | null
}

const isEarly = `excluded.publishedAt - publishedAt BETWEEN 0 AND ${everyMs - 1}`

/**
 * Merges the dates with pending ones. `min` and `max` return NULL, for all dates, if one argument is NULL. Without a row, the pending
 * change has these dates already.
 */
const record = `INSERT INTO availability_change (unitTypeId, publishedAt, pending, startDate, endDate)
  VALUES (${ridOf('unit_type')}, ?, 0, ?, ?)
  ON CONFLICT DO UPDATE SET pending = ${isEarly}, publishedAt = iif(${isEarly}, publishedAt, excluded.publishedAt),
    startDate = iif(pending, min(startDate, excluded.startDate), excluded.startDate),
    endDate = iif(pending, max(endDate, excluded.endDate), excluded.endDate)
  WHERE NOT (pending AND ${isEarly} AND startDate IS min(startDate, excluded.startDate)
    AND endDate IS max(endDate, excluded.endDate))
  RETURNING pending, startDate, endDate`

/**
 * Journals `availability.changed` for a unit type: on the given dates, or on all dates. Within two seconds after an
 * event, further changes are merged and left pending. `publishPending` journals them as one event.
 */
export function publishAvailability(tx: Transaction, unitTypeId: string, dates?: Dates): void {
  const { first = null, last = null } = dates ?? {}
  const [recorded] = tx.all<Changed & { pending: 0 | 1 }>(record, unitTypeId, tx.now, first, last)
  if (recorded?.pending === 0) publish(tx, { unitTypeId, ...recorded })
}

const pending = `SELECT ${uuidText('unit_type.id')} AS unitTypeId, startDate, endDate
  FROM availability_change JOIN unit_type ON unit_type.rid = unitTypeId WHERE pending = 1`

const clearPending = `UPDATE availability_change SET pending = 0, publishedAt = ? WHERE pending = 1`

/**
 * Journals the pending changes, one event per unit type. The caller waits two seconds before it executes this command.
 */
export const publishPending = command('availability/publish-pending', (tx): null => {
  for (const changed of tx.all<PendingChange>(pending)) publish(tx, changed)
  tx.run(clearPending, tx.now)
  return null
})

/** Journals the pending change of a unit type that is being removed, and deletes its record. */
export function publishLast(tx: Transaction, unitTypeId: string): void {
  const ofType = `unitTypeId = ${ridOf('unit_type')}`
  for (const changed of tx.all<PendingChange>(`${pending} AND ${ofType}`, unitTypeId)) publish(tx, changed)
  tx.run(`DELETE FROM availability_change WHERE ${ofType}`, unitTypeId)
}

type PendingChange = Changed & { unitTypeId: string }

function publish(tx: Transaction, { unitTypeId, startDate, endDate }: PendingChange): void {
  const dates = startDate && endDate ? { startDate, endDate } : {}
  tx.journal('availability.changed', `unit-types/${unitTypeId}`, dates)
}

interface PublisherOptions {
  clock: Clock
  reader: Questions
  writer: Writer
  /** Registers a listener that is called after every write. The returned function removes it. */
  written(listener: () => void): () => void
  background: BackgroundWork
  failed(error: unknown): void
}

const actor = { by: 'availability', requestId: null }
const isPending = 'SELECT EXISTS (SELECT 1 FROM availability_change WHERE pending = 1)'

/**
 * Executes `publishPending` two seconds after a change becomes pending, until it is closed. Changes that are pending
 * when it is closed are published after the next start.
 */
export function availabilityPublisher(options: PublisherOptions) {
  const { clock, reader, writer, written, background, failed } = options
  const work = background.follow('availability')
  let timer: Timer | null = null
  let isOpen = true
  const stop = written(look)
  look()

  function look(): void {
    if (!isOpen || timer) return
    try {
      const isAny = reader.count(isPending) > 0
      isAny ? work.due() : work.done()
      if (!isAny) return
      timer = clock.setTimeout(() => void publishNow(), everyMs).unref()
    } catch (error) {
      failed(error)
      work.due()
      timer = clock.setTimeout(lookAgain, everyMs).unref()
    }
  }

  async function publishNow(): Promise<void> {
    await writer.execute(publishPending, null, { actor }).catch(failed)
    lookAgain()
  }

  function lookAgain(): void {
    timer = null
    look()
  }

  return {
    close(): void {
      isOpen = false
      stop()
      timer?.cancel()
      work.end()
    },
  }
}
