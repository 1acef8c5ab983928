import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnNames } from '../src/certificate/make-certificate.ts'
import type { Appliance } from '../src/composition/appliance.ts'
import { type Config, readConfig } from '../src/config.ts'
import { type SimulatedLobby, simulatedLobby } from '../src/demo/simulated-lobby.ts'
import type { LockDriver } from '../src/devices/driver.ts'
import type { Clock } from '../src/host/clock.ts'
import type { JudgedClock } from '../src/host/judged-clock.ts'
import type { Place } from '../src/host/machine/machine-identity.ts'
import { nothingKnown, type TimeSync, type timeSync } from '../src/host/time-sync.ts'
import { start } from '../src/main.ts'
import type { Adapter } from '../src/pms/contract.ts'
import type { Ground } from '../src/update/open-updates.ts'
import type { Rauc } from '../src/update/rauc.ts'
import { expectDocumented } from './documented.ts'
import { noLimits } from './no-limits.ts'
import { program } from './program.ts'
import { monday, type SettableClock, type TestClock, testClock, trustedClock } from './test-clock.ts'

export { monday }

/** The appliance as a test sees it: the real program on a free port, with a fresh data folder and a lobby to play with. */
export interface TestAppliance {
  appliance: Appliance
  lobby: SimulatedLobby
  clock: SettableClock
  data: string
  ask: Ask
  /** Lets time go by while work is under way, for what is waited for without asking the appliance. */
  during<T>(work: Promise<T>): Promise<T>
  /** Stops it and starts it again on the same data. `meanwhile` is what happens while it is off. */
  restart(meanwhile?: () => void): Promise<void>
  stop(): Promise<void>
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  body: any
  text: string
}

export interface AskOptions {
  body?: unknown
  headers?: Record<string, string>
  token?: string | null
}

/** Asks the appliance as a client would, and fails for an answer that is not as the OpenAPI document says: `ask('GET', '/api/v2/units?sort=name')`. */
export type Ask = (method: string, path: string, options?: AskOptions) => Promise<Reply>

export interface TestOptions extends Partial<Config> {
  /** Unix milliseconds at the start; 2026-06-01 17:00 in Lisbon unless said otherwise. */
  now?: number
  /** Time that goes by while the appliance is asked for something, unless another clock is given. */
  clock?: SettableClock
  /** Makes of it the clock that the house goes by; it is believed unless said otherwise, so that a test may set it as it likes. */
  judge?: (machine: Clock) => JudgedClock
  /** What sets the machine's clock; nobody unless said otherwise. */
  timeSync?: typeof timeSync
  /** Where the data folder is; not known unless said otherwise. */
  placeOf?: (data: string) => Place | null
  /** How long a simulated guest leaves a card at the gate; null leaves it there. */
  takenAfterMs?: number | null
  /** Hears what is said on the console while the house is open. */
  say?: (line: string) => void
  /** The program whose threads run and whose pages are served; what is installed unless said otherwise. */
  entry?: URL
  /** Ways to a PMS instead of those of the build. */
  adapters?: readonly Adapter[]
  /** Ways to lock systems instead of those of the build. */
  lockDrivers?: readonly LockDriver[]
  /** The names and addresses of the machine instead of its own. */
  network?: () => OwnNames
  /** How often the writer is asked whether it is there. */
  beatMs?: number
  /** What lies below the program, for updates; nothing unless said otherwise. */
  ground?: Partial<Ground>
}

const noRauc: Rauc = {
  slots: async () => null,
  install: async () => true,
  arm: async () => {},
  markGood: async () => {},
  markBad: async () => {},
}

/** The box is on its own. */
export const noTimeServer = async (): Promise<TimeSync> => nothingKnown

export async function startAppliance(options: TestOptions = {}): Promise<TestAppliance> {
  const {
    now = monday,
    takenAfterMs = 0,
    entry = program,
    adapters,
    lockDrivers,
    network,
    beatMs,
    say,
    ground,
    ...more
  } = options
  const { clock = testClock({ wallMs: now, always: false }), ...timed } = more
  const { judge = trustedClock, timeSync = noTimeServer, placeOf = () => null, ...config } = timed
  const data = config.data ?? mkdtempSync(join(tmpdir(), 'nightporter-'))
  const lobby = simulatedLobby({ clock, pocket: null, cards: 60, takenAfterMs, pace: 0 })
  const open = () =>
    start(readConfig({ port: 0, logLevel: 'silent', rateLimits: noLimits, ...config, data }), {
      entry,
      clock,
      judge,
      timeSync,
      placeOf,
      lobby,
      ...(say && { say }),
      ...(adapters && { adapters }),
      ...(lockDrivers && { lockDrivers }),
      ...(network && { network }),
      ...(beatMs && { beatMs }),
      ground: { rauc: noRauc, ...ground },
    })
  const virtual = 'during' in clock ? (clock as TestClock) : null
  const test = { appliance: await open(), lobby, clock, data } as TestAppliance
  const during = <T>(work: Promise<T>): Promise<T> => virtual?.during(work) ?? work
  test.during = during
  virtual?.standsWhile(() => test.appliance.pendingWork() > 0)
  test.ask = async (method, path, how) => {
    const reply = await during(askAt(test.appliance.url, method, path, how))
    expectDocumented(test.appliance, method, path, reply)
    return reply
  }
  test.restart = async (meanwhile) => {
    await during(test.appliance.close())
    meanwhile?.()
    test.appliance = await open()
  }
  test.stop = async () => {
    await during(test.appliance.close())
    virtual?.retire()
    if (!config.data) rmSync(data, { recursive: true, force: true })
  }
  return test
}

/** Asks an appliance at a URL. */
export async function askAt(
  url: string,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<Reply> {
  const { body, headers = {}, token = 'demo' } = options
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'application/vnd.api+json',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/vnd.api+json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = isEndless(response) ? await beginningOf(response) : await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson(response) && text !== '' ? JSON.parse(text) : null,
  }
}

function isEndless({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream'
}

/** What comes first of an answer that has no end; then it is hung up on. */
async function beginningOf({ body }: Response): Promise<string> {
  for await (const chunk of body ?? []) return Buffer.from(chunk).toString()
  return ''
}

function isJson({ headers }: Response): boolean {
  return /json\b/.test(headers.get('content-type') ?? '')
}
