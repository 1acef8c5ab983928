import { describe, it } from 'node:test'
import { expectAllDocumented, wholeConversation } from '../conversation.ts'
import type { Sent } from '../documented-messages.ts'
import { startMqttBroker } from './broker/mqtt-broker.ts'
import { mqttBench } from './mqtt-bench.ts'

describe('what passes over a broker', () => {
  it('is all in the AsyncAPI document, and all of that passes', async (t) => {
    const broker = await startMqttBroker()
    const bench = await mqttBench({ url: broker.url, timeoutMs: 5_000 })
    t.after(async () => {
      await bench.close()
      await broker.kill()
    })
    await wholeConversation(bench)
    const sent = broker.passed.flatMap(({ packet, direction }): Sent[] => {
      if (packet.cmd !== 'publish' || direction === 'out') return []
      const { topic, payload, properties = {} } = packet
      const { correlationData, responseTopic, messageExpiryInterval } = properties
      return [{ topic, payload: payload.toString(), correlationData, responseTopic, messageExpiryInterval }]
    })
    expectAllDocumented(sent)
  })
})
