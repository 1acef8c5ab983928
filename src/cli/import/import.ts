import { systemClock } from '../../host/clock.ts'
import type { Client } from '../client.ts'
import { type BookingMap, readMap } from './booking-map.ts'
import { type Booking, type BookingRow, bookingOf, RowRefused, statusOf } from './booking-row.ts'
import { rowsOf } from './csv-rows.ts'
import { type Sent, sender } from './import-batches.ts'
import { type RowRefusal, tally } from './import-tally.ts'
import { unitTypeIds } from './import-units.ts'

export interface ImportOptions {
  map: string
  createUnits?: boolean
  refused?: string
}

/** Imports a file and prints the counts. Resolves with the number of refused rows. */
export async function importBookings(ask: Client, file: string, options: ImportOptions): Promise<number> {
  const map = readMap(options.map)
  const count = tally({ refusedFile: options.refused ?? null, clock: systemClock })
  // Reads the header and the first row before anything is created in the appliance.
  const rows = await rowsOf(file, map)
  const types = await unitTypeIds(ask, map, options.createUnits === true)
  let assumed = 0
  const batches = sender(ask, ({ row, booking }, result) => {
    count.add(row, booking.status, result)
    if (booking.assumed && result.length === 0) assumed++
  })
  try {
    for await (const row of rows) {
      const booking = readBooking(row, map, types)
      if ('reason' in booking) count.add(row, booking.status, [booking])
      else await batches.send({ row, ...booking })
    }
    await batches.end()
  } catch (error) {
    await batches.idle()
    console.error('The import stopped. Run it again: bookings that are already imported are not changed.')
    throw error
  } finally {
    count.end()
  }
  console.log(count.summary().join('\n'))
  if (assumed > 0) {
    const { adults } = map.nobody!
    console.log(
      `  ${assumed} of the accepted bookings named no guests and were imported with ${adults} adults each; their comments say so`,
    )
  }
  return count.refused()
}

type Read = { booking: Booking; body: Sent['body'] } | (RowRefusal & { status: string })

function readBooking(row: BookingRow, map: BookingMap, types: ReadonlyMap<string, string>): Read {
  try {
    const booking = bookingOf(row, map)
    const unitTypeId = types.get(booking.unitType)
    if (unitTypeId === undefined)
      throw new RowRefused('unitType', `there is no unit type ${booking.unitType}`)
    const stay = { ...booking.stay, status: booking.status, units: [{ unitTypeId }] }
    return { booking, body: { ...booking.attributes, stays: [stay] } }
  } catch (error) {
    if (!(error instanceof RowRefused)) throw error
    return { field: error.field, reason: error.message, status: statusOf(row, map) }
  }
}
