import { systemClock } from '../../host/clock.ts'
import { simulatedClerk } from '../../pms/mews/simulator/simulated-clerk.ts'
import { type MewsFault, type SimulatedMews, simulatedMews } from '../../pms/mews/simulator/simulated-mews.ts'
import { CommandFailed } from '../exit-codes.ts'
import { howToSetUp } from '../point-a-box.ts'
import { stopAsked } from '../stop-asked.ts'
import { type SimulatePmsOptions, unitsSold } from './simulate-pms.ts'

const { now } = systemClock

/** Plays a property at Mews until SIGTERM or SIGINT, with a clerk who changes reservations by himself. One line a deed. */
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
  await stopAsked()
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
        console.log(`The house asked for ${operation}: ${number} is ${State}`),
    })
  } catch (error) {
    throw new CommandFailed('unreachable', `${where}: ${(error as Error).message}`, { cause: error })
  }
}

function said({ platformAddress, serviceId, clientToken, accessToken }: SimulatedMews, codes: string[]) {
  return [
    `A property at Mews selling ${codes.join(', ')} is at ${platformAddress}`,
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

/** The same each time, so that a box that was pointed at it before knows its rooms. */
function roomId(index: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
}

/** `OPERATION=DOES`, once; DOES is a status as well. */
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
