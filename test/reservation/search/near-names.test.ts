import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc, { seed } from '../../seed.ts'
import { openHouse, type ReservationHouse, today } from '../api/house.ts'
import { booked, search } from './found.ts'

/** Last names, and what is typed for each by mistake. All guests are called Maja. */
const mistyped: [lastName: string, ...typed: string[]][] = [
  ['Kowalewska', 'kowalewksa', 'Kowalewska Maia', 'maja kowalweska', 'Kovalevska'],
  ['Takanaka', 'takanka', 'Taaknaka', 'TAKAMAKA'],
  ['Lindgren', 'lidngren', 'Lindgern', 'Lindgrem'],
  ["O'Sullivan", 'osulivan', 'O Sulivan'],
  ['Müllenberg', 'Muellneberg', 'mulenberg'],
  ['De Vries', 'de vrise', 'devreis', 'dev reis'],
  ['Schmidt-Özdemir', 'ozdmir', 'Schmitd Özdemir'],
  ['Щербаков', 'Щербков', 'shcherbkov'],
]
/** What is near to none of these names: too much is wrong, too little is typed, a word is of nobody, or it is no name. */
const far = ['kowxlxsxa', 'tkn', 'vrs', 'kowalewksa petra', 'takanka 77', '12345678', 'a b c d e f g h i']

describe('a mistyped name', () => {
  let house: ReservationHouse
  const stays = new Map<string, string>()
  before(async () => {
    house = await openHouse()
    for (const [lastName] of mistyped) stays.set(lastName, await booked(house, lastName))
  })
  after(() => house.stop())

  for (const [lastName, ...typed] of mistyped)
    it(`finds ${lastName} by ${typed.join(', ')}`, async () => {
      for (const text of typed) {
        const found = await search(house, text)
        const own = found.find(({ id }) => id === stays.get(lastName))
        assert.equal(own?.by, 'nearName', `${text}: ${JSON.stringify(found)}`)
      }
    })

  for (const [lastName, typed] of [
    ['Kowalska', 'kowalksa'],
    ['Tanaka', 'tanka'],
  ] as const)
    it(`finds a guest of the sample, ${lastName}, by ${typed}`, async () => {
      const found = await search(house, typed)
      assert.deepEqual([found[0]?.by, found[0]?.names], ['nearName', lastName])
    })

  for (const typed of far)
    it(`finds none of them by ${typed}`, async () => assert.deepEqual(await search(house, typed), []))

  it('is found with one mistake, whatever the name and the mistake', async () => {
    const letters = [...'abcdefghiklmnoprstuvwz']
    const name = fc.string({ unit: fc.constantFrom(...letters), minLength: 5, maxLength: 10 })
    const mistake = fc.tuple(name, fc.nat(3), fc.constantFrom(...letters), fc.nat(3))
    for (const [name, at, other, kind] of fc.sample(mistake, { numRuns: 8, seed })) {
      const id = await booked(house, name)
      const [before, letter, next, rest] = [name.slice(0, at), name[at]!, name[at + 1]!, name.slice(at + 2)]
      const middle = [next + letter, next, other + next, letter + other + next][kind]
      const typed = `${before}${middle}${rest}`
      const found = await search(house, typed)
      assert.ok(
        found.some((each) => each.id === id),
        `${typed} for ${name}: ${JSON.stringify(found)}`,
      )
    }
  })

  it('is not looked for where a guest who is still to come has that very name', async () => {
    const exact = await booked(house, 'Wisniewski')
    await booked(house, 'Wisniewska')
    assert.deepEqual(
      (await search(house, 'wisniewski')).map(({ id, by }) => [id, by]),
      [[exact, 'guest']],
    )
  })

  it('is looked for beside former guests of that very name, and finds neither former guests nor canceled stays', async () => {
    const past = { startDate: '2026-05-10', endDate: '2026-05-12' }
    const former = await booked(house, 'Petrovic', past)
    const near = await booked(house, 'Petrovicz')
    await booked(house, 'Petrovits', past)
    const { path } = await house.told({
      profiles: [{ role: 'PrimaryGuest', firstName: 'Maja', lastName: 'Petrowics' }],
    })
    assert.equal((await house.ask('PATCH', path, { body: { status: 'Canceled' } })).status, 204)
    assert.deepEqual(
      (await search(house, 'petrovics')).map(({ id, by }) => [id, by]),
      [[near, 'nearName']],
    )
    assert.deepEqual(
      (await search(house, 'maja petrovic ')).map(({ id }) => id),
      [near, former],
    )
  })

  it('has the name with fewer mistakes first', async () => {
    await booked(house, 'Montgomirie')
    const one = await booked(house, 'Montgomery')
    const found = await search(house, 'montgomeri')
    assert.deepEqual([found.length, found[0]?.id], [2, one])
  })

  it('finds nobody at a kiosk', async () => {
    const token = await house.tokenOf('kiosk')
    for (const name of ['kowalewksa', 'takanka', 'osulivan', 'lidngren', 'kowalksa', 'tanka']) {
      const query = `filter[profile.normalizedName][like]=${name}&filter[arrival]=${today}`
      const { status, body } = await house.ask('GET', `/api/v2/reservations?${query}`, { token })
      assert.deepEqual([status, body.data], [200, []], name)
      const path = `/api/v2/found-stays?filter[text]=${name}`
      assert.equal((await house.ask('GET', path, { token })).status, 403)
    }
  })
})
