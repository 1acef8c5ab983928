import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { plain, resources } from '../../../src/composition/api.ts'
import type { Store } from '../../../src/jsonapi/resource-routes.ts'
import type { Request } from '../../../src/jsonapi/route.ts'
import { serializer } from '../../../src/jsonapi/serializer.ts'
import { searchRoutes } from '../../../src/reservation/search/search-routes.ts'
import type { Reader } from '../../../src/resource/keeper.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { type Connection, openReader } from '../../../src/store/connection.ts'
import { reader as readerOf } from '../../../src/store/reader.ts'
import { noScans } from '../../../src/store/scan/scans.ts'
import { openHouse, type ReservationHouse, today } from '../api/house.ts'
import { booked } from './found.ts'

describe('a search of which a part is refused', () => {
  let house: ReservationHouse
  let connection: Connection
  let reading: Reader
  before(async () => {
    house = await openHouse()
    const unitTypeId = await house.make('unit-types', { code: 'ROOM', name: 'Room' })
    const unitId = await house.make('units', { name: 'Quittenhaus', status: 'Clean', unitTypeId })
    await booked(house, 'Quitte', { units: [{ unitTypeId, unitId }] })
    connection = openReader(join(house.data, 'nightporter.db'))
    reading = readerOf(connection, resources, { version: () => 0, clock: house.clock, scans: noScans })
  })
  after(async () => {
    connection.close()
    await house.stop()
  })

  /** Asks the route, while the pages with a filter for this field fail. */
  async function answer(field: string, error: Error) {
    const page: Reader['page'] = (resource, query, ...more) =>
      query.filters.some(({ path }) => path === field)
        ? Promise.reject(error)
        : reading.page(resource, query, ...more)
    const store = {
      reader: { ...reading, page },
      resources,
      plain,
      serializer: serializer(resources, () => today),
    }
    const [route] = searchRoutes(store as unknown as Store, house.clock)
    const asked = {
      url: '/api/v2/found-stays?filter[text]=quitte',
      query: new URLSearchParams({ 'filter[text]': 'quitte' }),
      caller: { may: () => true },
      header: () => 'de',
      whenGone: () => () => {},
    }
    const { text = '' } = await route!.handle(asked as unknown as Request)
    const { data, meta } = JSON.parse(text)
    return { foundBy: data.map((each: { meta: { foundBy: string } }) => each.meta.foundBy), meta }
  }
  const busy = new Problem(
    'busy',
    'The search took longer than 10 s, because no index serves it. Filter by a number, a name or a day too.',
  )

  it('has the results of the others, and says which one and why, in the language of the clerk', async () => {
    const { foundBy, meta } = await answer('profile.normalizedName', busy)
    assert.deepEqual(foundBy, ['room'])
    const [{ detail, ...first }, ...more] = meta.unanswered
    assert.deepEqual([first, more], [{ foundBy: 'guest', code: 'busy' }, []])
    assert.match(detail, /^Die Suche/)
    const other = await answer('reservationIds.searchForm', busy)
    assert.deepEqual([other.foundBy, other.meta.unanswered[0].foundBy], [['room'], 'number'])
    assert.deepEqual(await answer('none', busy), { foundBy: ['room'], meta: undefined })
  })

  it('fails as a whole by what is no refusal, so that the log has it', () =>
    assert.rejects(answer('profile.normalizedName', new RangeError('broken')), /broken/))
})
