import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { noLimits } from '../../no-limits.ts'
import { openHouse, type ReservationHouse } from './house.ts'

let house: ReservationHouse
let kiosk: string
let desk: string
before(async () => {
  house = await openHouse({ rateLimits: { ...noLimits, search: { quota: 6, seconds: 60 } } })
  kiosk = await house.tokenOf('kiosk')
  desk = await house.tokenOf('frontdesk')
})
after(() => house.stop())

const stayOfOwn = async () => {
  const { unitTypeId } = await house.rooms(1)
  return (await house.stay({ units: [{ unitTypeId }] })).id
}
const handOver = (id: string, token = kiosk, body: object = {}) =>
  house.ask('POST', `/api/v2/stays/${id}/actions/hand-over`, { token, body })
const listed = async (query = '') => {
  const { body } = await house.ask('GET', `/api/v2/hand-overs${query}`, { token: desk })
  return body.data as { id: string; attributes: Record<string, unknown> }[]
}

describe('a stay that a kiosk hands over', () => {
  it('is found at the desk by its code, with what stopped the guest, until it is finished', async () => {
    const id = await stayOfOwn()
    const told = { failure: 'dispenser-jam', step: 'card', language: 'pt' }
    const { status, body } = await handOver(id, kiosk, told)
    assert.equal(status, 201)
    const { code, stayId } = body.data.attributes
    assert.match(code, /^\d{4}$/)
    assert.equal(stayId, id)
    const again = await handOver(id, kiosk, { ...told, step: 'payment' })
    assert.equal(again.body.data.attributes.code, code, 'a guest has one code')
    const [found, ...others] = await listed(`?filter[code]=${code}`)
    assert.equal(others.length, 0)
    assert.partialDeepStrictEqual(found!.attributes, { code, stayId: id, ...told, step: 'payment' })
    const events = await house.ask(
      'GET',
      `/api/v2/events?filter[subject]=stays/${id}&filter[type]=stay.handed-over`,
      {
        token: desk,
      },
    )
    assert.partialDeepStrictEqual(events.body.data[0].attributes.event.data, {
      handOverId: found!.id,
      failure: 'dispenser-jam',
    })
    assert.doesNotMatch(events.text, new RegExp(`"${code}"`), 'the code is not in the event')
    const path = `/api/v2/hand-overs/${found!.id}`
    assert.equal((await house.ask('DELETE', path, { token: desk })).status, 204)
    assert.deepEqual(await listed(), [])
  })

  it('ends after four hours, and its code can be given again', async () => {
    const id = await stayOfOwn()
    const first = (await handOver(id)).body.data
    house.clock.advance(4 * 3_600_000 - 1)
    assert.equal((await listed()).length, 1)
    house.clock.advance(1)
    assert.deepEqual(await listed(), [])
    const second = (await handOver(id)).body.data
    assert.notEqual(second.id, first.id)
    assert.deepEqual(
      (await listed()).map((each) => each.id),
      [second.id],
    )
    await house.ask('DELETE', `/api/v2/hand-overs/${second.id}`, { token: desk })
  })

  it('has a code that no other open one has', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, stayOfOwn))
    const made = await Promise.all(ids.map((id) => handOver(id, desk)))
    const codes = made.map(({ body }) => body.data.attributes.code)
    assert.equal(new Set(codes).size, codes.length)
  })

  it('is read by no kiosk, which also cannot try many', async () => {
    for (const [method, path] of [
      ['GET', '/api/v2/hand-overs'],
      ['GET', '/api/v2/hand-overs?filter[code]=1234'],
      ['DELETE', `/api/v2/hand-overs/${(await listed())[0]!.id}`],
    ] as const) {
      const { status, body } = await house.ask(method, path, { token: kiosk })
      assert.deepEqual([status, body.errors[0].code], [403, 'scope-required'])
    }
    house.clock.advance(60_000)
    const id = await stayOfOwn()
    const answers: number[] = []
    for (let count = 0; count < 7; count++) answers.push((await handOver(id)).status)
    assert.deepEqual(answers, [...Array(6).fill(201), 429])
  })
})
