import { systemClock } from '../../host/clock.ts'
import { simulatedClerk } from '../../simulators/opera/clerk.ts'
import { type SimulatedOpera, simulatedOpera } from '../../simulators/opera/simulated-opera.ts'
import { howToSetUp } from '../point-a-box.ts'
import { stopSignal } from '../stop-signal.ts'
import { requestFault, servedAt } from './served-at.ts'
import { type SimulatePmsOptions, unitsSold } from './simulate-pms.ts'

const { now } = systemClock
/** The limit of OHIP's gateway. */
const mostPerSecond = 100

/**
 * Simulates a property at OPERA Cloud until SIGTERM or SIGINT. A simulated clerk changes reservations and prints one line per
 * action.
 */
export async function simulateOpera(options: SimulatePmsOptions): Promise<void> {
  const units = unitsSold(options)
  const faults = (options.misbehave ?? []).map((text) => requestFault(text, 'checkIns'))
  const opera = await servedAt(options.on ?? [], 'OPERA', (place) =>
    simulatedOpera({
      ...place,
      startMs: now(),
      now,
      answered: ({ operation }, status) => console.log(`The appliance called ${operation}: ${status}`),
    }),
  )
  opera.mostPerSecond = mostPerSecond
  opera.faults.push(...faults)
  for (const [roomType, names] of Object.entries(units))
    for (const name of names) opera.rooms.set(name, { roomType, status: 'Inspected' })
  const clerk = simulatedClerk({ house: opera, random: Math.random })
  for (let count = 0; count < options.reservations; count++) clerk.books()
  for (const line of said(opera, Object.keys(units))) console.log(line)
  const act = () => {
    opera.businessDate = new Date(now()).toISOString().slice(0, 10)
    console.log(`The clerk ${clerk.act()}`)
  }
  const timer = options.clerk > 0 ? systemClock.setInterval(act, 60_000 / options.clerk) : null
  await stopSignal()
  timer?.cancel()
  await opera.close()
}

function said(opera: SimulatedOpera, codes: string[]): string[] {
  const { gatewayUrl, hotelId, applicationKey, clientId, clientSecret } = opera
  const [cashierId] = opera.cashiers
  return [
    `A simulated OPERA with the room types ${codes.join(', ')} is at ${gatewayUrl}`,
    ...howToSetUp({
      name: 'Simulated OPERA',
      adapter: 'opera',
      transport: 'http',
      heartbeatSeconds: 10,
      connection: {
        gatewayUrl,
        hotelId,
        chainCode: 'CHAIN',
        pricesIncludeTax: true,
        cashierId,
        cancellationCode: 'HOTEL',
        paymentMethods: { Cash: 'CA', Visa: 'VI' },
      },
      credentials: { applicationKey, clientId, clientSecret },
    }),
  ]
}
