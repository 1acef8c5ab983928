import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse, type ReservationHouse, today } from './house.ts'

const people = [
  ['Bohuš', 'Dvořák'],
  ['Jan', 'De Haan'],
  ['Anna Maria', 'Schmidt-Özdemir'],
  ['Sinéad', "O'Brien"],
  ['Li', 'Wu'],
  ['Андрей', 'Щукин'],
  ['伟明', '王'],
] as const

/** What a clerk or a guest types, and whose last names are found; by a guest, who must type a whole last name, if not the same. */
const typed: [typed: string, found: string[], byGuest?: string[]][] = [
  ['Dvorak Bohus', ['Dvořák']],
  ['bohus dvorak', ['Dvořák']],
  ['DVOŘÁK, BOHUŠ', ['Dvořák']],
  ['dvorakbohus', ['Dvořák']],
  ['Dvorak B', ['Dvořák'], []],
  ['Dvora', ['Dvořák'], []],
  ['bohus', ['Dvořák'], []],
  ['DeHaan', ['De Haan']],
  ['de haan', ['De Haan']],
  ['haan jan', ['De Haan']],
  ['haan', ['De Haan']],
  ['de-haan', ['De Haan']],
  ['anna schmidt', ['Schmidt-Özdemir']],
  ['anna', ['Schmidt-Özdemir'], []],
  ['özdemir', ['Schmidt-Özdemir']],
  ['Ozdemir Schmidt', ['Schmidt-Özdemir'], []],
  ['SchmidtOezdemir', ['Schmidt-Özdemir']],
  ['obrien', ["O'Brien"]],
  ['O Brien', ["O'Brien"]],
  ['O’Brien Sinead', ["O'Brien"]],
  ['wu li', ['Wu']],
  ['shchukin', ['Щукин']],
  ['Щукин Андрей', ['Щукин']],
  ['Dvorak Jan', []],
]

describe('A search for a name', () => {
  let house: ReservationHouse
  let kiosk: string
  before(async () => {
    house = await openHouse()
    kiosk = await house.tokenOf('kiosk')
    for (const [firstName, lastName] of people)
      await house.told({ profiles: [{ role: 'PrimaryGuest', firstName, lastName }] })
  })
  after(() => house.stop())

  for (const [text, found, byGuest = found] of typed) {
    const like = `[like]=${encodeURIComponent(text)}`
    it(`finds ${found.join() || 'nobody'} by ${text}`, async () => {
      const profiles = await house.ask('GET', `/api/v2/profiles?filter[normalizedName]${like}`)
      const names = profiles.body.data.map(
        (each: { attributes: { lastName: string } }) => each.attributes.lastName,
      )
      assert.deepEqual(names, found, profiles.text)
      const arrivals = `filter[profile.normalizedName]${like}&filter[arrival]=${today}`
      const own = await house.ask('GET', `/api/v2/reservations?${arrivals}`, { token: kiosk })
      assert.equal(own.status, 200, own.text)
      assert.equal(own.body.data.length, byGuest.length, own.text)
    })
  }

  const short: [typed: string, found: string[]][] = [
    ['a', []],
    ['d v', []],
    ['li', []],
    ['---', []],
    ['wu', ['Wu']],
    ['王', ['王']],
    ['伟明', []],
  ]
  for (const [text, found] of short) {
    it(`finds ${found.join() || 'nobody'} at a kiosk by less than three letters: ${text}`, async () => {
      const query = `filter[profile.normalizedName][like]=${encodeURIComponent(text)}&filter[arrival]=${today}`
      const { body, text: shown } = await house.ask('GET', `/api/v2/reservations?${query}`, { token: kiosk })
      assert.equal(body.data.length, found.length, shown)
    })
  }

  it('follows a name that changes, and forgets the former one', async () => {
    const id = await house.make('profiles', { firstName: 'Eva', lastName: 'Mac Dougall' })
    await house.ask('PATCH', `/api/v2/profiles/${id}`, { body: { lastName: 'van der Meer' } })
    const count = async (text: string) =>
      (await house.ask('GET', `/api/v2/profiles?filter[normalizedName][like]=${text}`)).body.data.length
    assert.deepEqual([await count('macdougall'), await count('vandermeer')], [0, 1])
  })
})
