import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { ChangePage } from '../../../src/pms/sync-contract.ts'
import { Problem } from '../../../src/resource/problem.ts'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse()
  await house.synchronise('pull')
})
after(() => house.stop())
afterEach(() => mended())

type Answer = (page: ChangePage, cursor: string | null) => unknown

let mended = () => {}

/** Answers so to each request for changes, until the returned function is called, or the test ends. */
function hostile(answer: Answer): () => void {
  mended()
  const { pull } = house.pms.sync
  house.pms.sync.pull = async (cursor, call) => answer(await pull(cursor, call), cursor) as ChangePage
  mended = () => {
    house.pms.sync.pull = pull
  }
  return mended
}

const retry = async (id: string) =>
  (await house.ask('POST', `/api/config/v1/quarantined-messages/${id}/actions/retry`)).body.data.attributes
const cursorNow = async () => (await house.state()).pullCursor as string
const nothingKept = () =>
  eventually('an empty quarantine', async () => (await house.quarantined()).length === 0)
const kept = async () => (await house.quarantined()).map(({ attributes }) => attributes)

const pageless: [what: string, answer: Answer, reason: RegExp][] = [
  ['words', () => 'everything', /must be object/],
  ['nothing', () => undefined, /./],
  ['a list', ({ changes }) => changes, /must be object/],
  ['a page without a cursor', ({ cursor: _, ...page }) => page, /cursor is required/],
  ['a page with a number for its cursor', (page) => ({ ...page, cursor: 3 }), /cursor must be/],
  ['a page with an empty cursor', (page) => ({ ...page, cursor: '' }), /cursor must not be empty/],
  ['a page with a cursor of 1,001 characters', (page) => ({ ...page, cursor: 'c'.repeat(1_001) }), /cursor/],
  [
    'a page of no list, at its own cursor',
    (page, cursor) => ({ ...page, changes: null, cursor }),
    /changes must be/,
  ],
]

describe('A page that cannot be used and names no other cursor', () => {
  for (const [what, answer, reason] of pageless) {
    it(`(${what}) is quarantined once with its cursor, keeps the place, and is taken when it is right`, async () => {
      const after = await cursorNow()
      const mend = hostile(answer)
      house.pms.report(`P-${what}`, reported(`P-${what}`))
      house.pms.news().poke()
      await passTime(30_000)
      const [message, ...others] = await kept()
      assert.deepEqual([message?.kind, message?.retryable, others], ['Page', true, []])
      assert.ok(Number(message?.attempts) > 1)
      assert.match(String(message?.reason), reason)
      const { after: named, answer: came } = JSON.parse(String(message?.payload))
      assert.deepEqual([named, typeof came], [after, 'string'])
      assert.equal(await cursorNow(), after)
      mend()
      await passTime(61_000)
      assert.ok(await house.reservation(`P-${what}`))
      await nothingKept()
    })
  }

  it('(any value at all) does so', async () => {
    for (const value of fc.sample(fc.jsonValue(), 20)) {
      const mend = hostile(() => value)
      const reply = await house.ask('POST', `${house.configuration}/actions/pull`)
      assert.equal(reply.status, 502, reply.text)
      assert.equal((await kept()).length, 1)
      mend()
      await house.synchronise('pull')
      await nothingKept()
    }
  })

  it('is requested again from its cursor by a retry', async () => {
    const after = await cursorNow()
    const mend = hostile(() => null)
    await house.ask('POST', `${house.configuration}/actions/pull`)
    const [message] = await house.quarantined()
    const still = await retry(message!.id)
    assert.deepEqual([still.taken, /cannot be used/.test(still.reason)], [false, true])
    mend()
    house.pms.report('RETRIED', reported('RETRIED'))
    const before = house.pms.pulled.length
    assert.deepEqual(await retry(message!.id), { taken: true, reason: null })
    assert.equal(house.pms.pulled[before], after)
    assert.ok(await house.reservation('RETRIED'))
  })
})

describe('A page that cannot be used but for its cursor', () => {
  /** Spoils the page that has this reservation. */
  const spoiled = (externalId: string) =>
    hostile((page) =>
      page.changes.some((change) => change.is === 'reservation' && change.externalId === externalId)
        ? { ...page, changes: 'none' }
        : page,
    )
  /** More than a page of reservations of this name. */
  const many = (name: string) => {
    for (let at = 0; at < 25; at++) house.pms.report(`${name}-${at}`, reported(`${name}-${at}`))
  }

  it('is passed over, named by the status, and taken when it is right, with all that follows', async () => {
    const after = await cursorNow()
    const mend = spoiled('S-3')
    many('S')
    const counts = await house.synchronise('pull')
    assert.deepEqual([counts.applied, counts.quarantined], [15, 1])
    assert.ok(await house.reservation('S-24'))
    assert.equal(await house.reservation('S-3'), undefined)
    await passTime(30_000)
    const [message, ...others] = await kept()
    assert.deepEqual([message?.kind, others, JSON.parse(String(message?.payload)).after], ['Page', [], after])
    assert.match((await house.ask('GET', '/api/v2/status')).text, /requested again once a minute at most/)
    const { state, inboxLag } = await house.state()
    assert.equal(state, 'connected')
    assert.ok(Number(inboxLag) >= 20, `${inboxLag} s behind`)
    mend()
    await passTime(61_000)
    assert.ok(await house.reservation('S-3'))
    await nothingKept()
    assert.equal((await house.state()).fault, null)
  })

  it('is taken by a retry', async () => {
    const mend = spoiled('T-3')
    many('T')
    await house.synchronise('pull')
    const [message] = await house.quarantined()
    assert.equal((await retry(message!.id)).taken, false)
    mend()
    assert.equal((await retry(message!.id)).taken, true)
    assert.ok(await house.reservation('T-3'))
  })

  it('is forgotten with its cursor: all is fetched', async () => {
    const after = await cursorNow()
    const mend = spoiled('U-3')
    many('U')
    await house.synchronise('pull')
    mend()
    hostile((page, cursor) => {
      if (cursor === after) throw new Problem('page-cursor-unknown', 'It is forgotten.')
      return page
    })
    const before = house.pms.pulled.length
    await passTime(61_000)
    assert.ok(house.pms.pulled.slice(before).includes(null))
    assert.ok(await house.reservation('U-3'))
    await nothingKept()
  })

  it('is of no interest once a person has removed it', async () => {
    const mend = spoiled('V-3')
    many('V')
    await house.synchronise('pull')
    const [message] = await house.quarantined()
    await house.ask('DELETE', `/api/config/v1/quarantined-messages/${message!.id}`)
    await passTime(61_000)
    assert.deepEqual([await kept(), (await house.state()).fault], [[], null])
    mend()
    await house.synchronise('full-load')
    assert.ok(await house.reservation('V-3'))
  })
})

describe('Pages that a PMS sends unasked', () => {
  it('and that cannot be used keep back no request for changes', async () => {
    house.pms.report('N', reported('N'))
    for (let at = 0; at < 200; at++) {
      house.pms.news().changes({ previous: '0', changes: null, cursor: 7 } as never)
      await passTime(50)
    }
    assert.ok(await house.reservation('N'))
  })
})
