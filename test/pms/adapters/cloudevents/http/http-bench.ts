import type { CarrierSetup } from '../../../../../src/pms/adapters/cloudevents/carrier.ts'
import { httpCarrier } from '../../../../../src/pms/adapters/cloudevents/http/http-carrier.ts'
import { cloudEventsSync } from '../../../../../src/pms/adapters/cloudevents/sync.ts'
import {
  type HttpPms,
  type HttpServerOptions,
  serveHttp,
} from '../../../../../src/simulators/cloudevents/http-server.ts'
import { type SimulatedPms, simulatedPms } from '../../../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../../../src/simulators/cloudevents/units.ts'
import { type TestClock, testClock } from '../../../../test-clock.ts'
import type { SyncBench } from '../../adapter-contract.ts'

export const source = 'urn:property:019faa00-0000-7000-8000-000000000001'

/** A simulated PMS behind real sockets, and the carrier that asks it. */
export interface HttpBench extends SyncBench {
  pms: SimulatedPms
  server: HttpPms
  /** Of both ends; goes by only during something. */
  clock: TestClock
  carrier: ReturnType<typeof httpCarrier>
  failures: unknown[]
  /** What the connection says, from the next opening on. */
  settings: Record<string, unknown>
}

export interface HttpBenchOptions {
  server?: Partial<Omit<HttpServerOptions, 'clock'>>
  connection?: Record<string, unknown>
  credentials?: Record<string, unknown>
}

export async function httpBench(options: HttpBenchOptions = {}): Promise<HttpBench> {
  const clock = testClock({ always: false })
  const pms = simulatedPms({ clock, units: unitsIn(sampleUnits)! })
  const server = await serveHttp(pms, { port: 0, clock, ...options.server })
  const failures: unknown[] = []
  const settings: Record<string, unknown> = { baseUrl: server.baseUrl, ...options.connection }
  const setup: CarrierSetup = {
    configurationId: '019faa00-0000-7000-8000-000000000002',
    connection: settings,
    credentials: options.credentials ?? {},
    heartbeatSeconds: 60,
    timeoutMs: 5_000,
    source: () => source,
    epoch: () => 1,
    clock,
  }
  const opened = () => {
    const carrier = httpCarrier(setup)
    const { side } = cloudEventsSync({ carrier, lends: false, failed: (error) => failures.push(error) })
    return { carrier, side }
  }
  const { book, misbehaviour } = pms
  const bench: HttpBench = {
    ...opened(),
    pms,
    server,
    clock,
    failures,
    settings,
    book: async (reservation) => book.make(reservation).externalId,
    async comment(externalId, comment) {
      book.put(externalId, { ...book.reservations.get(externalId)!.value!, comment })
    },
    count: () => book.reservations.size,
    commentOf: (externalId) => book.reservations.get(externalId)?.value?.comment ?? null,
    cutOffer(when) {
      misbehaviour.faults.push({ at: 'pms.reservations.offered', does: `cut-${when}` })
    },
    hush: () =>
      new Promise<void>((taken) => {
        misbehaviour.faults.push({ at: 'pms.changes.requested', does: 'silence', taken })
      }),
    async reopen() {
      await bench.carrier.close()
      Object.assign(bench, opened())
    },
    async close() {
      await bench.carrier.close()
      await server.close()
      clock.retire()
    },
  }
  return bench
}
