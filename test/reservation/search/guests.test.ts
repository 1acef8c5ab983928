import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc, { seed } from '../../seed.ts'
import { openHouse, type ReservationHouse, today, tomorrow } from '../api/house.ts'
import { booked, search } from './found.ts'

/** Last names, and what is typed for each that is found by its name and not as a similar one. */
const named: [lastName: string, ...typed: string[]][] = [
  ['Müller', 'Müller', 'MULLER', 'Mueller', 'Muell'],
  ['Mueller', 'Müller', 'mueller'],
  ['Großmann', 'grossmann', 'Großmann'],
  ['Böhm', 'Boehm', 'bohm'],
  ['Jørgensen', 'jorgensen'],
  ['Samuel', 'Samuel', 'samuel maja'],
  ['De Vries', 'devries', 'de vries', 'Vries Maja'],
  ['王', '王'],
  ['Сидоренко', 'Сидоренко', 'sidorenko'],
  ['Παπαδόπουλος', 'Παπαδόπουλος'],
  ['สมชาย', 'สมชาย'],
  ['محمود', 'محمود', 'مَحمود'],
  ['כהן', 'כהן'],
  ['田中', '田中', '田'],
  ['김철수', '김철수', '김'],
  ['शर्मा', 'शर्मा'],
  ['ქართველი', 'ქართველი'],
  ['Սարգսյան', 'Սարգսյան', 'ՍԱՐԳՍՅԱՆ'],
]

