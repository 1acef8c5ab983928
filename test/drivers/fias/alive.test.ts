import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { vendorLink } from '../../../drivers/fias/as-key-system/vendor-link.ts'
import { pmsLink } from '../../../drivers/fias/as-pms/pms-link.ts'
import { codePage } from '../../../drivers/fias/code-page.ts'
import { type FiasRecord, recordText } from '../../../drivers/fias/record.ts'
import { simulatedLine } from '../../../drivers/fias/simulator/simulated-line.ts'
import { testClock } from '../../test-clock.ts'

/** Stands still unless it is told to `pass`. */
const clock = testClock({ always: false })
const pass = (ms: number) => clock.during(clock.sleep(ms))

const common = {
  clock,
  framing: 'tcp',
  page: codePage('windows-1252'),
  patience: 1,
  wallTime: () => ({ date: '2026-08-01', time: '12:00:00' }),
} as const
const minute = 60_000

/** What is heard at the other end of a link, where nobody says anything but what he is told. */
function farEnd(test: TestContext) {
  const [near, far] = duplexPair()
  far.once('close', () => near.destroy())
  near.once('close', () => far.destroy())
  test.after(() => near.destroy())
  const heard: FiasRecord[] = []
  const line = simulatedLine(
    far,
    'tcp',
    { naks: 0, unacknowledged: 0 },
    {
      clock,
      receive: (record) => heard.push(record),
      gone() {},
    },
  )
  return { near, heard, say: line.send, names: () => heard.map(({ id }) => id) }
}

/** Lets everything happen that needs no time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

/** Both ends, each described and active. */
const ends = {
  PMS: (wire: ReturnType<typeof farEnd>) => {
    const link = pmsLink(wire.near, {
      ...common,
      answered() {},
      stamped() {},
      active() {},
      gone() {},
    })
    const started = link.start()
    wire.say(recordText('LD', {}), recordText('LR', { RI: 'KR', FL: 'KC' }), recordText('LA', {}))
    return started
  },
  'key system': (wire: ReturnType<typeof farEnd>) => {
    const link = vendorLink(wire.near, { ...common, family: 'DL', wanted: [], received() {} })
    const started = link.start()
    wire.say(recordText('LS', {}))
    wire.say(recordText('LA', {}))
    return started
  },
}

for (const [name, begin] of Object.entries(ends))
  describe(`a FIAS link of the ${name} that is quiet`, () => {
    async function begun(test: TestContext) {
      const wire = farEnd(test)
      await begin(wire)
      // Both ends say LA at the end of their part, and nothing after it.
      for (let turn = 0; turn < 1_000 && !wire.names().includes('LA'); turn++) await settled()
      wire.heard.length = 0
      return wire
    }

    it('is asked about every five minutes, and stays while the other answers', async (test) => {
      const { heard, names, say, near } = await begun(test)
      await pass(5 * minute - 1)
      await settled()
      assert.deepEqual(heard, [])
      await pass(1)
      await settled()
      assert.deepEqual(names(), ['LS'])
      say(recordText('LA', {}))
      await settled()
      await pass(minute)
      await settled()
      assert.equal(near.destroyed, false)
      assert.deepEqual(names(), ['LS'], 'LA is not answered')
    })

    it('is given up when nobody answers', async (test) => {
      const { near } = await begun(test)
      await pass(5 * minute)
      await settled()
      await pass(29_000)
      assert.equal(near.destroyed, false)
      await pass(1_000)
      assert.equal(near.destroyed, true)
    })

    it('ends when the other ends it', async (test) => {
      const { near, say, names } = await begun(test)
      say(recordText('LE', {}))
      await settled()
      assert.deepEqual(names(), ['LE'])
      await pass(2_000)
      assert.equal(near.destroyed, true)
    })
  })

describe('a FIAS link that does not begin', () => {
  for (const [name, make] of [
    [
      'PMS',
      (wire: ReturnType<typeof farEnd>) =>
        pmsLink(wire.near, { ...common, answered() {}, stamped() {}, active() {}, gone() {} }),
    ],
    [
      'key system',
      (wire: ReturnType<typeof farEnd>) =>
        vendorLink(wire.near, { ...common, family: 'DL', wanted: [], received() {} }),
    ],
  ] as const)
    it(`is no link for the ${name} after a quarter of a minute`, async (test) => {
      const wire = farEnd(test)
      const late = assert.rejects(make(wire).start(), /does not/)
      await settled()
      await pass(15_000)
      await late
    })

  it('does not answer start with start for ever', async (test) => {
    const wire = farEnd(test)
    const link = pmsLink(wire.near, { ...common, answered() {}, stamped() {}, active() {}, gone() {} })
    const late = assert.rejects(link.start(), /does not/)
    for (let turn = 0; turn < 20; turn++) {
      wire.say(recordText('LS', {}))
      await settled()
    }
    assert.equal(wire.names().filter((id) => id === 'LS').length, 3)
    await pass(15_000)
    await late
  })

  it('is not held up by what is no record', async (test) => {
    const wire = farEnd(test)
    wire.near.on('error', () => {})
    const link = pmsLink(wire.near, { ...common, answered() {}, stamped() {}, active() {}, gone() {} })
    const started = link.start()
    for (const text of ['', 'kr', 'LR', 'LA|', 'KA|', 'XX|A|']) wire.say(text)
    wire.say(recordText('LD', {}), recordText('LR', { RI: 'KR', FL: 'KC' }), recordText('LA', {}))
    await started
    assert.deepEqual([...link.wanted.keys()], ['KR'])
  })
})
