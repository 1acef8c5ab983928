import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { monday } from '../appliance.ts'
import { openHouse, type ReservationHouse, refused } from '../reservation/api/house.ts'

const hour = 3_600_000

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
beforeEach(() => house.clock.set(monday))
after(() => house.stop())

const names = (reply: { body: { data: { attributes: { name: string } }[] } }) =>
  reply.body.data.map(({ attributes }) => attributes.name)

/** A page of the unit types that a test made, by name, backwards or not, going on from an id. */
const from = (prefix: string, cursor: 'after' | 'before', id: string) =>
  house.ask(
    'GET',
    `/api/v2/unit-types?filter[code][like]=${prefix}&sort=-name&page[size]=1&page[${cursor}]=${id}`,
  )

async function three(prefix: string): Promise<string[]> {
  const ids: string[] = []
  for (const code of ['a', 'b', 'c'])
    ids.push(await house.make('unit-types', { code: prefix + code, name: code }))
  return ids
}

const drop = async (id: string) =>
  assert.equal((await house.ask('DELETE', `/api/v2/unit-types/${id}`)).status, 204)

describe('a page continues from a deleted row', () => {
  it('for 24 hours, in both directions', async () => {
    const [, middle = ''] = await three('day-')
    await drop(middle)
    for (const hours of [0, 1, 23, 23.999]) {
      house.clock.set(monday + hours * hour)
      assert.deepEqual(names(await from('day-', 'after', middle)), ['a'])
      assert.deepEqual(names(await from('day-', 'before', middle)), ['c'])
    }
  })

  it('and after that it is unknown, even if nothing else was deleted since', async () => {
    const [, middle = ''] = await three('over-')
    await drop(middle)
    house.clock.set(monday + 24 * hour + 1)
    for (const cursor of ['after', 'before'] as const) {
      const reply = await from('over-', cursor, middle)
      refused(reply, 400, 'page-cursor-unknown')
      assert.deepEqual(reply.body.errors[0].source, { parameter: `page[${cursor}]` })
    }
  })

  it('after a restart', async () => {
    const [, middle = ''] = await three('again-')
    await drop(middle)
    await house.restart()
    assert.deepEqual(names(await from('again-', 'after', middle)), ['a'])
  })

  it('and also the row after it, and a row that was created meanwhile is at its position', async () => {
    const [first = '', middle = '', last = ''] = await three('more-')
    await drop(middle)
    await drop(first)
    await house.make('unit-types', { code: 'more-d', name: 'bb' })
    await house.make('unit-types', { code: 'more-e', name: 'aa' })
    assert.deepEqual(names(await from('more-', 'after', middle)), ['aa'])
    assert.deepEqual(names(await from('more-', 'before', middle)), ['bb'])
    await drop(last)
    assert.deepEqual(names(await from('more-', 'after', last)), ['bb'])
  })

  it('that was deleted with its reservation', async () => {
    const ids: string[] = []
    for (const externalId of ['gone-1', 'gone-2', 'gone-3']) {
      ids.push(await house.make('reservations', { externalId }))
    }
    assert.equal((await house.ask('DELETE', `/api/v2/reservations/${ids[1]}`)).status, 204)
    const path = `/api/v2/reservations?filter[externalId][like]=gone-&sort=-externalId&page[after]=${ids[1]}`
    const { body } = await house.ask('GET', path)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [ids[0]],
    )
  })

  it('but not by a field of another resource', async () => {
    const id = await house.make('amenities', { code: 'GONE', name: 'Gone', category: 'Other' })
    assert.equal((await house.ask('DELETE', `/api/v2/amenities/${id}`)).status, 204)
    refused(await house.ask('GET', `/api/v2/units?page[after]=${id}`), 400, 'page-cursor-unknown')
  })
})
