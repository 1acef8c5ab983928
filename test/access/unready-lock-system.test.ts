import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type OnlineHouse, onlineHouse, onlineSystems } from './faults-online.ts'
import { until } from './house-with-doors.ts'

/** Why a lock system takes no request for the encoder in the dispenser, and the code that the guest's screen is answered with. */
const reasons: [name: string, begin: (house: OnlineHouse) => Promise<void>, codes: string[]][] = [
  ['is switched off', async (house) => house.switchOff(true), ['lock-system-unreachable']],
  [
    'has not answered the request before',
    async (house) => {
      // It hears no cancellation either.
      const unheard = Array.from({ length: 30 }, () => ({ at: 'EX', does: 'silence' as const }))
      const request = house.system.driver === 'fias-key' ? 'KR' : 'CN'
      house.system.misbehaviours.push({ at: request, does: 'silence' }, ...unheard)
      const lost = await house.put.dispenser('FIRST', '101')
      assert.deepEqual([lost.status, lost.body.meta?.outcomeUnknown], [502, true], lost.text)
      await until(
        'the end of the first card',
        () => house.lobby.dispenser.bin.length,
        (length) => length === 1,
      )
    },
    ['lock-system-busy', 'encoder-busy'],
  ],
]

for (const name of Object.keys(onlineSystems) as (keyof typeof onlineSystems)[])
  for (const [reason, begin, codes] of reasons)
    it(`${name}: a lock system that ${reason} costs no card of the dispenser`, async (test) => {
      const house = await onlineHouse(name, true)
      test.after(() => house.stop())
      const { dispenser } = house.lobby
      await begin(house)
      const before = [dispenser.stack.length, dispenser.bin.length]
      for (const stay of ['A', 'B', 'C']) {
        const refused = await until(
          'a machine that is ready',
          () => house.put.dispenser(stay, '102'),
          ({ body }) => !/^dispenser/.test(body.meta?.errorCode),
        )
        assert.equal(refused.status, 502, refused.text)
        assert.ok(codes.includes(refused.body.meta.errorCode), refused.text)
        assert.equal(refused.body.meta.outcomeUnknown, false)
      }
      assert.deepEqual([dispenser.stack.length, dispenser.bin.length], before)
    })
