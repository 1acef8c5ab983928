import { type SettableClock, settableClock } from '../../../src/host/clock.ts'
import type { CarrierSetup } from '../../../src/upstream/cloudevents/carrier.ts'
import { type MqttCarrier, mqttCarrier } from '../../../src/upstream/cloudevents/mqtt-carrier.ts'
import {
  type MqttPms,
  type MqttServerOptions,
  serveMqtt,
} from '../../../src/upstream/cloudevents/simulated-pms/mqtt-server.ts'
import {
  type SimulatedPms,
  simulatedPms,
} from '../../../src/upstream/cloudevents/simulated-pms/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../src/upstream/cloudevents/simulated-pms/units.ts'
import { cloudEventsSync } from '../../../src/upstream/cloudevents/sync.ts'
import type { SyncBench } from '../adapter-contract.ts'
import { startMqttBroker } from '../broker/mqtt-broker.ts'
import { setupFor, soon } from './mqtt-peer.ts'

/** A simulated PMS and a house at one broker. */
export interface MqttBench extends SyncBench {
  pms: SimulatedPms
  server: MqttPms
  carrier: MqttCarrier
  clock: SettableClock
  failures: unknown[]
}

export interface MqttBenchOptions {
  /** Where the broker is, and how each is let in; an embedded one unless said otherwise. */
  setup?: Partial<CarrierSetup>
  login?: MqttServerOptions['login']
  url?: string
  timeoutMs?: number
}

export async function mqttBench(options: MqttBenchOptions = {}): Promise<MqttBench> {
  const { timeoutMs = 1_000, login = {} } = options
  const clock = settableClock(Date.UTC(2026, 5, 1, 16))
  const broker = options.url ? null : await startMqttBroker()
  const url = options.url ?? broker?.url ?? ''
  const pms = simulatedPms({ now: clock.now, units: unitsIn(sampleUnits)! })
  const server = await serveMqtt({ url, login, now: clock.now, retryMs: 5, pmsOf: () => pms })
  const failures: unknown[] = []
  const setup = setupFor(url, { timeoutMs, now: clock.now, ...options.setup })
  const opened = () => {
    const carrier = mqttCarrier(setup, soon)
    const { side } = cloudEventsSync({ carrier, lends: false, failed: (error) => failures.push(error) })
    return { carrier, side }
  }
  const { book, misbehaviour } = pms
  const bench: MqttBench = {
    ...opened(),
    pms,
    server,
    clock,
    failures,
    book: async (reservation) => book.make(reservation).externalId,
    async comment(externalId, comment) {
      book.put(externalId, { ...book.reservations.get(externalId)!.value!, comment })
    },
    count: () => book.reservations.size,
    commentOf: (externalId) => book.reservations.get(externalId)?.value?.comment ?? null,
    cutOffer: (when) => misbehaviour.faults.push({ at: 'pms.reservations.offered', does: `cut-${when}` }),
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
      await broker?.kill()
    },
  }
  return bench
}
