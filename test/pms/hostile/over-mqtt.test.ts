import { after, before, describe, it } from 'node:test'
import type { FaultKind } from '../../../src/simulators/cloudevents/misbehaviour.ts'
import { type MqttPms, serveMqtt } from '../../../src/simulators/cloudevents/mqtt-server.ts'
import type { PmsReply } from '../../../src/simulators/cloudevents/simulated-pms.ts'
import { type MqttBroker, startMqttBroker } from '../adapters/cloudevents/mqtt/broker/mqtt-broker.ts'
import { type Expected, expectHealing, type HostileHouse, openHostileHouse } from './hostile-house.ts'

let house: HostileHouse
let broker: MqttBroker
let server: MqttPms
before(async () => {
  broker = await startMqttBroker()
  house = await openHostileHouse(async (pms, { clock }) => {
    server = await serveMqtt({ url: broker.url, clock, retryMs: 5, pmsOf: () => pms })
    return { transport: 'mqtt', connection: { broker: broker.url } }
  }, 30)
})
after(async () => {
  await house.stop()
  await server.close()
  await broker.kill()
})

const at = 'pms.changes.requested'
const unread = { quarantined: { kind: 'Page' } }
const prefix = () => server.houses()[0]

/** Does it to each request for changes. */
const does = (kind: FaultKind, more: object = {}) => ({
  begin: () =>
    void house.pms.misbehaviour.faults.push({ at, does: kind, times: Number.POSITIVE_INFINITY, ...more }),
  end: () => void house.pms.misbehaviour.faults.splice(0),
})

/** Replies so to each request for changes. */
function replies(reply: (after: string | null) => PmsReply) {
  let restore = () => {}
  return {
    begin() {
      const { answer } = house.pms
      restore = () => {
        house.pms.answer = answer
      }
      house.pms.answer = async (request) => {
        if (request.type !== at) return answer(request)
        return { reply: reply((request.data as { after: string | null }).after), deed: null, fault: null }
      }
    },
    end: () => restore(),
  }
}

const page = (data: object): PmsReply => ({ type: 'pms.changes.replied', data })

/** Publishes at a topic of the house whenever the PMS has news. */
function says(topic: string, payloads: string[], retain = false) {
  return {
    begin() {
      for (const payload of payloads) broker.publish({ topic: `${prefix()}/${topic}`, payload, retain })
    },
    end() {
      if (retain) broker.publish({ topic: `${prefix()}/${topic}`, payload: '', retain })
    },
  }
}

/** The broker accepts what the house asks for, and passes nothing of it on. */
const dropping = {
  begin() {
    broker.judge = ({ packet, direction, clientId }) =>
      clientId === 'simulated-pms' &&
      direction === 'out' &&
      packet.cmd === 'publish' &&
      packet.topic.endsWith('requests/changes')
        ? 'lose'
        : 'pass'
  },
  end() {
    broker.judge = () => 'pass'
  },
}

/** Nothing is wrong. */
const fine = { says: /^$/, arrives: true }

const kinds: [what: string, Expected, { begin(): void; end(): void }][] = [
  ['a reply of words', { says: /not JSON in UTF-8/, ...unread }, does('garbage')],
  ['half a reply', { says: /not JSON in UTF-8/, ...unread }, does('half')],
  ['a reply of 8 MiB', { says: /at most 8388608 are accepted/, ...unread }, does('huge')],
  ['no reply', { says: /gave no answer|has not replied/ }, does('silence')],
  ['a reply after 30 s', { says: /gave no answer|has not replied/ }, does('late', { ms: 30_000 })],
  ['a refusal', { says: /The house is not known here/ }, does('unauthorized')],
  ['a refusal for a while', { says: /night audit/ }, does('busy', { retryAfterSeconds: 20 })],
  [
    'a reply of another type',
    { says: /pms.changes.replied was expected/, ...unread },
    replies(() => ({ type: 'pms.offers.answered', data: { answers: [] } })),
  ],
  [
    'a page without cursor',
    { says: /cursor is required/, ...unread },
    replies(() => page({ changes: [], more: false })),
  ],
  [
    'a page of no list',
    { says: /changes must be/, ...unread },
    replies((cursor) => page({ changes: 'none', cursor, more: false })),
  ],
  [
    'the same page for ever',
    { says: /its cursor does not move/, ...unread },
    replies((cursor) => page({ changes: [], cursor, more: true })),
  ],
  [
    'a cursor that goes back',
    { says: /leads back/, ...unread },
    replies((cursor) => page({ changes: [], cursor: cursor === 'a' ? 'b' : 'a', more: true })),
  ],
  [
    'a broker that accepts and drops requests for changes',
    { says: /gave no answer|has not replied/ },
    dropping,
  ],
  ['retained garbage', fine, says('changes', ['garbage'], true)],
  [
    'a retained message of another property',
    fine,
    says(
      'changes',
      [
        '{"specversion":"1.0","id":"1","source":"urn:property:other","type":"pms.reservation.changed","sequence":"x","previous":"y","data":{}}',
      ],
      true,
    ),
  ],
  ['messages at topics that the house does not read', fine, says('changes/of/another', ['garbage'])],
  ['replies that nothing has asked for', fine, says('replies/of/another', ['garbage'])],
  ['a flood of garbage', fine, says('changes', Array(5_000).fill('\u0000garbage'))],
]

describe('A PMS over MQTT:', () => {
  for (const [what, expected, deeds] of kinds)
    it(`${what} stops nothing else, is named by the status, and heals`, () =>
      expectHealing(house, what, expected, deeds))
})