describe('the search of the desk for a guest', () => {
  let house: ReservationHouse
  const stays = new Map<string, string>()
  before(async () => {
    house = await openHouse()
    for (const [lastName] of named) stays.set(lastName, await booked(house, lastName))
  })
  after(() => house.stop())

  for (const [lastName, ...typed] of named)
    it(`finds ${lastName} by ${typed.join(', ')}`, async () => {
      for (const text of typed) {
        const found = await search(house, text)
        const own = found.find(({ id }) => id === stays.get(lastName))
        assert.equal(own?.by, 'guest', `${text}: ${JSON.stringify(found)}`)
      }
    })

  it('finds a name in any script by its own letters', async () => {
    const scripts = [
      'אבגדהוזחטילמנסעפצקרשת',
      '가나다라마바사아자차카타파하',
      'あいうえおかきくけこさしすせそ',
      'აბგდევზთიკლმნოპჟრსტუ',
    ]
    const name = fc
      .constantFrom(...scripts)
      .chain((letters) => fc.string({ unit: fc.constantFrom(...letters), minLength: 3, maxLength: 7 }))
    for (const lastName of fc.sample(name, { numRuns: 6, seed })) {
      const id = await booked(house, lastName)
      for (const typed of [lastName, lastName.slice(0, -1), `${lastName} maja`]) {
        const own = (await search(house, typed)).find((each) => each.id === id)
        assert.equal(own?.by, 'guest', `${typed} for ${lastName}`)
      }
    }
  })

  it('has the guest in house before those who come, and these before former ones with the same name', async () => {
    const units = [{ unitTypeId: (await house.rooms(0)).unitTypeId }]
    const past = { units, startDate: '2026-05-10', endDate: '2026-05-12' }
    for (let count = 0; count < 50; count++) await booked(house, 'Fernandes', past)
    const next = await booked(house, 'Fernandes', { units, startDate: tomorrow, endDate: '2026-06-04' })
    const later = await booked(house, 'Fernandes', { units, startDate: '2026-08-01', endDate: '2026-08-04' })
    const { unitTypeId, unitId } = await house.rooms(1)
    const inHouse = await booked(house, 'Fernandes-Lopes', {
      units: [{ unitTypeId, unitId }],
      startDate: '2026-05-01',
      endDate: '2026-05-05',
      status: 'InHouse',
    })
    const found = await search(house, 'fernandes')
    assert.deepEqual(
      found.slice(0, 3).map(({ id }) => id),
      [inHouse, next, later],
    )
    assert.equal(found.length, 8)
  })

  it('has a whole last name before a part of another', async () => {
    const units = [{ unitTypeId: (await house.rooms(0)).unitTypeId }]
    const sooner = await booked(house, 'Bauermeister', { units, startDate: today })
    const whole = await booked(house, 'Bauer', { units, startDate: tomorrow, endDate: '2026-06-04' })
    assert.deepEqual(
      (await search(house, 'bauer')).map(({ id }) => id),
      [whole, sooner],
    )
  })

  it('has who comes with a short name, however many in house have it as a part of theirs', async () => {
    const { unitTypeId, unitIds } = await house.rooms(9)
    for (const unitId of unitIds)
      await booked(house, 'Kwintzel', { units: [{ unitTypeId, unitId }], status: 'InHouse' })
    const comes = await booked(house, 'Kwi', {
      units: [{ unitTypeId }],
      startDate: tomorrow,
      endDate: '2026-06-04',
    })
    const found = await search(house, 'kwi')
    assert.deepEqual([found.length, found[0]?.id], [8, comes])
  })

  for (const typed of ['', ' ', '\u00a0', '---', '%', '_', "'", '…?!', '٪', '（）', '*', 'ـ', '\u0301'])
    it(`finds nobody by “${typed}”`, async () => assert.deepEqual(await search(house, typed), []))

  it('refuses a text that is too long, missing or given twice, and names the parameter', async () => {
    const long = encodeURIComponent('ü'.repeat(201))
    for (const query of [`filter[text]=${long}`, '', 'filter[text]=a&filter[text]=b']) {
      const { status, body, text } = await house.ask('GET', `/api/v2/found-stays?${query}`)
      assert.equal(status, 400, text)
      assert.deepEqual(body.errors[0].source, { parameter: 'filter[text]' })
    }
    assert.deepEqual(await search(house, 'ü'.repeat(200)), [])
  })

  it('finds a stay once, by its code, its number, and its name', async () => {
    const id = await booked(house, 'Zzyzx 7', {
      externalId: 'pms:Ä/42',
      reservationIds: [{ type: 'Confirmation', value: 'Zzyzx-7' }],
    })
    const given = await house.ask('POST', `/api/v2/stays/${id}/actions/hand-over`, { body: {} })
    const found = async (typed: string) => (await search(house, typed)).map(({ by }) => by)
    assert.deepEqual(await found(given.body.data.attributes.code), ['code'])
    assert.deepEqual(await found('zzyzx 7'), ['number'])
    assert.deepEqual(await found('pms:Ä/42'), ['number'])
    assert.deepEqual(await found('maja zzyzx'), ['guest'])
  })

  it('has a whole number before parts of others, also where its stay is over', async () => {
    const units = [{ unitTypeId: (await house.rooms(0)).unitTypeId }]
    const numbered = (value: string, more: object) =>
      booked(house, 'Number', { units, reservationIds: [{ type: 'Confirmation', value }], ...more })
    const former = await numbered('Q 88.42', { startDate: '2026-05-10', endDate: '2026-05-12' })
    const longer = await numbered('Q-8842-1', {})
    for (const typed of ['Q 88.42', 'q8842', 'Q/88-42', 'ｑ８８４２', 'q 8842', 'Q.8.8.4.2'])
      assert.deepEqual(
        (await search(house, typed)).map(({ id, by }) => [id, by]),
        [
          [former, 'number'],
          [longer, 'number'],
        ],
        typed,
      )
  })

  it('leaves out what the caller may not read', async () => {
    const token = await house.tokenOf('kiosk', ['reservations.read'])
    const id = await booked(house, 'Hidden')
    const { body } = await house.ask('POST', `/api/v2/stays/${id}/actions/hand-over`, { body: {} })
    const path = `/api/v2/found-stays?filter[text]=${body.data.attributes.code}`
    assert.deepEqual((await house.ask('GET', path, { token })).body.data, [])
  })
})
