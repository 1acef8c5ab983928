import { randomUUID } from 'node:crypto'
import type { CloudEvent } from '../../../../events/cloud-event.ts'
import type { CarrierSetup } from '../carrier.ts'
import type { Message } from '../messages/envelope.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'
import type { Outgoing } from './connection.ts'
import type { MqttSettings } from './settings.ts'
import { type HouseState, houseState } from './state.ts'
import { channels } from './topics.ts'

type Parts = Pick<MqttSettings, 'topics' | 'clientId' | 'patienceMs'>

/** The retained message at the state topic; `at` is null for the will, whose time is not known. */
export function stateMessage(
  setup: CarrierSetup,
  { topics, clientId }: Parts,
  state: HouseState['state'],
  at: number | null,
): Outgoing & { retain: boolean } {
  // What the will would say of the box may be out of date when the broker publishes it.
  const box = at === null ? {} : setup.box?.()
  const published = { state, clientId, epoch: setup.epoch(), ...box }
  return { ...outgoing(topics.state, houseState(setup, published, at)), retain: true }
}

/** A request, with the topic of its reply. It expires when the reply is no longer awaited. */
export function requestMessage<Type extends RequestType>(
  setup: CarrierSetup,
  { topics, patienceMs }: Parts,
  type: Type,
  data: Exchanges[Type]['data'],
): Outgoing {
  const message: Message = {
    specversion: '1.0',
    id: randomUUID(),
    source: setup.source(),
    type,
    subject: `pms/${setup.configurationId}`,
    time: new Date(setup.clock.now()).toISOString(),
    datacontenttype: 'application/json',
    data,
  }
  const { topic, payload, properties } = outgoing(topics.request(type), message)
  const expiry = { responseTopic: topics.replies, messageExpiryInterval: Math.ceil(patienceMs / 1000) }
  return { topic, payload, properties: { ...properties, ...expiry } }
}

/** An event of the appliance. */
export function eventMessage({ topics }: Parts, event: CloudEvent): Outgoing {
  const message = outgoing(topics.event(event.type), event)
  const messageExpiryInterval = channels.events.expirySeconds
  return { ...message, properties: { ...message.properties, messageExpiryInterval } }
}

function outgoing(topic: string, message: Message | CloudEvent) {
  const properties = { payloadFormatIndicator: true, contentType: 'application/cloudevents+json' }
  return { topic, payload: JSON.stringify(message), properties }
}
