import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seed } from '../../seed.ts'
import { atRest, stateOf } from './week/hotel.ts'
import { httpLine, mqttLine } from './week/line.ts'
import { houseBook } from './week/plain.ts'
import { expectAgreement, expectedOf, listedConflicts, live, openWeek } from './week/week.ts'

/** Another one, or fewer changes over MQTT: `TEST_SEED=7 WEEK_CHANGES=500 node --test test/long/pms/week-offline.test.ts`. */
const overMqtt = Number(process.env.WEEK_CHANGES ?? 2_000)

describe(`a week without a line, with seed ${seed}`, () => {
  for (const [name, line, reservations, changes] of [
    ['HTTP', httpLine, 360, 2_000],
    ['MQTT', mqttLine, Math.ceil(overMqtt * 0.18) + 30, overMqtt],
  ] as const) {
    it(`ends in agreement on everything over ${name}, with ${changes} changes on either side`, async (t) => {
      const options = { seed, reservations, changes, line }
      const week = await openWeek(t, options)
      const { house, pms, configurationId } = week
      await expectAgreement(week)
      await week.line.cut()
      await live(week, options)
      const before = await houseBook(house.ask)
      assert.ok((await stateOf(house.ask, configurationId)).eventsBehind > changes / 2)
      const expected = expectedOf(week, before)
      await week.line.mend()
      // A line of requests says nothing by itself when it is back: who waits at the desk has it looked for at once.
      await atRest(house.ask, configurationId, pms, { urge: name === 'HTTP' })
      const book = await expectAgreement(week)
      assert.deepEqual(await listedConflicts(house.ask, book), expected)
      // Nothing failed, so nothing was sent twice.
      assert.equal(new Set(pms.received.map(({ id }) => id)).size, pms.received.length)
      assert.ok(expected.length > 30, `${expected.length} conflicts`)
      t.diagnostic(JSON.stringify(week.did))
    })
  }
})
