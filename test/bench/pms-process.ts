/**
 * A simulated PMS in a process of its own: `node pms-process.ts http|mqtt COUNT` has that many reservations, and says
 * where it is. SIGUSR2 has its clerk change each of them once.
 */
import { systemClock } from '../../src/host/clock.ts'
import type { SharedReservation } from '../../src/pms/sync/shared-reservation.ts'
import { serveHttp } from '../../src/simulators/cloudevents/http-server.ts'
import { serveMqtt } from '../../src/simulators/cloudevents/mqtt-server.ts'
import { simulatedPms } from '../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../src/simulators/cloudevents/units.ts'
import { startMqttBroker } from '../pms/adapters/cloudevents/mqtt/broker/mqtt-broker.ts'

const [carrier, count = '0'] = process.argv.slice(2)
const clock = systemClock
const pms = simulatedPms({ clock, units: unitsIn(sampleUnits)! })
const today = Temporal.Now.plainDateISO('UTC')

for (let at = 0; at < Number(count); at++) pms.book.make(booked(at))
process.on('SIGUSR2', () => {
  for (const [name, { value }] of [...pms.book.reservations]) {
    if (value) pms.book.put(name, changed(value))
  }
})

if (carrier === 'mqtt') {
  const broker = await startMqttBroker({ now: Date.now })
  broker.judge = () => {
    broker.passed.length = 0
    return 'pass'
  }
  await serveMqtt({ url: broker.url, clock, pmsOf: () => pms })
  console.log(broker.url)
} else {
  console.log((await serveHttp(pms, { port: 0, clock })).baseUrl)
}

function booked(at: number): SharedReservation {
  const startDate = today.add({ days: 1 + (at % 300) }).toString()
  const nights = 1 + (at % 5)
  return {
    externalId: null,
    channel: 'Direct',
    stays: [
      {
        externalId: null,
        status: 'Confirmed',
        startDate,
        endDate: Temporal.PlainDate.from(startDate).add({ days: nights }).toString(),
        personCount: { adults: 1 },
        units: [{ unitTypeCode: ['DBL', 'FAM', 'STE'][at % 3]!, unitName: null }],
        reservationIds: [{ type: 'Confirmation', value: `C-${at}` }],
        amount: { currency: 'EUR', amountWithTax: 100 * nights },
        guests: [
          {
            externalId: `G${at}`,
            role: 'PrimaryGuest',
            firstName: 'Anna',
            lastName: `Kern${at}`,
            emails: [{ address: `anna${at}@example.com` }],
          },
        ],
        comment: null,
      },
    ],
  }
}

/** Its dates, its price and a word about it. */
function changed(value: SharedReservation): SharedReservation {
  const stays = value.stays.map((stay) => ({
    ...stay,
    endDate: Temporal.PlainDate.from(stay.endDate).add({ days: 1 }).toString(),
    amount: { currency: 'EUR', amountWithTax: Number(stay.amount?.amountWithTax ?? 0) + 100 },
    comment: 'Prolonged.',
  }))
  return { ...value, stays }
}
