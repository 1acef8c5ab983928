import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { virtualClock } from '../../../../src/host/virtual-clock.ts'
import type { Carrier } from '../../../../src/pms/adapters/cloudevents/carrier.ts'
import { forwardExtension } from '../../../../src/pms/adapters/cloudevents/extension.ts'
import { httpCarrierKind } from '../../../../src/pms/adapters/cloudevents/http/http-carrier.ts'
import { answerText } from '../../../../src/pms/answers.ts'
import { JsonText } from '../../../../src/pms/json-text.ts'
import { until } from '../../../eventually.ts'
import { testClock } from '../../../test-clock.ts'
import { startMqttBroker } from './mqtt/broker/mqtt-broker.ts'
import { call, exampleReplies, openCarrier, openPeer, setupFor } from './mqtt/mqtt-peer.ts'

const asked = '{ "n": 12345678901234567890, "price": 1.10, "e": 1e2,"twice":1, "twice":-0, "s":"\\u00e9" }'
const answered = '[ 98765432109876543210, {"price": 2.50 } ]'

async function invoked(carrier: Carrier, body: string): Promise<string> {
  const answer = await forwardExtension(carrier, { name: 'folio', method: 'POST', query: '', body }, call())
  assert.ok(answer?.is === 'answered')
  return answerText('the PMS', answer.payload)
}

describe('What an extension is asked and answers', () => {
  it('is over HTTP what was sent, byte for byte', async (t) => {
    let heard = ''
    const server = createServer({ noDelay: true }, async (request, response) => {
      heard = await text(request)
      response.end(answered)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const carrier = httpCarrierKind.open({
      configurationId: '1',
      connection: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      credentials: {},
      heartbeatSeconds: 60,
      timeoutMs: 5_000,
      source: () => 'urn:property:1',
      epoch: () => 1,
      clock: virtualClock(0),
    })
    t.after(async () => {
      await carrier.close()
      server.close()
      server.closeAllConnections()
    })
    assert.equal(await invoked(carrier, asked), answered)
    assert.equal(heard, asked)
  })

  const clock = testClock({ always: false })
  after(() => clock.retire())

  it('has within the message of a broker the numbers that were sent, to the last digit', async (t) => {
    const broker = await startMqttBroker({})
    t.after(() => broker.kill())
    const replying = (message: Parameters<typeof exampleReplies>[0]) =>
      exampleReplies(message).map((reply) => ({
        ...reply,
        data: { is: 'answered', payload: new JsonText(answered) },
      }))
    const peer = await openPeer(t, broker.url, replying)
    const { carrier, lines } = openCarrier(t, setupFor(broker.url, { clock }))
    await until(() => lines.length >= 1)
    assert.equal(await invoked(carrier, asked), '[98765432109876543210,{"price":2.50}]')
    const { payload } = peer.asked[0]!.packet
    assert.match(
      String(payload),
      /"body":\{"n":12345678901234567890,"price":1\.10,"e":1e2,"twice":-0,"s":"é"\}/,
    )
  })
})
