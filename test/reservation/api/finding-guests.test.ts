import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import fc, { seed } from '../../seed.ts'
import { type MadeStay, openHouse, type ReservationHouse, today, tomorrow, yesterday } from './house.ts'

type Person = readonly [firstName: string, lastName: string]

let house: ReservationHouse
let kiosk: string
before(async () => {
  house = await openHouse()
  kiosk = await house.tokenOf('kiosk')
})
after(() => house.stop())

let days = 10
/** A day of arrival that no other test has. */
const anyDay = () => Temporal.PlainDate.from(today).add({ days: ++days }).toString()
const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

const guests = (people: readonly Person[]) =>
  people.map(([firstName, lastName], at) => ({
    role: at === 0 ? 'PrimaryGuest' : 'AdditionalGuest',
    firstName,
    lastName,
  }))

async function comes(startDate: string, person: Person, more: object = {}, ended = ''): Promise<MadeStay> {
  const made = await house.told({
    startDate,
    endDate: dayAfter(startDate),
    profiles: guests([person]),
    ...more,
  })
  if (!ended) return made
  const { status, text } = await house.ask('PATCH', made.path, { body: { status: ended } })
  assert.equal(status, 204, text)
  return made
}

/** The stays that a kiosk finds, and those that are proven, in the order of the answer. */
async function search(filters: Record<string, string>) {
  const query = Object.entries(filters).map(([path, value]) => `filter[${path}]=${encodeURIComponent(value)}`)
  const reply = await house.ask('GET', `/api/v2/reservations?${query.join('&')}&include=stays.profiles`, {
    token: kiosk,
  })
  assert.equal(reply.status, 200, reply.text)
  const reservations: { attributes: { stays: { id: string }[] } }[] = reply.body.data
  const found = reservations.flatMap(({ attributes }) => attributes.stays.map(({ id }) => id))
  const included: { id: string; attributes: { lastName?: string } }[] = reply.body.included ?? []
  const named = (reply.body.meta.named as string[]).map(
    (id) => included.find((each) => each.id === id)?.attributes.lastName,
  )
  return { found, proven: reply.body.meta.proven as string[], named }
}

const byName = async (name: string, arrival: string) =>
  (await search({ 'profile.normalizedName][like': name, arrival })).found
const byNumber = async (number: string) => (await search({ 'reservationIds.searchForm': number })).found

/** What guests type, the person in the booking, and whether it is the person. */
const typed: [typed: string, person: Person, isFound?: false][] = [
  // Short names, in any case and with any accents.
  ['NG', ['Wei', 'Ng']],
  ['ng', ['Wei', 'NG']],
  ['O', ['Min-ji', 'O']],
  ['ó', ['Ana', 'O']],
  ['LY', ['Thi', 'Lý']],
  ['ai', ['Yu', 'Ài']],
  ['n', ['Wei', 'Ng'], false],
  ['Wei', ['Wei', 'Ng'], false],
  // Two letters for one, both ways.
  ['mueller', ['Ida', 'Müller']],
  ['MÜLLER', ['Ida', 'Mueller']],
  ['soerensen', ['Bo', 'Sørensen']],
  ['Sørensen', ['Bo', 'Soerensen']],
  ['Sörensen', ['Bo', 'Sørensen']],
  ['aagaard', ['Bo', 'Ågård']],
  ['Ågård', ['Bo', 'Aagaard']],
  ['Haeggstroem', ['Eva', 'Hæggström']],
  ['Häggström', ['Eva', 'Hæggstrøm']],
  ['Djokovic', ['Ana', 'Đoković']],
  ['Đoković', ['Ana', 'Djokovic']],
  ['Erdoes', ['Pál', 'Erdős']],
  ['grossmann', ['Jo', 'Großmann']],
  ['Großmann', ['Jo', 'Grossmann']],
  ['Mueller-Böhm', ['Jo', 'Müller Boehm']],
  ['goethe', ['J. W.', 'Goethe']],
  ['Anna Aerni', ['Anna', 'Ärni']],
  ['constructor', ['Jo', 'Constructor']],
  ['muller', ['Ida', 'Müller']],
  ['muller', ['Ida', 'Mueller'], false],
  ['bruel', ['Ida', 'Bruehl'], false],
  // Names by their own letters: normal form, width, case, and what is mostly left out.
  ['王', ['伟明', '王']],
  ['王伟明', ['伟明', '王']],
  ['王 伟明', ['伟明', '王']],
  ['ﾀﾅｶ', ['ハナ', 'タナカ']],
  ['ＫＯＷＡＬＳＫＩ', ['Jan', 'Kowalski']],
  ['김'.normalize('NFD'), ['민지', '김']],
  ['ЩУКИН', ['Андрей', 'Щукин']],
  ['Παπαδόπουλος', ['Νίκος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ']],
  ['محمد', ['علي', 'مُحَمَّد']],
  ['כהן', ['דוד', 'כֹּהֵן']],
  ['मेहता', ['रवि', 'मेहता']],
  ['मोहता', ['रवि', 'मेहता'], false],
  ['สมิทธิ์', ['ก้อง', 'สมิทธิ์']],
  ['ბერიძე', ['ნინო', 'ბერიძე']],
  ['ՊԵՏՐՈՍՅԱՆ', ['Անի', 'Պետրոսյան']],
  ['李', ['伟明', '王'], false],
  // Nothing but signs.
  ['-', ['Wei', 'Ng'], false],
  [' … ', ['伟明', '王'], false],
  ["'", ['-', '-'], false],
  // One name.
  ['aulia', ['-', 'Aulia']],
  ['Aulia', ['Aulia', '.']],
]

