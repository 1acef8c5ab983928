import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FaultKind } from '../../../src/simulators/cloudevents/misbehaviour.ts'
import type { Verdict } from '../../pms/adapters/cloudevents/mqtt/broker/broker-link.ts'
import { atPacket } from '../../pms/adapters/cloudevents/mqtt/broker/faults.ts'
import { seed } from '../../seed.ts'
import { atRest, stateOf } from './week/hotel.ts'
import { httpLine, mqttLine } from './week/line.ts'
import { houseBook } from './week/plain.ts'
import { quickCloudEvents } from './week/quick-adapter.ts'
import {
  expectAgreement,
  expectedOf,
  listedConflicts,
  live,
  openWeek,
  remember,
  type Week,
} from './week/week.ts'

/** Another one: `TEST_SEED=7 node --test test/long/pms/week-faults.test.ts`. */
const hour = 3_600_000

/**
 * A round: the line is gone while both sides change a few reservations, and something befalls the exchange when it is back.
 * Both sides agree on everything in the end, and what they did not agree on by themselves is listed.
 */
async function rounds(t: TestContext, week: Week) {
  let number = 0
  let quarantined = 0
  return async (name: string, befalls: () => void, refused = 0): Promise<void> => {
    const { house, pms, configurationId, line } = week
    const listed = await listedConflicts(house.ask, await houseBook(house.ask))
    remember(week)
    await line.cut()
    await live(week, { changes: 4, seed, firstDeed: 100 + 4 * number++, spanMs: hour })
    const before = await houseBook(house.ask)
    const expected = expectedOf(week, before)
    await line.mend()
    befalls()
    try {
      await atRest(house.ask, configurationId, pms, { urge: true })
      quarantined += refused
      const book = await expectAgreement(week, quarantined)
      const found = await listedConflicts(house.ask, book)
      assert.deepEqual(
        expected.filter((each) => !found.includes(each)),
        [],
      )
      const others = found.filter((each) => !listed.includes(each) && !expected.includes(each))
      assert.deepEqual(others, [])
    } catch (error) {
      t.diagnostic(
        `round ${number}, ${name}, with seed ${seed}: ${JSON.stringify(await stateOf(house.ask, configurationId))}`,
      )
      throw error
    }
  }
}

const options = { seed, reservations: 30, changes: 500 }

describe(`a line that fails while it is caught up with, with seed ${seed}`, () => {
  for (const [verdict, step] of [
    ['cut-before', 1],
    ['cut-after', 3],
    ['lose', 4],
    ['twice', 4],
    ['after-next', 4],
  ] as [Verdict, number][]) {
    it(`ends in agreement where a broker does to a packet: ${verdict}`, async (t) => {
      const attributes = { timeoutMs: 300 }
      const week = await openWeek(t, { ...options, line: mqttLine, adapters: [quickCloudEvents], attributes })
      const round = await rounds(t, week)
      let n = 1
      for (let happened = true; happened && n < 120; n += step) {
        const isOfHouse = ({ clientId }: { clientId: string }) => clientId.startsWith('nightporter-')
        const mishap = atPacket(n, verdict, isOfHouse)
        await round(`${verdict} at packet ${n}`, () => {
          week.line.broker!.judge = mishap
        })
        happened = mishap.happened()
      }
      assert.ok(n > 10, `${n} packets`)
    })
  }

  it('ends in agreement where a broker is killed and forgets, and where news are lost, doubled, late or garbage', async (t) => {
    const attributes = { timeoutMs: 300 }
    const week = await openWeek(t, { ...options, line: mqttLine, adapters: [quickCloudEvents], attributes })
    const { broker } = week.line
    const round = await rounds(t, week)
    for (const forgetting of [false, true]) {
      await round('killed', () => {
        void broker!.kill().then(() => broker!.start({ forgetting }))
      })
    }
    for (const deed of ['lose', 'twice', 'after-the-next', 'garbage'] as const) {
      week.pms.misbehaviour.notifications.push(deed, deed)
      await round(deed, () => {})
    }
  })

  it('ends in agreement whatever a PMS answers over HTTP', async (t) => {
    const week = await openWeek(t, { ...options, line: httpLine, attributes: { timeoutMs: 500 } })
    const round = await rounds(t, week)
    const { misbehaviour } = week.pms
    const deeds: FaultKind[] = [
      'cut-before',
      'cut-after',
      'half',
      'garbage',
      'busy',
      'too-many',
      'unauthorized',
      'fail',
    ]
    for (const at of ['pms.changes.requested', 'pms.reservations.offered', 'events'] as const) {
      for (const does of deeds) await round(`${does} at ${at}`, () => misbehaviour.faults.push({ at, does }))
    }
    await round('hostile', () => misbehaviour.hostile.push(...hostile), hostile.length)
    const refused = await week.house.ask('GET', '/api/config/v1/quarantined-messages')
    for (const { attributes } of refused.body.data) assert.ok(attributes.reason.length > 0)
  })
})

/** What is no change, mixed into a page of changes. */
const hostile: never[] = [
  null,
  'DROP TABLE reservation',
  { type: 'pms.reservation.changed', data: { externalId: 'X', revision: 'newest', reservation: {} } },
  { type: '__proto__', data: { constructor: 1 } },
] as never[]
