import type { Clock } from '../../host/clock.ts'
import { ApplianceRefusal, type Client, type ErrorObject } from '../client.ts'
import type { Booking, BookingRow } from './booking-row.ts'
import type { RowRefusal } from './refusal-groups.ts'
import type { RowDifference } from './row-differences.ts'

/** A row and its import request. */
export interface Sent {
  row: BookingRow
  booking: Booking
  body: Record<string, unknown>
}

const rowsInABatch = 100
/** Rows with long comments fill a body before there are a hundred. The appliance takes 1 MiB. */
const bytesInABatch = 900_000
const batchesUnderWay = 4
const mostTries = 10

interface Imported {
  meta: { rows: { item: number; already?: boolean; differences?: RowDifference[]; errors?: ErrorObject[] }[] }
}

/** How batches reach the appliance, and the clock of the pauses between retries. */
interface Way {
  ask: Client
  clock: Clock
  isDryRun: boolean
  /** Bookings that are stored otherwise are changed. */
  isUpdate: boolean
}

/** What came of a row: the reasons of its refusal, and how its booking was stored otherwise. Both are empty for a new booking. */
export interface Report {
  refused: RowRefusal[]
  /** The booking was imported before. */
  already: boolean
  differences: RowDifference[]
}

/**
 * Sends rows in batches, several at a time. `report` is called for each row with what came of it. A dry run writes nothing.
 */
export function sender(way: Way, report: (sent: Sent, result: Report) => void) {
  const underWay = new Set<Promise<void>>()
  let batch: Sent[] = []
  let bytes = 0
  let failure: unknown

  /** Adds a row. Waits while too many batches are in progress. Rejects when an earlier batch failed. */
  async function send(row: Sent): Promise<void> {
    const size = Buffer.byteLength(JSON.stringify(row.body))
    if (bytes + size > bytesInABatch && batch.length > 0) start()
    batch.push(row)
    bytes += size
    if (batch.length === rowsInABatch) start()
    if (underWay.size >= batchesUnderWay) await Promise.race(underWay)
    if (failure) throw failure
  }

  function start(): void {
    const rows = batch
    batch = []
    bytes = 0
    const sending: Promise<void> = post(rows)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
  }

  async function post(rows: Sent[]): Promise<void> {
    const { meta } = await sendBatch(way, rows)
    for (const { item, errors = [], already = false, differences = [] } of meta.rows)
      report(rows[item]!, { refused: errors.map(refusedFor), already, differences })
  }

  /** Resolves when every row has an answer. Rejects when a batch failed. */
  async function end(): Promise<void> {
    if (batch.length > 0 && !failure) start()
    await idle()
    if (failure) throw failure
  }

  /** Resolves when no batch is in progress, whether the batches succeeded or failed. */
  async function idle(): Promise<void> {
    await Promise.all(underWay)
  }

  return { send, end, idle }
}

/** Retries while the appliance is busy. A row that was imported by an earlier attempt does not differ any more. */
async function sendBatch({ ask, clock, isDryRun, isUpdate }: Way, rows: Sent[]): Promise<Imported> {
  const query = new URLSearchParams({ dryRun: String(isDryRun), update: String(isUpdate) })
  for (let tries = 1; ; tries++) {
    try {
      const body = { data: rows.map(({ body }) => body) }
      return (await ask<Imported>('POST', `/api/config/v1/imports?${query}`, { body })).body
    } catch (error) {
      if (!(error instanceof ApplianceRefusal && error.exit === 'later') || tries === mostTries) throw error
      await clock.sleep(1_000 * (Number(error.meta.retryAfterSeconds) || 1))
    }
  }
}

function refusedFor({ detail, source }: ErrorObject): RowRefusal {
  const field = source?.pointer?.replace(/^\/data\/\d+\/?/, '').replace(/^stays\/\d+\//, '') || 'row'
  return { field, reason: detail }
}
