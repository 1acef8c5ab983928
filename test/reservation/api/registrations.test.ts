import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../../appliance.ts'
import { kioskOf } from '../../guest-found.ts'
import fc from '../../seed.ts'
import { aStay, openHouse, type ReservationHouse, refused, tomorrow } from './house.ts'
import { type Arrival, allFields, arriving, configure, signature, whole } from './registering.ts'

const registrations = '/api/v2/registrations'

let house: ReservationHouse
let desk: string
let guest: Arrival
before(async () => {
  house = await openHouse()
  desk = await house.tokenOf('frontdesk')
})
beforeEach(async () => {
  await configure(house, { registrationFields: ['lastName'] })
  guest = await arriving(house)
})
after(() => house.stop())

const put = (body: unknown, token = desk, headers = {}, path = guest.at()) =>
  house.ask('PUT', path, { body, token, headers })
async function taken(body: unknown = whole, token = desk): Promise<void> {
  const reply = await put(body, token)
  assert.equal(reply.status, 204, reply.text)
}
/** For the refusal of a value, by its place in the attributes. */
const wrong = (reply: Reply, pointer: string) =>
  refused(reply, 422, 'validation-failed', `/data/attributes${pointer}`)
const ofStay = async (token = desk) =>
  (await house.ask('GET', `${registrations}?filter[stayId]=${guest.id}`, { token })).body.data
async function one(token = desk) {
  const [{ id }] = await ofStay()
  const read = await house.ask('GET', `${registrations}/${id}`, { token })
  assert.equal(read.status, 200, read.text)
  return { id, etag: read.headers.get('etag') ?? '', ...read.body.data.attributes }
}

