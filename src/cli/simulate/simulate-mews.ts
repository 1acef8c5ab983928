import { systemClock } from '../../host/clock.ts'
import { simulatedClerk } from '../../pms/adapters/mews/simulator/simulated-clerk.ts'
import {
  type MewsFault,
  type SimulatedMews,
  simulatedMews,
} from '../../pms/adapters/mews/simulator/simulated-mews.ts'
import { CommandFailed } from '../exit-codes.ts'
import { howToSetUp } from '../point-a-box.ts'
import { stopSignal } from '../stop-signal.ts'
import { type SimulatePmsOptions, unitsSold } from './simulate-pms.ts'

const { now } = systemClock

/**
 * Simulates a Mews property until SIGTERM or SIGINT. A simulated clerk changes reservations and prints one line per
 * action.
 */
export async function simulateMews(options: SimulatePmsOptions): Promise<void> {
  const units = unitsSold(options)
  const faults = (options.misbehave ?? []).map(faultIn)
  const mews = await served(options.on ?? [])
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

async function served(on: string[]): Promise<SimulatedMews> {
  const [where = ''] = on
  const [, host = '127.0.0.1', port] = /^http:(?:([^:\s]+):)?(\d{1,5})$/.exec(where) ?? []
  if (on.length !== 1 || port === undefined || Number(port) > 65_535) {
    throw new CommandFailed('usage', 'Expected one --on http:PORT or http:HOST:PORT for Mews.')
  }
  try {
    return await simulatedMews({
      host,
      port: Number(port),
      startMs: now(),
      now,
      changed: (operation, { Number: number, State }) =>
        console.log(`The appliance called ${operation}: ${number} is ${State}`),
    })
  } catch (error) {
    throw new CommandFailed('unreachable', `${where}: ${(error as Error).message}`, { cause: error })
  }
}

function said({ platformAddress, serviceId, clientToken, accessToken }: SimulatedMews, codes: string[]) {
  return [
    `A simulated Mews with the categories ${codes.join(', ')} is at ${platformAddress}`,
    ...howToSetUp({
      name: 'Simulated Mews',
      adapter: 'mews',
      transport: 'http',
      heartbeatSeconds: 10,
      connection: { platformAddress, serviceId },
      credentials: { clientToken, accessToken },
    }),
  ]
}

/** The ids are the same in each run, so that an appliance that was connected before still knows the rooms. */
function roomId(index: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
}

/** Parses `OPERATION=DOES`, a fault that occurs once. DOES is a kind of fault or an HTTP status. */
function faultIn(text: string): MewsFault {
  const [, at = '', does = ''] = /^([A-Za-z0-9/-]+)=([a-z-]+|[45]\d\d)$/.exec(text) ?? []
  const known = deeds.find((deed) => deed === does) ?? (/^\d/.test(does) ? Number(does) : null)
  if (known !== null) return { at, does: known }
  throw new CommandFailed(
    'usage',
    `--misbehave: expected OPERATION=DOES, such as reservations/start=cut-after, DOES being a status or one of ${deeds.join(', ')}; not ${text}.`,
  )
}

const deeds = ['silence', 'cut-before', 'cut-after'] as const
