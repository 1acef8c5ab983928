import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../../access/house-with-doors.ts'
import { monday } from '../../appliance.ts'
import { booked, july, unitTypeList as list, tell } from './availability-samples.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'
import { inHouse, withUnit } from './stay-samples.ts'

describe('A list of unit types’ availability', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const read = async (query: string) => {
    const reply = await house.ask('GET', `${list}?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  type Item = { id: string; attributes: { startDate: string; endDate: string; quantity: number } }

  it('is walked page by page, there and back', async () => {
    const { unitTypeId } = await house.rooms(3)
    for (const day of [1, 3, 5, 7, 9, 11])
      await house.stay({
        units: [{ unitTypeId }],
        startDate: `2026-07-${`${day}`.padStart(2, '0')}`,
        endDate: `2026-07-${`${day + 1}`.padStart(2, '0')}`,
      })
    for (const sort of ['', '&sort=-startDate', '&sort=quantity,-endDate', '&sort=-quantity', '&sort=-id']) {
      const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-20${sort}`
      const whole: Item[] = (await read(`${query}&page[size]=100`)).data
      assert.equal(whole.length, 12)
      const pages: Item[][] = []
      let page = await read(`${query}&page[size]=5`)
      const there = page
      for (;;) {
        pages.push(page.data)
        if (!page.links.next) break
        page = (await house.ask('GET', page.links.next)).body
      }
      assert.deepEqual(pages.flat(), whole)
      assert.deepEqual(
        pages.map(({ length }) => length),
        [5, 5, 2],
      )
      const second = (await house.ask('GET', page.links.prev)).body
      assert.deepEqual(second.data, pages[1])
      assert.deepEqual((await house.ask('GET', second.links.prev)).body.data, there.data)
    }
  })

  it('goes on from a period that is another one by now', async () => {
    const { unitTypeId } = await house.rooms(2)
    const stay = { units: [{ unitTypeId }], startDate: '2026-07-02', endDate: '2026-07-03' }
    const { path } = await house.stay(stay)
    await house.stay({ ...stay, startDate: '2026-07-04', endDate: '2026-07-05' })
    const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-06`
    const first = await read(`${query}&page[size]=2`)
    await house.ask('PATCH', path, { body: { status: 'Canceled' } })
    const rest = (await house.ask('GET', first.links.next)).body.data.map(
      ({ attributes }: Item) => attributes,
    )
    assert.deepEqual(rest, [july('04', '04', 1), july('05', '06', 2)])
  })

  it('brings the unit types along, and shows what it is asked for', async () => {
    const body = await read(
      'filter[unitTypeId]=DBL&include=unitType&fields[unit-type]=code&fields[unit-type-availability]=quantity,unitType&page[size]=1',
    )
    const [item] = body.data
    assert.deepEqual(Object.keys(item.attributes), ['quantity'])
    assert.deepEqual(item.relationships.unitType.data, { type: 'unit-type', id: body.included[0].id })
    assert.equal(item.id, `${body.included[0].id}:${today}`)
    assert.deepEqual(body.included[0].attributes, { code: 'DBL' })
  })

  it('lists every type that has units, the first one made first', async () => {
    const { data } = await read(`filter[endDate]=${today}&page[size]=100`)
    const types = (await house.ask('GET', '/api/v2/unit-types?page[size]=100')).body.data
    const ids = types.filter(
      ({ attributes }: { attributes: { quantity: number } }) => attributes.quantity > 0,
    )
    assert.deepEqual(
      data.map(({ id }: Item) => id),
      ids.map(({ id }: Item) => `${id}:${today}`),
    )
  })

  it('counts a guest who is past his time from check-in time on, and all of the next day', async () => {
    const { unitTypeId } = await inHouse(house)
    const left = async () =>
      (await read(`filter[unitTypeId]=${unitTypeId}&filter[endDate]=2026-06-10`)).data.map(
        ({ attributes }: Item) => attributes,
      )
    const hour = 3_600_000
    house.clock.set(monday + 21 * hour)
    assert.deepEqual(
      await left(),
      [{ startDate: tomorrow, endDate: '2026-06-10', quantity: 1 }],
      'at 14:00, 3 hours late',
    )
    house.clock.set(monday + 22 * hour)
    assert.deepEqual(await left(), [
      { startDate: tomorrow, endDate: tomorrow, quantity: 0 },
      { startDate: '2026-06-03', endDate: '2026-06-10', quantity: 1 },
    ])
    house.clock.set(monday + 36 * hour)
    assert.equal((await left())[0].quantity, 0, 'at 5:00 on the day after')
    house.clock.set(monday)
  })

  it('is told of for today when a guest who is past his time leaves', async () => {
    const { unitTypeId, path } = await inHouse(house)
    house.clock.set(monday + 24 * 3_600_000)
    await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.deepEqual(house.journal(`unit-types/${unitTypeId}`).at(-1), {
      type: 'availability.changed',
      data: { startDate: today, endDate: tomorrow },
    })
    house.clock.set(monday)
  })

  it('is told of, once for each type and change', async () => {
    const { unitTypeId, path, unitId } = await withUnit(house, {
      startDate: '2026-07-01',
      endDate: '2026-07-04',
    })
    const events = () =>
      house
        .journal(`unit-types/${unitTypeId}`)
        .filter(({ type }) => type === 'availability.changed')
        .map(({ data }) => data)
    // What its making has left to be told is told with the next change.
    house.clock.advance(2_000)
    await house.ask('PATCH', path, { body: { endDate: '2026-07-05' } })
    house.clock.advance(2_000)
    const made = events().length
    await house.ask('PATCH', path, { body: { comment: 'Late' } })
    assert.equal(events().length, made, 'a comment changes nothing')
    const changes = [
      [path, { endDate: '2026-07-06' }],
      [path, { status: 'Canceled' }],
      [`${list}/${unitTypeId}`, [july('01', '31', 9)]],
      [`/api/v2/units/${unitId}`, { status: 'OutOfOrder' }],
    ] as const
    for (const [changed, body] of changes) {
      await house.ask('PATCH', changed, { body })
      house.clock.advance(2_000)
    }
    assert.deepEqual(events().slice(made), [
      { startDate: '2026-07-05', endDate: '2026-07-05' },
      { startDate: '2026-07-01', endDate: '2026-07-05' },
      { startDate: '2026-07-01', endDate: '2026-07-31' },
      {},
    ])
  })

  it('is told of at once, and what follows within two seconds as one', async () => {
    const { unitTypeId } = await house.rooms(1)
    const told = () =>
      house.journal(`unit-types/${unitTypeId}`).filter(({ type }) => type === 'availability.changed')
    house.clock.advance(2_000)
    const has = (from: string, to: string) =>
      house.ask('PATCH', `${list}/${unitTypeId}`, { body: [july(from, to, 3)] })
    const before = told().length
    await has('01', '02')
    for (const day of ['10', '20', '15']) await has(day, day)
    assert.equal(told().length, before + 1)
    const all = await until('the others', told, ({ length }) => length > before + 1)
    assert.deepEqual(all.slice(before + 1), [
      { type: 'availability.changed', data: { startDate: '2026-07-10', endDate: '2026-07-20' } },
    ])
  })

  it('forgets what was told of a type that goes', async () => {
    const { unitTypeId } = await house.rooms(0)
    await tell(house, unitTypeId, [july('01', '02', 1)])
    assert.equal((await house.ask('DELETE', `/api/v2/unit-types/${unitTypeId}`)).status, 204)
    assert.deepEqual((await read(`filter[unitTypeId]=${unitTypeId}`)).data, [])
  })

  it('is kept over a restart', async () => {
    const { unitTypeId } = await booked(house)
    await tell(house, unitTypeId, [july('04', '04', 8)])
    const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-06`
    const { data } = await read(query)
    await house.restart()
    assert.deepEqual((await read(query)).data, data)
    assert.deepEqual(
      data.map(({ attributes }: Item) => attributes),
      [july('01', '02', 3), july('03', '03', 2), july('04', '04', 8), july('05', '06', 3)],
    )
  })

  it('refuses an If-Match of another revision', async () => {
    const { unitTypeId } = await house.rooms(1)
    const reply = await house.ask('PATCH', `${list}/${unitTypeId}`, {
      body: [july('01', '02', 1)],
      headers: { 'If-Match': '"99"' },
    })
    refused(reply, 412, 'revision-mismatch')
  })
})
