import { plain, reservations } from '../../src/composition/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { recordStayPayment } from '../../src/reservation/payments/payment-commands.ts'
import { OpenWriter } from '../../src/store/writer/writer.ts'
import { program as entry } from '../program.ts'

/**
 * Books a stay, prints its id and that of its reservation, and pays for it cent by cent until it is killed, several payments
 * at a time; each is printed when it is acknowledged.
 */
const [, , path = ''] = process.argv
const writer = new OpenWriter({ path, entry, clock: systemClock, lost: () => process.exit(1) })
await writer.ready

const actor = { by: 'test', requestId: null }
const create = async (type: string, attributes: Record<string, unknown>) =>
  (await writer.execute(plain.create, { type, attributes }, { actor })).id

const hours = { timeZone: 'Europe/Lisbon', checkInTime: '15:00', checkOutTime: '11:00', country: 'PT' }
await create('settings', hours)
const unitTypeId = await create('unit-type', { code: 'DBL', name: 'Double' })
await create('unit', { name: '101', unitTypeId })
const stay = {
  startDate: '2030-06-01',
  endDate: '2030-06-02',
  status: 'Confirmed' as const,
  personCount: { adults: 1 },
  units: [{ unitTypeId }],
  reservationIds: [],
  amount: { currency: 'EUR', amountWithTax: 10_000 },
}
const booking = { attributes: {}, stays: [stay], source: 'Import' as const }
const made = await writer.execute(reservations.createReservation, booking, { actor })
const [{ id: stayId }] = JSON.parse(made.text).attributes.stays
process.stdout.write(`${made.id}\n${stayId}\n`)

async function payForEver(): Promise<void> {
  for (;;) {
    const payment = { currency: 'EUR', amount: 1, brand: 'Cash' as const }
    const { document } = await writer.execute(
      recordStayPayment,
      { reservationId: made.id, stayId, payment },
      { actor },
    )
    process.stdout.write(`${document.id}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, payForEver))
