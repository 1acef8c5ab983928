import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ChangePage, SyncSide } from '../../../src/pms/sync-contract.ts'
import { passTime } from '../../test-clock.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
let pull: SyncSide['pull']
let path: string
before(async () => {
  house = await openLinkedHouse({ attributes: { heartbeatSeconds: 60 } })
  pull = house.pms.sync.pull
  house.pms.report('E1', reported('E1'))
  await house.synchronise('pull')
  const reservation = `/api/v2/reservations/${(await house.reservation('E1'))?.id}`
  path = `${reservation}/stays/${(await house.attributes(reservation)).stays[0].id}`
})
after(() => house.stop())

let asked = 0
/** Whatever is asked for, there is more behind it. */
const endless = async (cursor: string | null): Promise<ChangePage> => {
  asked++
  return { changes: [], refused: [], cursor: String(Number(cursor ?? 0) + 1), more: true }
}

describe('A PMS with pages without an end', () => {
  it('receives meanwhile what happens here', async () => {
    house.pms.sync.pull = endless
    house.pms.news().poke()
    await eventually('pages', () => asked > 50)
    const reply = await house.ask('PATCH', path, { body: { comment: 'Meanwhile.' } })
    assert.equal(reply.status, 204, reply.text)
    await eventually('the offer', () => house.pms.value('E1')?.stays[0]?.comment === 'Meanwhile.')
    assert.ok(asked > 50)
  })

  it('is not called in step', async () => {
    const before = Number((await house.state()).inboxLag)
    await passTime(120_000)
    const { state, inboxLag } = await house.state()
    assert.equal(state, 'connected')
    assert.ok(Number(inboxLag) >= before + 100, `${inboxLag} s, after ${before} s`)
  })

  it('is a fault that the desk sees, and that ends a request', async () => {
    await eventually('the fault', async () => (await house.state()).fault !== null)
    const state = await house.state()
    assert.match(String(state.fault), /after each page that there are more changes/)
    const reply = await house.ask('POST', `${house.configuration}/actions/pull`)
    assert.deepEqual([reply.status, reply.body.errors[0].code], [502, 'vendor-error'], reply.text)
    const status = (await house.ask('GET', '/api/v2/status')).text
    assert.match(status, /after each page that there are more changes/)
    const kinds = (await house.quarantined()).map(({ attributes }) => attributes.kind)
    assert.deepEqual(kinds, ['Page'])
  })

  it('is asked more and more rarely', async () => {
    // The pause has grown by then.
    await passTime(300_000)
    const before = asked
    await passTime(120_000)
    assert.ok(asked - before <= 4 * 100, `${asked - before} pages in two minutes`)
    assert.ok(asked > before)
  })

  it('is in step again with its last page', async () => {
    house.pms.sync.pull = pull
    house.pms.report('E1', reported('E1', { comment: 'There is an end.' }))
    house.pms.sync.pull = (cursor, call) => pull(String(Math.min(Number(cursor), 1)), call)
    await house.synchronise('pull')
    const { fault, inboxLag } = await house.state()
    assert.deepEqual([fault, inboxLag, await house.quarantined()], [null, 0, []])
  })
})

describe('More than a round has time for', () => {
  it('is all there when a request ends', async () => {
    const pms = house.pms
    house.pms.sync.pull = pull
    const before = pms.log.length
    // Each page holds ten.
    for (let number = 1; number <= 1_500; number++)
      pms.send({ is: 'reservation', externalId: 'E1', revision: 0, value: null })
    pms.report('E2', reported('E2'))
    const counts = await house.synchronise('full-load')
    assert.equal(counts.received, before + 1_501)
    assert.ok(await house.reservation('E2'))
  })
})
