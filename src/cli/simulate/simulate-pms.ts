import { systemClock } from '../../host/clock.ts'
import { messages } from '../../pms/adapters/cloudevents/messages/messages.ts'
import { type Clerk, clerk } from '../../simulators/cloudevents/clerk.ts'
import { serveHttp } from '../../simulators/cloudevents/http-server.ts'
import { type FaultKind, type FaultyRequest, faultKinds } from '../../simulators/cloudevents/misbehaviour.ts'
import { serveMqtt } from '../../simulators/cloudevents/mqtt-server.ts'
import { type SimulatedPms, simulatedPms } from '../../simulators/cloudevents/simulated-pms.ts'
import { type UnitsByType, unitsIn } from '../../simulators/cloudevents/units.ts'
import { CommandFailed } from '../exit-codes.ts'
import { howToSetUp } from '../point-a-box.ts'
import { stopSignal } from '../stop-signal.ts'

/** The options of `nightporter simulate pms`, `mews` and `opera`. */
export interface SimulatePmsOptions {
  on?: string[]
  /** Actions of the clerk per minute. */
  clerk: number
  /** The number of reservations at the start. */
  reservations: number
  unitTypes: string
  seed?: string
  misbehave?: string[]
}

const { now } = systemClock

/** Simulates a PMS until SIGTERM or SIGINT. A simulated clerk changes reservations and prints one line per action. */
export async function simulatePms(options: SimulatePmsOptions): Promise<void> {
  const units = unitsSold(options)
  const clerks: Clerk[] = []
  const open = (): SimulatedPms => {
    const pms = simulatedPms({ clock: systemClock, units, name: nameOfNow() })
    for (const text of options.misbehave ?? []) tell(pms, text)
    const somebody = clerk({ book: pms.book, units, now, seed: seedIn(options.seed) })
    for (let count = 0; count < options.reservations; count++) somebody.books()
    clerks.push(somebody)
    return pms
  }
  const { lines, close } = await served(options.on ?? [], open, units)
  for (const line of lines) console.log(line)
  const timer =
    options.clerk > 0 ? systemClock.setInterval(() => actAll(clerks), 60_000 / options.clerk) : null
  await stopSignal()
  timer?.cancel()
  await close()
}

/** Returns the units of each type in `--unit-types`. Throws CommandFailed `usage` for an invalid value. */
export function unitsSold({ unitTypes }: SimulatePmsOptions): UnitsByType {
  const units = unitsIn(unitTypes)
  if (units) return units
  throw new CommandFailed('usage', `--unit-types: expected CODE or CODE:FIRST-LAST, not ${unitTypes}.`)
}

/**
 * The name differs in each run, so that an appliance does not confuse new reservations with those of an earlier run.
 */
function nameOfNow(): string {
  return `sim${Math.floor(now() / 1_000)
    .toString(36)
    .slice(-4)}`
}

function actAll(clerks: readonly Clerk[]): void {
  for (const each of clerks) {
    const { did, externalId } = each.act()
    console.log(`The clerk ${did} ${externalId}`)
  }
}

async function served(on: string[], open: () => SimulatedPms, units: UnitsByType) {
  const [where = ''] = on
  const [, host = '127.0.0.1', port] = /^http:(?:([^:\s]+):)?(\d{1,5})$/.exec(where) ?? []
  const what = `selling ${Object.keys(units).join(', ')}`
  if (on.length === 1 && port !== undefined && Number(port) <= 65_535) {
    const { baseUrl, close } = await reached(
      where,
      serveHttp(open(), { host, port: Number(port), clock: systemClock }),
    )
    return { lines: [`A simulated PMS ${what} is at ${baseUrl}`, ...configured('http', { baseUrl })], close }
  }
  const [, url] = /^mqtt:(mqtts?:\/\/\S+)$/.exec(where) ?? []
  if (on.length === 1 && url !== undefined) {
    const { close } = await reached(where, serveMqtt({ url, pmsOf: open, clock: systemClock }))
    return {
      lines: [`A simulated PMS ${what} is at the broker ${url}`, ...configured('mqtt', { broker: url })],
      close,
    }
  }
  throw new CommandFailed(
    'usage',
    'Expected one --on http:PORT, http:HOST:PORT or mqtt:mqtt://HOST:PORT for a PMS.',
  )
}

async function reached<T>(where: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    throw new CommandFailed('unreachable', `${where}: ${(error as Error).message}`, { cause: error })
  }
}

const configured = (transport: string, connection: object) =>
  howToSetUp({ name: 'Simulated PMS', adapter: 'cloudevents', transport, connection })

const askable: readonly string[] = [...Object.keys(messages), 'events', 'token', '*']

/**
 * Parses `AT=DOES` or `AT=DOES:SECONDS`, a fault that occurs once. SECONDS is the Retry-After or the delay of the
 * answer.
 */
function tell({ misbehaviour }: SimulatedPms, text: string): void {
  const [, at = '', does = '', seconds] = /^([a-z.*-]+)=([a-z-]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const deed = faultKinds.find((each) => each === does)
  if (!deed || !askable.includes(at)) {
    throw new CommandFailed(
      'usage',
      `--misbehave: expected AT=DOES[:SECONDS], AT being a request such as pms.changes.requested, events, token or *, and DOES one of ${faultKinds.join(', ')}; not ${text}.`,
    )
  }
  const wait =
    seconds === undefined ? {} : { retryAfterSeconds: Number(seconds), ms: Number(seconds) * 1_000 }
  misbehaviour.faults.push({ at: at as FaultyRequest, does: deed satisfies FaultKind, ...wait })
}

function seedIn(text: string | undefined): number {
  if (text === undefined) return now() % 2 ** 32
  return [...text].reduce((seed, letter) => (Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7)
}
