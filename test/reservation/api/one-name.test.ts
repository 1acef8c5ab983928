import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, today } from './house.ts'

/** One more guest of the kind, from the seed of the tests. */
const [drawn = ''] = fc.sample(
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJ'), minLength: 5, maxLength: 9 }),
  1,
)

/** Guests with one name, as a front desk, an older import or a PMS has stored them. */
const guests: [first: string, last: string][] = [
  ['', 'Aulia'],
  ['-', 'Adesuwa'],
  ['.', 'Suharto'],
  [' ', 'Ñusta'],
  ['\u00A0', 'Щукин'],
  ['\u200B', 'Thant'],
  ['', '山田'],
  ['', drawn],
]

describe('A guest with one name', () => {
  let house: ReservationHouse
  let kiosk: string
  before(async () => {
    house = await openHouse()
    kiosk = await house.tokenOf('kiosk')
  })
  after(() => house.stop())

  const stored = (body: object) => house.ask('POST', '/api/v2/profiles', { body })

  for (const [at, [firstName, lastName]] of guests.entries())
    it(`is stored with the first name ${JSON.stringify(firstName)}, and finds the booking by ${lastName}`, async () => {
      const number = `ONE-${at}`
      const { path } = await house.told({
        reservationIds: [{ type: 'Confirmation', value: number }],
        profiles: [{ role: 'PrimaryGuest', firstName, lastName }],
      })
      const [{ id }] = (await house.attributes(path)).profiles
      const profile = await house.attributes(`/api/v2/profiles/${id}`)
      assert.deepEqual([profile.firstName, profile.lastName], [firstName, lastName])
      assert.doesNotMatch(profile.normalizedName, /^[^A-Z]|\s/)
      for (const said of [`filter[reservationIds.searchForm]=${number}`, `filter[arrival]=${today}`]) {
        const name = `filter[profile.normalizedName][like]=${encodeURIComponent(lastName)}`
        const found = await house.ask('GET', `/api/v2/reservations?${said}&${name}`, { token: kiosk })
        assert.deepEqual(
          found.body.data.map(
            (each: { attributes: { stays: { id: string }[] } }) => each.attributes.stays[0]!.id,
          ),
          [path.split('/').at(-1)],
          found.text,
        )
      }
    })

  it('is one to whom PUT and PATCH give a first name, and take it away', async () => {
    const { body } = await stored({ firstName: '', lastName: 'Sukarno' })
    const path = `/api/v2/profiles/${body.data.id}`
    for (const [method, change, firstName, normalizedName] of [
      ['PATCH', { firstName: 'Koesno' }, 'Koesno', 'KOESNO SUKARNO'],
      ['PATCH', { firstName: '' }, '', 'SUKARNO'],
      ['PUT', { firstName: 'Koesno', lastName: 'Sukarno' }, 'Koesno', 'KOESNO SUKARNO'],
      ['PUT', { firstName: '', lastName: 'Sukarno' }, '', 'SUKARNO'],
      ['PUT', { firstName: '-', lastName: 'Sukarno' }, '-', 'SUKARNO'],
    ] as const) {
      const reply = await house.ask(method, path, { body: change })
      assert.equal(reply.status, 204, reply.text)
      assert.partialDeepStrictEqual(await house.attributes(path), { firstName, normalizedName })
    }
  })

  for (const [what, names, at] of [
    ['no member firstName', { lastName: 'Sukarno' }, '/data/attributes/firstName'],
    ['the first name null', { firstName: null, lastName: 'Sukarno' }, '/data/attributes/firstName'],
    ['an empty last name', { firstName: 'Koesno', lastName: '' }, '/data/attributes/lastName'],
  ] as const)
    it(`is not a body with ${what}`, async () => {
      const { status, body, text } = await stored(names)
      assert.equal(status, 422, text)
      assert.equal(body.errors[0].source.pointer, at)
    })

  for (const again of ['', '-', '–', '\u00A0'])
    it(`is known again with the first name ${JSON.stringify(again)}`, async () => {
      const person = { lastName: `Megawati ${again}x`, number: `M-${again.charCodeAt(0)}` }
      const first = await stored({ ...person, firstName: '.' })
      assert.equal(first.status, 201, first.text)
      const second = await stored({ ...person, firstName: again })
      assert.deepEqual([second.status, second.body.errors[0].code], [409, 'person-known'])
      assert.equal(second.body.errors[0].meta.id, first.body.data.id)
      const other = await stored({ ...person, firstName: 'Diah' })
      assert.equal(other.status, 201, other.text)
    })
})
