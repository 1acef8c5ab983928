import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { until } from '../../../eventually.ts'
import fc from '../../../seed.ts'
import { guestOf } from './guests.ts'
import { heard, type PmsLine, pmsLine, refusals, said } from './pms-line.ts'

const minute = 60_000
const pass = ({ clock }: PmsLine, ms: number) => clock.during(clock.sleep(ms))

/** A line over which everything was reported. */
async function settled(test: TestContext): Promise<PmsLine> {
  const line = await pmsLine(test)
  line.desk.checkIn(guestOf('1', '101'))
  await line.pull()
  line.nudges = 0
  return line
}

/** Sends what is no record, and waits until it is refused. */
async function loses(line: PmsLine, what = 'no record'): Promise<void> {
  const before = refusals(line).length
  line.foreign.send(what)
  await until(() => refusals(line).length > before)
}

describe('a record over FIAS that was lost', () => {
  it('has a database swap requested after half a minute, which settles what could not be read', async (test) => {
    const line = await settled(test)
    line.desk.isReporting = false
    line.desk.checkIn(guestOf('2', '102'))
    line.desk.isReporting = true
    await loses(line)
    assert.equal(line.nudges, 0)
    await pass(line, minute)
    assert.equal(line.nudges, 1)
    const page = await line.pull(line.pages.at(-1)!.cursor)
    assert.deepEqual(
      [said(page.changes), page.refused, page.settlesUnreadable],
      [['2 InHouse 102: Müller'], [], true],
    )
    assert.equal(line.desk.swaps, 2)
    assert.equal((await line.pull(page.cursor)).settlesUnreadable, false)
    await pass(line, 10 * minute)
    assert.deepEqual([line.nudges, line.desk.swaps], [1, 2], 'no more of them')
  })

  for (const record of [
    'GI|G#|RN101|GA260601|GD260603|',
    'GI|G#5|RN|GA260601|GD260603|',
    'GC|G#5|RN101|GA260230|GD260603|',
    'GO|',
    'RE|RN101|RS0|',
    ...fc.sample(fc.stringMatching(/^[a-z!-/:-@]{1,40}$/), 3),
  ])
    it(`is one that cannot be read: ${record}`, async (test) => {
      const line = await settled(test)
      await loses(line, record)
      await pass(line, minute)
      assert.equal(line.nudges, 1)
    })

  it('stops no other change while the PMS does not answer the request for a swap', async (test) => {
    const line = await settled(test)
    await loses(line)
    await pass(line, minute)
    line.desk.manners.silent = 1
    await assert.rejects(line.pull(line.pages.at(-1)!.cursor), { code: 'adapter-timeout' })
    line.desk.checkIn(guestOf('2', '102'))
    await until(() => heard(line).includes('2 InHouse 102: Müller'))
  })

  it('is asked for more and more rarely while no swap can be read', async (test) => {
    const line = await settled(test)
    line.desk.checkIn(guestOf('7', '103', { GA: '269999' }))
    for (let beat = 0; beat < 12 * 60; beat++) {
      await pass(line, minute)
      await line.pull(line.pages.at(-1)?.cursor ?? null)
    }
    assert.ok(line.desk.swaps >= 8 && line.desk.swaps <= 20, `${line.desk.swaps} swaps in 12 hours`)
  })

  it('names each guest in a room that does not exist, until he is in one that does', async (test) => {
    const line = await settled(test)
    line.desk.checkIn(guestOf('5', '901'))
    line.desk.checkIn(guestOf('6', '902'))
    await until(() => refusals(line).length === 2)
    assert.deepEqual(
      refusals(line).map(({ externalId, payload }) => [externalId, payload]),
      [
        ['5', 'GI|G#5|RN901'],
        ['6', 'GI|G#6|RN902'],
      ],
    )
    const { changes: _, refused } = await line.pull()
    assert.equal(refused.length, 2, 'a swap does not settle that')
    line.desk.move('5', '102')
    line.desk.checkOut('6')
    await until(() => heard(line).includes('5 InHouse 102: Müller'))
    await pass(line, minute)
    const page = await line.pull(line.pages.at(-1)!.cursor)
    assert.deepEqual([page.refused, page.settlesUnreadable], [[], true])
  })

  it('is looked for no longer in a swap that has lost its end', async (test) => {
    const line = await settled(test)
    line.foreign.send('DS|')
    await until(() => line.feed.state().swap === 'coming')
    for (let at = 0; at < 100 && line.feed.state().swap === 'coming'; at++) {
      line.desk.checkIn(guestOf('2', '102'))
      await pass(line, 1_000)
    }
    assert.equal(line.feed.state().swap, 'none', 'a swap of guests who never end is given up')
    const { changes } = await line.pull()
    assert.deepEqual(said(changes), ['1 InHouse 101: Müller', '2 InHouse 102: Müller'])
  })

  it('is none that arrives in a swap which stops in the middle', async (test) => {
    const line = await settled(test)
    line.foreign.send('DS|')
    line.desk.checkIn(guestOf('2', '102'))
    await until(() => line.feed.state().swap === 'coming')
    await pass(line, minute)
    await until(() => heard(line).length === 1)
    assert.deepEqual(heard(line), ['2 InHouse 102: Müller'])
  })

  it('is none in a swap that begins a second time', async (test) => {
    const line = await settled(test)
    line.foreign.send('DS|', 'GI|G#9|RN103|GA269999|', 'DS|')
    for (const [number, room] of [
      ['1', '101'],
      ['3', '103'],
    ] as const)
      line.desk.checkIn(guestOf(number, room))
    line.foreign.send('DE|')
    await until(() => heard(line).length === 1)
    assert.deepEqual([heard(line), refusals(line)], [['3 InHouse 103: Müller'], []])
  })
})

describe('a PMS that asks again and again for the announcement over FIAS', () => {
  for (const times of [2, 5, 8, 40, 200])
    it(`receives all of it: ${times} times`, async (test) => {
      const line = await pmsLine(test, { framing: 'serial' })
      line.foreign.send(...Array<string>(times).fill('LS|'))
      line.desk.checkIn(guestOf('1', '101'))
      await until(() => heard(line).length === 1 || line.nudges > 1)
      await line.pull()
      await until(() => !line.foreign.isDescribing)
      assert.deepEqual([...line.foreign.wanted.keys()], ['GI', 'GC', 'GO', 'RE', 'DR', 'DS', 'DE'])
      assert.ok(line.foreign.links <= times + 1)
    })
})
