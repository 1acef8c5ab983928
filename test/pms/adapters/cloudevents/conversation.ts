import assert from 'node:assert/strict'
import { messages, type RequestType } from '../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import { until } from '../../../eventually.ts'
import { anOffer, aReservation, calling } from '../adapter-contract.ts'
import { changesOfEveryKind } from './changes-of-every-kind.ts'
import { document, documentedAs, type Sent } from './documented-messages.ts'
import type { MqttBench } from './mqtt/mqtt-bench.ts'
import { eventsOf } from './mqtt/mqtt-peer.ts'

/** Everything that a house and a PMS can say to one another, once at least. The house says goodbye at the end. */
export async function wholeConversation({ carrier, side, pms }: MqttBench): Promise<void> {
  let heard = 0
  const stop = side.follow!({ changes: () => heard++, poke: () => {}, line: () => {} })
  await carrier.publish(eventsOf(3), calling())
  for (const type of Object.keys(messages) as RequestType[]) {
    if (!('reply' in messages[type])) continue
    await carrier.request(type, messages[type].example.data as never, calling()).catch(() => {})
  }
  pms.misbehaviour.faults.push({ at: 'pms.changes.requested', does: 'busy' })
  await assert.rejects(async () => side.pull(null, calling()))
  const [kept] = await side.push!([anOffer(aReservation('said in passing'))], calling())
  assert.ok(kept?.is === 'accepted')
  changesOfEveryKind(pms)
  await side.pull(null, calling())
  await until(() => heard >= 4)
  stop()
  await carrier.close()
}

/** Fails for a message that is not documented, and when one that is documented was not said. */
export function expectAllDocumented(sent: readonly Sent[]): void {
  const said = new Set(sent.map(documentedAs))
  assert.deepEqual([...said].sort(), Object.keys(document.components.messages).sort())
}
