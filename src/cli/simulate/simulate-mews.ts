import { systemClock } from '../../host/clock.ts'
import { simulatedClerk } from '../../simulators/mews/simulated-clerk.ts'
import { simulatedMews } from '../../simulators/mews/simulated-mews.ts'
import type { SimulatedMews } from '../../simulators/mews/simulated-property.ts'
import { howToSetUp } from '../point-a-box.ts'
import { stopSignal } from '../stop-signal.ts'
import { requestFault, servedAt } from './served-at.ts'
import { type SimulatePmsOptions, unitsSold } from './simulate-pms.ts'

const { now } = systemClock

/**
 * Simulates a Mews property until SIGTERM or SIGINT. A simulated clerk changes reservations and prints one line per
 * action.
 */
export async function simulateMews(options: SimulatePmsOptions): Promise<void> {
  const units = unitsSold(options)
  const faults = (options.misbehave ?? []).map((text) => requestFault(text, 'reservations/start'))
  const mews = await servedAt(options.on ?? [], 'Mews', (place) =>
    simulatedMews({
      ...place,
      startMs: now(),
      now,
      changed: (operation, { Number: number, State }) =>
        console.log(`The appliance called ${operation}: ${number} is ${State}`),
    }),
  )
  for (const [category, names] of Object.entries(units)) {
    mews.categoryId(category)
    for (const name of names) mews.rooms.set(name, { id: roomId(mews.rooms.size), category })
  }
  mews.faults.push(...faults)
  const clerk = simulatedClerk({ mews, units, now, random: Math.random })
  for (let count = 0; count < options.reservations; count++) clerk.books()
  for (const line of said(mews, Object.keys(units))) console.log(line)
  const act = () => {
    const { did, number } = clerk.act()
    console.log(`The clerk ${did} ${number}`)
  }
  const timer = options.clerk > 0 ? systemClock.setInterval(act, 60_000 / options.clerk) : null
  await stopSignal()
  timer?.cancel()
  await mews.close()
}

function said({ clientToken, accessToken, ...mews }: SimulatedMews, codes: string[]) {
  const { platformAddress, webSocketAddress, serviceId, rateId } = mews
  return [
    `A simulated Mews with the categories ${codes.join(', ')} is at ${platformAddress}`,
    ...howToSetUp({
      name: 'Simulated Mews',
      adapter: 'mews',
      transport: 'http',
      heartbeatSeconds: 10,
      connection: { platformAddress, webSocketAddress, serviceId, rateId },
      credentials: { clientToken, accessToken },
    }),
  ]
}

/** The ids are the same in each run, so that an appliance that was connected before still knows the rooms. */
function roomId(index: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
}