/** Letters that may be written in two ways, in names from the seed. */
const digraphs = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const drawn = fc.sample(
  fc.tuple(fc.constantFrom(...Object.keys(digraphs)), fc.stringMatching(/^[b-df-hj-np-rtvwxz]{2,8}$/)),
  { numRuns: 4, seed },
)
for (const [letter, rest] of drawn) {
  const two = digraphs[letter as keyof typeof digraphs]
  typed.push([`${rest}${two}k`.toUpperCase(), ['A', `${rest}${letter}k`]])
  typed.push([`${rest}${letter}k`, ['A', `${rest}${two}k`]])
}

describe('A guest who types the last name and the day of arrival', () => {
  for (const [text, person, isFound = true] of typed)
    it(`as ${text} is ${isFound ? '' : 'not '}found as ${person[1]}`, async () => {
      const day = anyDay()
      const { id } = await comes(day, person)
      assert.deepEqual(await byName(text, day), isFound ? [id] : [])
    })

  for (const [text, person] of typed.filter(([, , isFound]) => isFound !== false))
    it(`as ${text} is in the list of guests for the front desk: ${person[1]}`, async () => {
      const like = `filter[normalizedName][like]=${encodeURIComponent(text)}&filter[lastName]=${encodeURIComponent(person[1])}`
      const { body } = await house.ask('GET', `/api/v2/profiles?${like}`)
      assert.ok(body.data.length > 0, JSON.stringify(body))
    })

  for (const text of ['-', ' ', '…', '!?', "''", '· ·', '%', '_', '*'])
    it(`finds nobody, at the front desk neither, by nothing but signs: ${JSON.stringify(text)}`, async () => {
      const { body } = await house.ask(
        'GET',
        `/api/v2/profiles?filter[normalizedName][like]=${encodeURIComponent(text)}`,
      )
      assert.deepEqual(body.data, [])
    })

  for (const pathName of ['profile.lastName', 'profiles.lastName', 'stays.profiles.lastName'])
    it(`is found by an exact ${pathName}, whatever its case and accents`, async () => {
      const day = anyDay()
      const { id } = await comes(day, ['Wei', 'Ngô'])
      assert.deepEqual((await search({ [pathName]: 'NGO', arrival: day })).found, [id])
    })

  const rivals: [typed: string, booked: string[], found: string[]][] = [
    ['bruel', ['Brül', 'Bruel'], ['Bruel']],
    ['bruel', ['Bruel', 'Brül'], ['Bruel']],
    ['brül', ['Bruel', 'Brül'], ['Brül']],
    ['brul', ['Brül', 'Brul', 'Bruel'], ['Brul']],
    ['bruel', ['Brül'], ['Brül']],
    ['BRÜL', ['Bruel', 'Brul'], ['Brul']],
    ['Ångström', ['Angstrom', 'Ångström', 'Aangstroem'], ['Ångström']],
    ['Ivanov', ['Иванов', 'Ivanov'], ['Ivanov']],
  ]
  for (const [text, booked, found] of rivals)
    it(`as ${text} is ${found}, and not another of ${booked}`, async () => {
      const day = anyDay()
      const ids = new Map<string, string>()
      for (const lastName of booked) ids.set(lastName, (await comes(day, ['Jo', lastName])).id)
      assert.deepEqual(
        await byName(text, day),
        found.map((name) => ids.get(name)),
      )
    })

  it('is not hidden by a canceled stay with the very letters', async () => {
    const day = anyDay()
    await comes(day, ['Jo', 'Bruel'], {}, 'Canceled')
    const { id } = await comes(day, ['Jo', 'Brül'])
    assert.ok((await byName('bruel', day)).includes(id))
  })

  for (const status of ['Tentative', 'Waitlisted'])
    it(`is not hidden by a stay with the very letters that is ${status}: nobody can check in to it`, async () => {
      const day = anyDay()
      await comes(day, ['Jo', 'Bruel'], { status })
      const { id } = await comes(day, ['Jo', 'Brül'])
      assert.ok((await byName('bruel', day)).includes(id))
    })
})

