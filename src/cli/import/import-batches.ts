import { systemClock } from '../../host/clock.ts'
import { type Client, type ErrorObject, Refusal } from '../client.ts'
import type { Booking, Row } from './booking-row.ts'
import type { Refused } from './import-tally.ts'

/** A row on its way to the appliance. */
export interface Sent {
  row: Row
  booking: Booking
  body: Record<string, unknown>
}

const rowsInABatch = 100
const batchesUnderWay = 4
const mostTries = 10

interface Imported {
  meta: { rows: { item: number; errors?: ErrorObject[] }[] }
}

/** Sends rows in batches, a few at a time. `told` hears of each row: an empty list is an accepted one. */
export function sender(ask: Client, told: (sent: Sent, refused: Refused[]) => void) {
  const underWay = new Set<Promise<void>>()
  let batch: Sent[] = []
  let failure: unknown

  /** Waits while enough is under way. Rejects when an earlier batch could not be sent. */
  async function send(row: Sent): Promise<void> {
    batch.push(row)
    if (batch.length < rowsInABatch) return
    start()
    if (underWay.size >= batchesUnderWay) await Promise.race(underWay)
    if (failure) throw failure
  }

  function start(): void {
    const rows = batch
    batch = []
    const sending: Promise<void> = post(rows)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
  }

  async function post(rows: Sent[]): Promise<void> {
    const { meta } = await sendBatch(ask, rows)
    for (const { item, errors = [] } of meta.rows) told(rows[item]!, errors.map(refusedFor))
  }

  /** Resolves when every row was answered; rejects when one could not be sent. */
  async function end(): Promise<void> {
    if (batch.length > 0 && !failure) start()
    await idle()
    if (failure) throw failure
  }

  /** Resolves when nothing is under way any more, however it ended. */
  async function idle(): Promise<void> {
    await Promise.all(underWay)
  }

  return { send, end, idle }
}

/** An appliance that is busy is asked again: a row that was written by then is left as it is. */
async function sendBatch(ask: Client, rows: Sent[]): Promise<Imported> {
  for (let tries = 1; ; tries++) {
    try {
      const body = { data: rows.map(({ body }) => body) }
      return (await ask<Imported>('POST', '/api/config/v1/imports', { body })).body
    } catch (error) {
      if (!(error instanceof Refusal && error.exit === 'later') || tries === mostTries) throw error
      await systemClock.sleep(1_000 * (Number(error.meta.retryAfterSeconds) || 1))
    }
  }
}

function refusedFor({ detail, source }: ErrorObject): Refused {
  const field = source?.pointer?.replace(/^\/data\/\d+\/?/, '').replace(/^stays\/0\//, '') || 'row'
  return { field, reason: detail }
}
