import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { Offer } from '../../../src/pms/sync-contract.ts'
import { passTime } from '../../test-clock.ts'
import { silence } from '../adapters/scripted-adapter.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { playedPms, reported } from './played-pms.ts'

let house: LinkedHouse
afterEach(() => house.stop())

/** A house in which so many reservations of a PMS were changed while it was away. Each of its answers takes `msEach`. */
async function changedWhileAway(count: number, msEach: number, offersAtOnce?: number): Promise<void> {
  const pms = playedPms({ pageSize: 100 })
  if (offersAtOnce !== undefined) pms.sync.offersAtOnce = offersAtOnce
  const { push } = pms.sync
  pms.sync.push = async (offers, call) => {
    const answers = []
    for (const offer of offers) {
      await house.clock.sleep(msEach, { signal: call.signal })
      answers.push(...(await push!([offer], call)))
    }
    return answers
  }
  house = await openLinkedHouse({ pms, attributes: { heartbeatSeconds: 30 } })
  for (let number = 1; number <= count; number++) pms.report(`D${number}`, reported(`D${number}`))
  await house.synchronise('pull')
  pms.cut()
  for (const externalId of pms.entries.keys()) {
    const reservation = `/api/v2/reservations/${(await house.reservation(externalId))?.id}`
    const path = `${reservation}/stays/${(await house.attributes(reservation)).stays[0].id}`
    const reply = await house.ask('PATCH', path, { body: { comment } })
    assert.equal(reply.status, 204, reply.text)
  }
  pms.mend()
}

const comment = 'While it was away.'
const sentCount = () =>
  [...house.pms.entries.values()].filter(({ value }) => value?.stays[0]?.comment === comment).length

async function drained(): Promise<void> {
  await eventually('all of it', () => sentCount() === house.pms.entries.size)
  await eventually('an empty outbox', async () => (await house.state()).outbox === 0)
}

describe('An offer that is put off', () => {
  it('is not put off until a time that a wrong clock has named', async () => {
    await changedWhileAway(1, 1, 1)
    await drained()
    const { push } = house.pms.sync
    const now = house.clock.now()
    house.clock.set(now + 400 * 86_400_000)
    house.pms.sync.push = () => silence()
    const [externalId = ''] = house.pms.entries.keys()
    const reservation = `/api/v2/reservations/${(await house.reservation(externalId))?.id}`
    const path = `${reservation}/stays/${(await house.attributes(reservation)).stays[0].id}`
    const reply = await house.ask('PATCH', path, { body: { comment: 'By a wrong clock.' } })
    assert.equal(reply.status, 204, reply.text)
    await eventually('its being put off', () => house.count('SELECT max(attempts) FROM sync_offer') > 0)
    house.clock.set(now + 3_600_000)
    house.pms.sync.push = push!
    await passTime(120_000)
    await eventually(
      'the offer',
      () => house.pms.value(externalId)?.stays[0]?.comment === 'By a wrong clock.',
    )
  })
})

describe('A backlog of offers', () => {
  it('drains to a PMS that takes one after the other, each in a deadline of its own', async () => {
    await changedWhileAway(31, 50, 1)
    await drained()
    assert.equal(house.pms.offered.length, 31, 'none was offered twice')
    assert.ok(house.eventsOf('pms.disconnected').length <= 2, 'it was never taken for silent')
  })

  it('drains to a PMS that takes longer for all of it than the deadline: the next batch is half as large', async () => {
    await changedWhileAway(31, 50)
    await drained()
  })

  it('is not held up by one that the PMS never answers', async () => {
    await changedWhileAway(5, 5, 1)
    const [first] = [...house.pms.entries.keys()]
    const { push } = house.pms.sync
    house.pms.sync.push = (offers: readonly Offer[], call) =>
      offers.some(({ externalId }) => externalId === first) ? silence() : push!(offers, call)
    await eventually('the others', () => sentCount() === 4)
    house.pms.sync.push = push!
    await house.synchronise('push')
    await drained()
  })
})