describe('A party of several rooms', () => {
  /** A booking of rooms, each with its guests; the number is that of all. */
  async function party(number: string, rooms: { from: string; people: Person[] }[]): Promise<string[]> {
    const first = rooms[0]!
    const shared = { reservationIds: [{ type: 'Confirmation', value: number }] }
    const stayOf = ({ from, people }: typeof first) => ({
      startDate: from,
      endDate: dayAfter(from),
      profiles: guests(people),
      ...shared,
    })
    const made = await house.told(stayOf(first))
    const [{ unitTypeId }] = (await house.attributes(made.path)).units
    const ids = [made.id]
    for (const room of rooms.slice(1)) {
      const body = {
        ...stayOf(room),
        status: 'Confirmed',
        personCount: { adults: 1 },
        units: [{ unitTypeId }],
      }
      const token = await house.tokenOf('integrator')
      const reply = await house.ask('POST', `${made.reservation}/stays`, { body, token })
      assert.equal(reply.status, 201, reply.text)
      ids.push(reply.body.data.id)
    }
    return ids
  }

  it('lets each guest find the own stay by name, also one that begins a day later', async () => {
    const day = anyDay()
    const later = dayAfter(day)
    const [anna, piotr] = await party('PARTY-1', [
      { from: day, people: [['Anna', 'Kowalczyk']] },
      { from: later, people: [['Piotr', 'Lis']] },
    ])
    assert.deepEqual(await byName('kowalczyk', day), [anna])
    assert.deepEqual(await byName('lis', later), [piotr])
    assert.deepEqual(await byName('lis', day), [])
    assert.deepEqual(
      (await search({ 'reservationIds.searchForm': 'party 1', 'profile.lastName': 'Lis' })).proven,
      [piotr],
    )
  })

  it('of one name lets the guests choose, by first name or by number', async () => {
    const day = anyDay()
    const both = await party('PARTY-2', [
      { from: day, people: [['Anna', 'Nowak']] },
      { from: day, people: [['Piotr', 'Nowak']] },
    ])
    assert.deepEqual(await byName('nowak', day), both)
    assert.deepEqual(await byName('Piotr Nowak', day), [both[1]])
    const { proven } = await search({ 'reservationIds.searchForm': 'PARTY-2', 'profile.lastName': 'NOWAK' })
    assert.deepEqual(proven, both)
  })

  it('of which the booking spells one name in two ways lets each find the own stay, by name and by number', async () => {
    const day = anyDay()
    const both = await party('PARTY-3', [
      { from: day, people: [['Anna', 'Mueller']] },
      { from: day, people: [['Piotr', 'Müller']] },
    ])
    await comes(day, ['Jo', 'Müller'])
    assert.deepEqual(await byName('mueller', day), both)
    const { proven, named } = await search({
      'reservationIds.searchForm': 'PARTY-3',
      'profile.lastName': 'mueller',
    })
    assert.deepEqual([proven, named], [both, ['Mueller', 'Müller']])
  })

  it('is greeted by the name that was typed, in any spelling, where it shares the stay', async () => {
    const day = anyDay()
    const people: Person[] = [
      ['Anna', 'Schmidt'],
      ['Sören', 'Strauß'],
    ]
    await party('PARTY-4', [{ from: day, people }])
    const of = async (lastName: string) =>
      (await search({ 'reservationIds.searchForm': 'PARTY-4', 'profile.lastName': lastName })).named
    assert.deepEqual(await of('strauss'), ['Strauß'])
    assert.deepEqual(await of('Schmidt'), ['Schmidt'])
    const { named } = await search({ 'reservationIds.searchForm': 'PARTY-4' })
    assert.deepEqual(named, [])
  })
})

