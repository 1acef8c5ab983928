import type { TestContext } from 'node:test'
import type { Clock } from '../../../../src/host/clock.ts'
import { type HttpPms, serveHttp } from '../../../../src/simulators/cloudevents/http-server.ts'
import { serveMqtt } from '../../../../src/simulators/cloudevents/mqtt-server.ts'
import type { SimulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import {
  type MqttBroker,
  startMqttBroker,
} from '../../../pms/adapters/cloudevents/mqtt/broker/mqtt-broker.ts'

/** What is between a house and a PMS, and can be cut. */
export interface Line {
  /** Of the configuration of the house. */
  attributes: Record<string, unknown>
  cut(): Promise<void>
  mend(): Promise<void>
  broker: MqttBroker | null
}

export type OpenLine = (t: Pick<TestContext, 'after'>, pms: SimulatedPms, clock: Clock) => Promise<Line>

/** The server of the PMS is not there while the line is cut. */
export const httpLine: OpenLine = async (t, pms, clock) => {
  let server: HttpPms | null = await serveHttp(pms, { port: 0, clock })
  const { baseUrl } = server
  const port = Number(new URL(baseUrl).port)
  const cut = async () => {
    await server?.close()
    server = null
  }
  t.after(cut)
  return {
    attributes: { transport: 'http', connection: { baseUrl } },
    cut,
    async mend() {
      server ??= await serveHttp(pms, { port, clock })
    },
    broker: null,
  }
}

const isOfHouse = (clientId: string) => clientId.startsWith('nightporter-')

/** The broker is there, and the PMS at it, while nothing of the house comes through. */
export const mqttLine: OpenLine = async (t, pms, clock) => {
  const broker = await startMqttBroker({ now: Date.now })
  t.after(() => broker.kill())
  const server = await serveMqtt({ url: broker.url, clock, retryMs: 20, pmsOf: () => pms })
  t.after(() => server.close())
  return {
    attributes: { transport: 'mqtt', connection: { broker: broker.url } },
    async cut() {
      broker.judge = ({ clientId }) => (isOfHouse(clientId) ? 'cut-before' : 'pass')
      for (const clientId of broker.connected().filter(isOfHouse)) broker.cut(clientId)
    },
    async mend() {
      broker.judge = () => 'pass'
    },
    broker,
  }
}