describe('the registration of a guest', () => {
  it('is written by the desk, with who took it and when', async () => {
    await taken({ ...whole, signature: null, signedOnPaper: true })
    const { id, etag, createdAt, updatedAt, revision, takenBy, ...read } = await one()
    assert.partialDeepStrictEqual(read, {
      ...whole,
      signature: null,
      signedOnPaper: true,
      address: { ...whole.address, type: 'Home' },
      takenByName: 'frontdesk',
      takenAtKiosk: false,
      takenAt: createdAt,
    })
    assert.match(takenBy, /^[0-9a-f-]{36}$/)
  })

  it('is written by the kiosk at which its guest has found the stay', async () => {
    await taken(whole, guest.kiosk)
    assert.partialDeepStrictEqual(await one(), { ...whole, takenByName: 'kiosk', takenAtKiosk: true })
  })

  it('is one for each guest: a later one replaces it, and nothing of the first remains', async () => {
    await taken({ ...whole, documentNumber: 'OLD-4711' }, guest.kiosk)
    const { id } = await one()
    await taken({ firstName: 'Wendeline', lastName: 'Zwiebelhuber', signedOnPaper: true })
    const after = await one()
    assert.equal(after.id, id)
    assert.deepEqual(
      [after.documentNumber, after.signature, after.birthDate, after.takenAtKiosk],
      [null, null, null, false],
    )
    assert.equal((await ofStay()).length, 1)
  })

  it('is one for each of several guests', async () => {
    guest = await arriving(house, {
      personCount: { adults: 2 },
      profiles: [
        { role: 'PrimaryGuest', lastName: 'Zwiebelhuber', firstName: 'Wendeline' },
        { role: 'AdditionalGuest', lastName: 'Zwiebelhuber', firstName: 'Bertil' },
      ],
    })
    for (const profileId of guest.profileIds)
      assert.equal((await put(whole, guest.kiosk, {}, guest.at(profileId))).status, 204)
    assert.deepEqual(
      (await ofStay()).map(({ attributes }: { attributes: { profileId: string } }) => attributes.profileId),
      guest.profileIds,
    )
  })

  it('is not overwritten by a person who read an older one', async () => {
    const none = await put(whole, desk, { 'If-Match': '"1"' })
    refused(none, 412, 'revision-mismatch')
    await taken()
    const { etag } = await one()
    assert.equal((await put(whole, desk, { 'If-Match': etag })).status, 204)
    house.clock.advance(1_000)
    assert.equal((await put(whole, guest.kiosk)).status, 204)
    refused(await put(whole, desk, { 'If-Match': etag }), 412, 'revision-mismatch')
  })

  it('is only tried by a dry run', async () => {
    assert.equal((await put(whole, desk, {}, `${guest.at()}?dryRun=true`)).status, 204)
    assert.deepEqual(await ofStay(), [])
  })

  it('is refused where the house registers no guests', async () => {
    await configure(house, { registrationFields: [] })
    for (const token of [desk, guest.kiosk]) refused(await put(whole, token), 409, 'configuration-disabled')
    assert.deepEqual(await ofStay(), [])
  })

  for (const [role, status] of [
    ['Booker', 404],
    ['Company', 404],
    ['AdditionalGuest', 204],
    ['PrimaryGuest', 204],
  ] as const)
    it(`is ${status === 204 ? 'taken' : 'not taken'} of a ${role}`, async () => {
      guest = await arriving(house, {
        profiles: [
          { role: 'PrimaryGuest', lastName: 'Zwiebelhuber', firstName: 'W' },
          { role, lastName: 'Porree', firstName: 'P', companyName: 'Porree' },
        ],
      })
      assert.equal((await put(whole, desk, {}, guest.at(guest.profileIds[1]))).status, status)
    })

  for (const [what, change, atKiosk, atDesk] of [
    ['expected', null, 204, 204],
    ['in house', { status: 'InHouse' }, 204, 204],
    ['canceled', { status: 'Canceled' }, 409, 409],
  ] as const)
    it(`is ${atKiosk === 204 ? 'taken' : 'refused'} for a stay that is ${what}`, async () => {
      await taken()
      if (change) assert.equal((await house.ask('PATCH', guest.path, { body: change })).status, 204)
      assert.equal((await put(whole, guest.kiosk)).status, atKiosk)
      assert.equal((await put(whole)).status, atDesk)
    })

  it('keeps its stay: one that is left out of the booking is canceled, and none is deleted', async () => {
    const [, reservation = ''] = /^(.*)\/stays\//.exec(guest.path) ?? []
    const { unitTypeId } = await house.rooms(1)
    const second = await house.ask('POST', `${reservation}/stays`, {
      body: { ...aStay, startDate: tomorrow, endDate: '2026-06-03', units: [{ unitTypeId }] },
    })
    assert.equal(second.status, 201, second.text)
    await taken()
    for (const path of [guest.path, reservation, `/api/v2/profiles/${guest.profileId}`])
      refused(await house.ask('DELETE', path), 409, 'resource-referenced')
    const [, kept] = (await house.attributes(reservation)).stays
    const left = await house.ask('PUT', reservation, { body: { stays: [kept] } })
    assert.equal(left.status, 204, left.text)
    assert.equal((await house.attributes(guest.path)).status, 'Canceled')
    assert.equal((await one()).documentNumber, 'U7731905')
  })

  it('is corrected by the desk, and not at a kiosk, after the departure', async () => {
    await taken()
    for (const status of ['InHouse', 'CheckedOut'])
      assert.equal((await house.ask('PATCH', guest.path, { body: { status } })).status, 204)
    refused(await put(whole, guest.kiosk), 409, 'stay-status-transition')
    await taken({ ...whole, birthDate: '1981-02-03' })
  })
})