describe('A number', () => {
  const numbers: [typed: string, booked: string][] = [
    ['NP1002', 'NP-10/02'],
    ['2027/0117', '20270117'],
    ['20270117', '2027/0117'],
    ['AB1CD_012345', 'AB1CD 012345'],
    ['ab1cd012345', 'AB1CD_012345'],
    ['XY–77', 'XY-77'],
    ['xy—78', 'XY‑78'],
    ['#4411.2', '4411-2'],
    ['ＸＹ７９', 'xy 79'],
    ['a b:c*9', 'ABC9'],
    ["o'neil 1", 'O’NEIL-1'],
    ['res\u200b55', 'RES 55'],
    ['★12★99', '1299'],
    ['1298', '(12)☆98'],
  ]
  const letters = fc.stringMatching(/^[A-Z0-9]{5,9}$/)
  const signs = fc.stringMatching(/^[-_/.,:# –—‑'’+*()]{1,3}$/)
  for (const [text, one, other] of fc.sample(fc.tuple(letters, signs, signs), { numRuns: 4, seed })) {
    const [head, tail] = [text.slice(0, 2), text.slice(2)]
    numbers.push([`${head}${one}${tail}`.toLowerCase(), `${head}${other}${tail}`])
  }
  for (const [text, booked] of numbers)
    it(`typed as ${text} finds ${booked}`, async () => {
      const day = anyDay()
      const { id } = await comes(day, ['Jo', 'Blank'], {
        reservationIds: [{ type: 'Confirmation', value: booked }],
      })
      assert.ok((await byNumber(text)).includes(id))
      const { proven } = await search({ 'reservationIds.searchForm': text, 'profile.lastName': 'blank' })
      assert.ok(proven.includes(id))
      const reply = await house.ask(
        'GET',
        `/api/v2/stays?filter[reservationIds.searchForm]=${encodeURIComponent(text)}`,
      )
      assert.ok(reply.body.data.some((each: { id: string }) => each.id === id))
    })

  for (const text of ['-', '–', ' / ', '#'])
    it(`of nothing but signs finds nobody: ${text}`, async () => {
      const { path } = await comes(anyDay(), ['Jo', 'Blank'], {
        reservationIds: [{ type: 'Other', value: text }],
      })
      assert.deepEqual(await byNumber(text), [])
      const exactly = encodeURIComponent((await house.attributes(path)).reservationIds[0].value)
      const reply = await house.ask('GET', `/api/v2/stays?filter[reservationIds.value]=${exactly}`)
      assert.equal(reply.body.data.length, 1, 'an exact filter still does')
    })

  const again: [canceled: string, order: string[]][] = [
    ['Canceled', ['first', 'second']],
    ['NoShow', ['first', 'second']],
    ['Canceled', ['second', 'first']],
  ]
  for (const [ended, order] of again)
    it(`given again finds the open stay first: ${order} with ${ended}`, async () => {
      const [day, number] = [anyDay(), `AGAIN-${days}`]
      const ids: Record<string, string> = {}
      for (const each of order) {
        const more = { externalId: number, reservationIds: [{ type: 'Confirmation', value: number }] }
        const [from, status] = each === 'first' ? [yesterday, ended] : [day, '']
        ids[each] = (await comes(from, ['Jo', 'Twice'], more, status)).id
      }
      for (const filter of ['reservationIds.searchForm', 'reservationIds.value', 'stays.externalId']) {
        const { found } = await search({ [filter]: number, 'profile.lastName': 'Twice' })
        assert.deepEqual(found, [ids.second, ids.first], filter)
        for (const list of ['reservations', 'stays']) {
          const path = list === 'stays' ? filter.replace('stays.', '') : filter
          const { body } = await house.ask('GET', `/api/v2/${list}?filter[${path}]=${number}`)
          const firstStay = body.data[0].attributes.stays?.[0] ?? body.data[0]
          assert.equal(firstStay.id, ids.second, `${list} by ${path}`)
        }
      }
    })
})

describe('A guest who comes late at night', () => {
  /** The hour of the house: its check-out time is 11:00. */
  const hours: [at: string, isNight: boolean][] = [
    ['00:01', true],
    ['02:30', true],
    ['05:59', true],
    ['10:59', true],
    ['11:00', false],
    ['23:30', false],
  ]
  const drawnMinutes = fc.sample(fc.integer({ min: 0, max: 659 }), { numRuns: 2, seed })
  for (const minutes of drawnMinutes)
    hours.push([new Date(minutes * 60_000).toISOString().slice(11, 16), true])

  for (const [at, isNight] of hours)
    it(`at ${at} is ${isNight ? 'found' : 'not found'} as an arrival of yesterday by the day that is now`, async () => {
      const { minutes } = Temporal.PlainTime.from('17:00').until(at, { largestUnit: 'minutes' })
      const night = await openHouse({ now: monday + minutes * 60_000 })
      try {
        const { id } = await night.told({
          startDate: yesterday,
          endDate: tomorrow,
          profiles: guests([['Lea', 'Spaet']]),
        })
        const query = (day: string) => `filter[profile.normalizedName][like]=spät&filter[arrival]=${day}`
        const token = await night.tokenOf('kiosk')
        const found = async (day: string) => {
          const { body } = await night.ask('GET', `/api/v2/reservations?${query(day)}`, { token })
          return body.data.flatMap(({ attributes }: { attributes: { stays: { id: string }[] } }) =>
            attributes.stays.map((each) => each.id),
          )
        }
        assert.deepEqual(await found(today), isNight ? [id] : [])
        assert.deepEqual(await found(yesterday), [id])
        assert.deepEqual(await found(tomorrow), [])
      } finally {
        await night.stop()
      }
    })
})
