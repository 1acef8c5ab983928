import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, today, tomorrow, yesterday } from './house.ts'
import { arriving, configure, whole } from './registering.ts'

let house: ReservationHouse
before(async () => {
  house = await openHouse()
  await configure(house, { registrationFields: ['lastName'] })
})
after(() => house.stop())

const ofDay = (date: string) => house.ask('GET', `/api/v2/registrations/by-arrival/${date}`)
async function linesOf(date: string): Promise<Record<string, string>[]> {
  const { status, text, headers } = await ofDay(date)
  assert.equal(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^text\/csv; charset=utf-8$/)
  assert.equal(headers.get('content-disposition'), `attachment; filename="registrations-${date}.csv"`)
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
}
/** A guest who is registered with these details, and in house. */
async function inHouse(details: object = {}, more: Record<string, unknown> = {}) {
  const guest = await arriving(house, more)
  const body = { ...whole, ...details }
  assert.equal((await house.ask('PUT', guest.at(), { body })).status, 204)
  const set = await house.ask('PATCH', guest.path, {
    body: { status: 'InHouse', registrationWaiver: 'Test' },
  })
  assert.equal(set.status, 204, set.text)
  return guest
}

describe('the registrations of a day', () => {
  it('have a line for each guest who checked in, with all that is known', async () => {
    const before = (await linesOf(today)).length
    await inHouse({ signature: null, signedOnPaper: true })
    const lines = await linesOf(today)
    assert.equal(lines.length, before + 1)
    assert.partialDeepStrictEqual(lines.at(-1), {
      arrival: today,
      departure: tomorrow,
      adults: '1',
      isRegistered: 'yes',
      lastName: 'Zwiebelhuber',
      firstName: 'Wendeline',
      birthDate: '1980-02-03',
      nationality: 'AT',
      addressLine1: 'Lauchgasse 7',
      city: 'Wien',
      documentType: 'Passport',
      documentNumber: 'U7731905',
      documentCountry: 'AT',
      signature: 'paper',
    })
  })

  it('name a guest without a registration', async () => {
    const before = await linesOf(today)
    await inHouse(
      {},
      {
        personCount: { adults: 2 },
        profiles: [
          { role: 'PrimaryGuest', lastName: 'Eins', firstName: 'E' },
          { role: 'AdditionalGuest', lastName: 'Zwei', firstName: 'Z' },
          { role: 'Booker', lastName: 'Drei', firstName: 'D' },
        ],
      },
    )
    const lines = (await linesOf(today)).slice(before.length)
    assert.deepEqual(
      lines.map(({ lastName, isRegistered, documentNumber }) => [lastName, isRegistered, documentNumber]),
      [
        ['Zwiebelhuber', 'yes', 'U7731905'],
        ['Zwei', 'no', ''],
      ],
    )
  })

  it('have no guest who has not come, and none of another day', async () => {
    const before = (await linesOf(today)).length
    const guest = await arriving(house)
    assert.equal((await house.ask('PUT', guest.at(), { body: whole })).status, 204)
    assert.equal((await linesOf(today)).length, before)
    for (const date of [yesterday, tomorrow, '1999-01-01']) assert.deepEqual(await linesOf(date), [])
  })

  it('are those of the day on the clock of the house, after midnight too', async () => {
    const before = (await linesOf(tomorrow)).length
    // 17:00 in Lisbon is 16:00 UTC: seven and a half hours later it is the next day in Lisbon, and not yet in UTC.
    house.clock.advance(7.5 * 3_600_000)
    await inHouse()
    assert.equal((await linesOf(tomorrow)).length, before + 1)
  })

  it('survive what guests type, and start no formula of a spreadsheet', async () => {
    const typed = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 })
    const first = fc.constantFrom('=', '+', '-', '@', '"', ',', ';', "'", 'A', ' ')
    await fc.assert(
      fc.asyncProperty(first, typed, async (start, rest) => {
        const lastName = `${start}${rest}x`
        await inHouse({ lastName })
        const { text } = await ofDay(tomorrow)
        const line = parse(text, { bom: true, columns: true }).at(-1) as Record<string, string>
        assert.equal(line.lastName, `${'=+-@'.includes(start) ? "'" : ''}${lastName}`)
        assert.equal(line.documentNumber, 'U7731905')
      }),
      { numRuns: 12 },
    )
  })

  for (const date of ['2026-02-30', '2026-6-1', 'today', '2026-06-01T00:00:00Z', '20260601', '0'])
    it(`are not those of ${date}`, async () => {
      const { status, body } = await ofDay(encodeURIComponent(date))
      assert.equal(status, 400)
      assert.equal(body.errors[0].code, 'malformed-request')
    })
})