describe('what a registration needs', () => {
  it('is what the house says, neither more nor less', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(allFields, { minLength: 1 }),
        fc.subarray(allFields),
        async (needs, has) => {
          await configure(house, { registrationFields: needs })
          const body = Object.fromEntries(
            Object.entries(whole).filter(([name]) => name === 'lastName' || has.includes(name)),
          )
          const reply = await put(body)
          const missing = needs.filter((name) => !(name in body))
          const pointers = missing.flatMap((name) =>
            name === 'address' ? ['/address/line1', '/address/city', '/address/country'] : [`/${name}`],
          )
          assert.deepEqual(
            (reply.body?.errors ?? [])
              .map((each: { source: { pointer: string } }) =>
                each.source.pointer.replace('/data/attributes', ''),
              )
              .toSorted(),
            pointers.toSorted(),
          )
          assert.equal(reply.status, missing.length === 0 ? 204 : 422, reply.text)
        },
      ),
      { numRuns: 25 },
    )
  })

  for (const [member, pointer] of [
    ['line1', '/address/line1'],
    ['city', '/address/city'],
    ['country', '/address/country'],
  ] as const)
    it(`includes the ${member} of an address`, async () => {
      await configure(house, { registrationFields: ['address'] })
      const { [member]: _, ...address } = whole.address
      wrong(await put({ ...whole, address }), pointer)
    })

  it('includes a signature on paper as a signature, at the desk alone', async () => {
    await configure(house, { registrationFields: ['signature'] })
    const onPaper = { ...whole, signature: null, signedOnPaper: true }
    wrong(await put(onPaper, guest.kiosk), '/signedOnPaper')
    wrong(await put({ ...onPaper, signedOnPaper: false }), '/signature')
    await taken(onPaper)
  })

  for (const [name, value] of [
    ['birthDate', '2026-06-02'],
    ['birthDate', '1899-12-31'],
    ['birthDate', '1980-02-30'],
    ['birthDate', '03.02.1980'],
    ['nationality', 'at'],
    ['nationality', 'AUT'],
    ['nationality', 'SU'],
    ['nationality', 'ZZ'],
    ['documentCountry', 'UK'],
    ['documentCountry', 'Austria'],
    ['documentType', 'passport'],
    ['documentType', 'LibraryCard'],
    ['documentNumber', ''],
    ['documentNumber', 'U77\n31905'],
    ['documentNumber', 'X'.repeat(41)],
    ['lastName', ''],
    ['lastName', null],
    ['address', { ...whole.address, country: 'YU' }],
    ['address', 'Lauchgasse 7, Wien'],
    ['shoeSize', 44],
  ] as const)
    it(`has no ${name} of ${JSON.stringify(value).slice(0, 40)}`, async () => {
      const reply = await put({ ...whole, [name]: value })
      assert.equal(reply.status, 422, reply.text)
      assert.match(reply.body.errors[0].source.pointer, new RegExp(`^(/data/attributes)?/${name}`))
    })

  for (const birthDate of ['1900-01-01', '2026-06-01', '2004-02-29'])
    it(`has a birthDate of ${birthDate}`, () => taken({ ...whole, birthDate }))
})

describe('a signature', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 1_000 }))

  it('is what a pen writes, of 5 to 2,000 points', async () => {
    const strokes = fc.array(fc.array(point, { minLength: 1, maxLength: 60 }), {
      minLength: 1,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(strokes, async (signature) => {
        const points = signature.flat().length
        const reply = await put({ ...whole, signature })
        assert.equal(reply.status, points >= 5 && points <= 2_000 ? 204 : 422, reply.text)
        if (reply.status === 204) assert.deepEqual((await one()).signature, signature)
      }),
      { numRuns: 12 },
    )
  })

  for (const [what, value] of [
    ['a drawing in SVG', '<svg onload="alert(1)"/>'],
    ['a picture', 'data:image/png;base64,iVBORw0KGgo='],
    ['an SVG as a picture', 'data:image/svg+xml,<svg/>'],
    ['an object', { strokes: signature }],
    ['nothing', []],
    ['empty strokes', [[], []]],
    ['a point outside', [[...signature[0]!, [1_001, 0], [0, 0]]]],
    ['a point before', [[...signature[0]!, [-1, 0], [0, 0]]]],
    ['parts of points', [[...signature[0]!, [0.5, 1], [0, 0]]]],
    ['points of three numbers', [[...signature[0]!, [1, 2, 3], [0, 0]]]],
    ['points of texts', [[...signature[0]!, ['1', '<b>'], [0, 0]]]],
    ['a dot', [[[500, 500]]]],
    ['too many strokes', Array.from({ length: 201 }, () => [[1, 1]])],
    ['too many points', Array.from({ length: 50 }, () => Array.from({ length: 41 }, () => [1, 1]))],
  ] as const)
    it(`is not ${what}`, async () => {
      refused(await put({ ...whole, signature: value }), 422, 'validation-failed')
      assert.deepEqual(await ofStay(), [])
    })
})

