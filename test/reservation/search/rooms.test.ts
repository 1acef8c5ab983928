import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc, { seed } from '../../seed.ts'
import { openHouse, type ReservationHouse, tomorrow, yesterday } from '../api/house.ts'
import { booked, search } from './found.ts'

/** The name of each room, and what is typed for it. */
const rooms: [name: string, ...typed: string[]][] = [
  ['Rosengarten', 'rosengarten', 'ROSEN GARTEN', 'rosen', 'Ros'],
  ['Süd 1', 'süd 1', 'sued1', 'sud1', 'SUD 1', 'Su\u0308d-1'],
  ['12/A', '12/a', '12a', '12 A', '１２Ａ'],
  ['Königssuite „Ludwig II.“', 'Königssuite Ludwig II', 'konigssuite'],
  ['İzmir', 'izmir', 'IZMIR', 'İZMİR'],
  ['São João', 'sao joao', 'SAO'],
  ['Łódź-3', 'lodz 3', 'Lodz3'],
  ['L’Étoile', 'letoile', "l'etoile"],
  ['桜 1', '桜1', '桜-１'],
  ['桜の間', '桜の間', '桜'.concat('の間')],
  ['Комната 5', 'комната 5', 'КОМНАТА5'],
  ['Pool+Bar / EG (Nord)', 'pool bar eg nord', 'PoolBar'],
]

describe('the search of the desk for a room', () => {
  let house: ReservationHouse
  let unitTypeId: string
  const stays = new Map<string, string>()

  /** A room with a guest who arrives today. */
  async function taken(name: string): Promise<string> {
    const unitId = await house.make('units', { name, status: 'Clean', unitTypeId })
    return booked(house, 'Roomer', { units: [{ unitTypeId, unitId }] })
  }
  before(async () => {
    house = await openHouse()
    unitTypeId = await house.make('unit-types', { code: 'ROOM', name: 'Room' })
    for (const [name] of rooms) stays.set(name, await taken(name))
  })
  after(() => house.stop())

  for (const [name, ...typed] of rooms)
    it(`finds ${name} by ${typed.join(', ')}`, async () => {
      for (const text of [name, ...typed]) {
        const found = await search(house, text)
        assert.deepEqual(found[0], { id: stays.get(name), by: 'room', names: 'Roomer' }, text)
      }
    })

  it('finds any name, whatever its case, accents, spaces and signs', async () => {
    const letter = fc.constantFrom(...'abcdeghjklmnpqrtvwxyzäéîñçšůå0123456789')
    const word = fc.string({ unit: letter, minLength: 3, maxLength: 6 })
    const names = fc.tuple(word, fc.constantFrom(' ', '/', '-', '. ', ' & '), word)
    for (const [one, sign, other] of fc.sample(names, { numRuns: 6, seed })) {
      const id = await taken(`${one}${sign}${other}`)
      const bare = `${one}${other}`.normalize('NFD').replace(/\p{M}/gu, '')
      for (const typed of [`${one}${sign}${other}`, bare, bare.toUpperCase(), `${one} ${other}`]) {
        const found = await search(house, typed)
        assert.deepEqual([found[0]?.id, found[0]?.by], [id, 'room'], `${typed} for ${one}${sign}${other}`)
      }
    }
  })

  it('does not hide a guest who is called as many rooms are', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await taken(`Kammer ${number}`)
    const unitId = await house.make('units', { name: 'Kammer 9', status: 'Clean', unitTypeId })
    const units = [{ unitTypeId, unitId }]
    const guest = await booked(house, 'Kammer', { units, startDate: tomorrow, endDate: '2026-06-04' })
    const found = await search(house, 'kammer')
    assert.deepEqual([found.length, found.find(({ id }) => id === guest)?.by], [9, 'guest'])
  })

  it('finds no room by its first two letters', async () => {
    assert.deepEqual(
      (await search(house, 'Ro')).filter(({ by }) => by === 'room'),
      [],
    )
  })

  it('has who is in house before who comes, and these before who was there', async () => {
    const unitId = await house.make('units', { name: 'Turm', status: 'Clean', unitTypeId })
    const units = [{ unitTypeId, unitId }]
    const { id: former, path } = await house.told({
      units,
      startDate: '2026-05-20',
      endDate: '2026-05-21',
      profiles: [{ role: 'PrimaryGuest', firstName: 'Maja', lastName: 'Former' }],
    })
    assert.equal((await house.ask('PATCH', path, { body: { status: 'NoShow' } })).status, 204)
    const later = await booked(house, 'Later', { units, startDate: tomorrow, endDate: '2026-06-04' })
    const inHouse = await booked(house, 'Here', {
      units,
      startDate: yesterday,
      endDate: tomorrow,
      status: 'InHouse',
    })
    assert.deepEqual(
      (await search(house, 'turm')).map(({ id }) => id),
      [inHouse, later, former],
    )
    assert.deepEqual(
      (await search(house, 'tur')).map(({ id }) => id),
      [inHouse, later],
      'a part of a name finds who has the room now or later',
    )
  })

  it('has the room of the whole name before those that begin with it', async () => {
    const longer = await Promise.all(Array.from({ length: 9 }, (_, at) => taken(`Nord 1${at}`)))
    const whole = await taken('Nord 1')
    const found = await search(house, 'nord 1')
    assert.equal(found[0]?.id, whole)
    assert.equal(found.length, 8)
    assert.ok(found.slice(1).every(({ id }) => longer.includes(id)))
  })

  it('is asked only by who may read rooms', async () => {
    const token = await house.tokenOf('kiosk')
    const { status, body } = await house.ask('GET', '/api/v2/found-stays?filter[text]=Rosengarten', { token })
    assert.deepEqual([status, body.errors[0].code], [403, 'scope-required'])
  })
})
