import type { Clock } from '../../../../../src/host/clock.ts'
import type { CarrierSetup } from '../../../../../src/pms/adapters/cloudevents/carrier.ts'
import {
  type MqttCarrier,
  mqttCarrier,
} from '../../../../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'
import { cloudEventsSync } from '../../../../../src/pms/adapters/cloudevents/sync.ts'
import {
  type MqttPms,
  type MqttServerOptions,
  serveMqtt,
} from '../../../../../src/simulators/cloudevents/mqtt-server.ts'
import { type SimulatedPms, simulatedPms } from '../../../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../../../src/simulators/cloudevents/units.ts'
import { testClock } from '../../../../test-clock.ts'
import type { SyncBench } from '../../adapter-contract.ts'
import { startMqttBroker } from './broker/mqtt-broker.ts'
import { setupFor, soon } from './mqtt-peer.ts'

/** A simulated PMS and a house at one broker. */
export interface MqttBench extends SyncBench {
  pms: SimulatedPms
  server: MqttPms
  carrier: MqttCarrier
  failures: unknown[]
}

export interface MqttBenchOptions {
  /** Where the broker is, and how each is let in; an embedded one unless said otherwise. */
  setup?: Partial<CarrierSetup>
  login?: MqttServerOptions['login']
  url?: string
  timeoutMs?: number
  /** Of both ends; goes by on its own unless said otherwise. */
  clock?: Clock
}

export async function mqttBench(options: MqttBenchOptions = {}): Promise<MqttBench> {
  const own = testClock()
  const closed = Promise.withResolvers<void>()
  void own.during(closed.promise)
  const { timeoutMs = 10_000, login = {}, clock = own } = options
  const broker = options.url ? null : await startMqttBroker()
  const url = options.url ?? broker?.url ?? ''
  const pms = simulatedPms({ clock, units: unitsIn(sampleUnits)! })
  const server = await serveMqtt({ url, login, clock, retryMs: 5, pmsOf: () => pms })
  let isOpen = true
  // A PMS that was cut off comes back in real time.
  own.standsWhile(() => isOpen && broker?.connected().includes('simulated-pms') === false)
  const failures: unknown[] = []
  const setup = setupFor(url, { timeoutMs, clock, ...options.setup })
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
      isOpen = false
      await bench.carrier.close()
      await server.close()
      await broker?.kill()
      closed.resolve()
    },
  }
  return bench
}