describe('the house rules', () => {
  const en = 'No smoking.\nQuiet after 22:00.'

  it('get a version with each text that changes', async () => {
    const before = Number((await configure(house, { houseRules: { en } })).houseRulesVersion)
    const later = [
      [{ en: `${en} ` }, 1],
      [{ en: `${en} ` }, 1],
      [{ en: `${en} `, de: null }, 1],
      [{ en: `${en} `, de: 'Nicht rauchen.' }, 2],
      [{ de: 'Nicht rauchen.', en: `${en} ` }, 2],
      [{ de: 'Nicht rauchen.' }, 3],
      [null, 4],
      [{}, 4],
      [{ en }, 5],
    ] as const
    for (const [houseRules, more] of later)
      assert.equal(
        (await configure(house, { houseRules })).houseRulesVersion,
        before + more,
        JSON.stringify(houseRules),
      )
    const sent = await configure(house, { houseRulesVersion: 1, checkInTime: '15:00' })
    assert.equal(sent.houseRulesVersion, before + 5, 'a body does not set it')
  })

  it('are accepted in their present version, in a language that they have, with the time', async () => {
    const { houseRulesVersion: version } = await configure(house, {
      houseRules: { en: 'Version A', fr: 'Version A' },
      registrationFields: ['acceptedRules'],
    })
    const accept = (acceptedRules: unknown) => put({ ...whole, acceptedRules }, guest.kiosk)
    wrong(await put(whole, guest.kiosk), '/acceptedRules')
    wrong(await accept({ version: Number(version) + 1, language: 'en' }), '/acceptedRules/version')
    wrong(await accept({ version, language: 'de' }), '/acceptedRules/language')
    refused(await accept({ version, language: 'xx' }), 422, 'validation-failed')
    refused(await accept({ version: 0, language: 'en' }), 422, 'validation-failed')
    refused(await accept({ version: String(version), language: 'en' }), 422, 'validation-failed')
    refused(await accept(true), 422, 'validation-failed')
    const at = new Date(house.clock.now()).toISOString().slice(0, 16)
    assert.equal((await accept({ version, language: 'fr', at: '1999-01-01T00:00:00Z' })).status, 204)
    const { acceptedRules } = await one()
    assert.partialDeepStrictEqual(acceptedRules, { version, language: 'fr' })
    assert.ok(acceptedRules.at.startsWith(at), acceptedRules.at)
    await configure(house, { houseRules: { en: 'Version B', fr: 'Version B' } })
    house.clock.advance(3_600_000)
    await taken({ ...whole, documentNumber: 'NEW-1', acceptedRules })
    assert.deepEqual((await one()).acceptedRules, acceptedRules, 'a correction keeps what was accepted')
    wrong(await put({ ...whole, acceptedRules: { version, language: 'en' } }), '/acceptedRules/version')
  })

  for (const [what, attributes, pointer] of [
    ['an unknown field', { registrationFields: ['lastName', 'shoeSize'] }, '/registrationFields/1'],
    ['a field of the server', { registrationFields: ['takenBy'] }, '/registrationFields/0'],
    ['a field twice', { registrationFields: ['birthDate', 'birthDate'] }, '/registrationFields/1'],
    ['another case', { registrationFields: ['birthdate'] }, '/registrationFields/0'],
    [
      'rules that nobody wrote',
      { registrationFields: ['acceptedRules'], houseRules: null },
      '/registrationFields',
    ],
    ['rules in Klingon', { houseRules: { tlh: 'Qapla' } }, undefined],
    ['rules of 10,001 letters', { houseRules: { en: 'x'.repeat(10_001) } }, undefined],
    ['registrations for no day', { registrationDays: 0 }, undefined],
  ] as const)
    it(`are not set to ${what}`, async () => {
      const { errors } = await configure(house, attributes, 422)
      const pointers = (errors as { source: { pointer: string } }[]).map(({ source }) => source.pointer)
      if (pointer) assert.match(pointers[0]!, new RegExp(`${pointer}$`))
    })
})

describe('who sees a registration', () => {
  const reads: [what: string, path: (id: string) => string][] = [
    ['it', (id) => `${registrations}/${id}`],
    ['a list', () => `${registrations}?filter[stayId]=${guest.id}`],
    ['the day', () => `${registrations}/by-arrival/2026-06-01`],
    ['the stay with it', () => `/api/v2/stays/${guest.id}?include=registrations`],
  ]
  for (const [what, path] of reads)
    it(`is not the kiosk that has written it: ${what}`, async () => {
      await taken(whole, guest.kiosk)
      const { id } = await one()
      const reply = await house.ask('GET', path(id), { token: guest.kiosk })
      assert.ok([400, 403].includes(reply.status), reply.text)
      assert.doesNotMatch(reply.text, /U7731905/)
    })

  it('is not a kiosk that asks for the document with the answer', async () => {
    for (const Prefer of ['return=representation', 'return=minimal']) {
      const reply = await put(whole, guest.kiosk, { Prefer })
      assert.deepEqual([reply.status, reply.text], [204, ''])
    }
  })

  it('is not a kiosk without a proof of the guest, which writes none either', async () => {
    const other = await arriving(house)
    for (const token of [other.kiosk, await house.tokenOf('kiosk')])
      refused(await put(whole, token), 403, 'kiosk-scope')
    house.clock.advance(6 * 60_000)
    refused(await put(whole, guest.kiosk), 403, 'kiosk-scope')
    assert.deepEqual(await ofStay(), [])
  })

  for (const [role, status] of [
    ['housekeeping', 403],
    ['integrator', 403],
    ['installer', 403],
    ['auditor', 403],
    ['monitor', 403],
    ['kiosk', 403],
    ['frontdesk', 200],
    ['admin', 200],
  ] as const)
    it(`is ${status === 200 ? 'a' : 'no'} caller in the role ${role}`, async () => {
      const token = await house.tokenOf(role)
      await taken()
      const { id } = await one()
      for (const path of [registrations, `${registrations}/${id}`, `${registrations}/by-arrival/2026-06-01`])
        assert.equal((await house.ask('GET', path, { token })).status, status, path)
    })

  it('sees the number and the signature only with the right to, and in no list', async () => {
    await taken()
    const reader = await house.tokenOf('monitor', ['registrations.read'])
    const own = await one(reader)
    assert.equal(own.lastName, 'Zwiebelhuber')
    assert.deepEqual(['documentNumber' in own, 'signature' in own], [false, false])
    assert.equal((await one()).documentNumber, 'U7731905')
    for (const query of [
      '',
      '&fields[registration]=documentNumber,signature,lastName',
      '&include=stay,profile',
    ]) {
      const { status, text } = await house.ask('GET', `${registrations}?filter[stayId]=${guest.id}${query}`, {
        token: desk,
      })
      assert.equal(status, 200, text)
      assert.doesNotMatch(text, /U7731905|"signature"/, query)
      assert.match(text, /Zwiebelhuber/)
    }
    const asked = await house.ask('GET', `${registrations}?filter[documentNumber]=U7731905`, { token: desk })
    refused(asked, 400, 'invalid-filter-field')
    const sorted = await house.ask('GET', `${registrations}?sort=documentNumber`, { token: desk })
    assert.ok(sorted.status === 400 || !sorted.text.includes('U7731905'), sorted.text)
  })

  it('is no reader of events, of the audit log or of the support file', async () => {
    await taken(whole, guest.kiosk)
    await taken({ ...whole, documentNumber: 'U7731906' })
    const secrets = /U773190|Lauchgasse|1980-02-03/
    for (const path of [
      '/api/v2/events?page[size]=1000',
      '/api/config/v1/audit-entries?page[size]=1000',
      '/api/config/v1/support-file',
    ]) {
      const reply = await house.ask('GET', path, { headers: { Accept: '*/*' } })
      assert.equal(reply.status, 200, reply.text)
      assert.doesNotMatch(reply.text, secrets, path)
    }
    const events = house.journal(`stays/${guest.id}`).filter(({ type }) => type === 'stay.guest-registered')
    const { id } = await one()
    assert.deepEqual(
      events.map(({ data }) => data),
      Array(2).fill({ registrationId: id, profileId: guest.profileId }),
    )
  })

  it('writes at a kiosk for the guest who is there now, and not for the one before', async () => {
    const next = await arriving(house)
    const shared = await kioskOf(house.ask, guest.id)
    assert.equal((await put(whole, shared)).status, 204)
    refused(await put(whole, shared, {}, next.at()), 403, 'kiosk-scope')
  })
})
