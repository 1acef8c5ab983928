import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc, { seed } from '../../seed.ts'
import { openHouse, type ReservationHouse, refused } from './house.ts'
import { type Arrival, allFields, arriving, configure, signature, whole } from './registering.ts'

let house: ReservationHouse
let desk: string
before(async () => {
  house = await openHouse()
  desk = await house.tokenOf('frontdesk')
})
after(() => house.stop())

const put = (guest: Arrival, body: object, { token = guest.kiosk, profileId = guest.profileId } = {}) =>
  house.ask('PUT', guest.at(profileId), { body, token })
async function written(...given: Parameters<typeof put>): Promise<void> {
  const reply = await put(...given)
  assert.equal(reply.status, 204, reply.text)
}
const ask = (guest: Arrival, token = guest.kiosk) =>
  house.ask('GET', `/api/v2/stays/${guest.id}/missing-registrations`, { token })
async function missingOf(guest: Arrival) {
  const reply = await ask(guest)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.body.data.id, guest.id)
  return reply.body.data.attributes.missing
}
async function registrationOf(guest: Arrival) {
  const { body } = await house.ask('GET', `/api/v2/registrations?filter[stayId]=${guest.id}`)
  return (await house.ask('GET', `/api/v2/registrations/${body.data[0].id}`)).body.data.attributes
}
const pointersOf = (name: string) =>
  name === 'address' ? ['/address/line1', '/address/city', '/address/country'] : [`/${name}`]
const others = allFields.filter((name) => name !== 'lastName')
const pick = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)))

describe('what a kiosk asks the guests of a stay', () => {
  it('is what the house needs and has not, for every choice of fields', async () => {
    const guest = await arriving(house)
    await fc.assert(
      fc.asyncProperty(fc.subarray(others, { minLength: 1 }), fc.subarray(others), async (needs, has) => {
        await configure(house, { registrationFields: allFields })
        await written(guest, { ...whole, firstName: null }, { token: desk })
        await configure(house, { registrationFields: ['lastName'] })
        await written(guest, { lastName: 'Lauch', ...pick(has) }, { token: desk })
        await configure(house, { registrationFields: needs })
        const fields = needs.filter((name) => !has.includes(name)).flatMap(pointersOf)
        const expected = fields.length === 0 ? [] : [{ profileId: guest.profileId, fields }]
        assert.deepEqual(await missingOf(guest), expected)
        await written(guest, pick(needs.filter((name) => !has.includes(name))))
        assert.deepEqual(await missingOf(guest), [])
      }),
      { numRuns: 10, seed },
    )
  })

  it('is each guest who is not registered, and nothing of who only pays', async () => {
    await configure(house, { registrationFields: ['birthDate'] })
    const guest = await arriving(house, {
      personCount: { adults: 2 },
      profiles: [
        { role: 'PrimaryGuest', lastName: 'Zwiebelhuber', firstName: 'W' },
        { role: 'AdditionalGuest', lastName: 'Porree', firstName: 'P' },
        { role: 'Booker', lastName: 'Lauch', firstName: 'L' },
      ],
    })
    const [first, second] = guest.profileIds
    const fields = ['/birthDate']
    assert.deepEqual(await missingOf(guest), [
      { profileId: first, fields },
      { profileId: second, fields },
    ])
    await written(guest, pick(fields.map((each) => each.slice(1))), { profileId: first! })
    assert.deepEqual(await missingOf(guest), [{ profileId: second, fields }])
  })

  it('is the name on file alone where the house needs no more, which the kiosk writes without a question', async () => {
    await configure(house, { registrationFields: ['lastName'] })
    const guest = await arriving(house)
    assert.deepEqual(await missingOf(guest), [{ profileId: guest.profileId, fields: [] }])
    await written(guest, {})
    assert.deepEqual(await missingOf(guest), [])
    assert.partialDeepStrictEqual(await registrationOf(guest), {
      firstName: 'Wendeline',
      lastName: 'Zwiebelhuber',
      takenAtKiosk: true,
    })
  })

  it('is nothing where the house registers no guests, and where the desk has said why', async () => {
    const guest = await arriving(house)
    await configure(house, { registrationFields: [] })
    assert.deepEqual(await missingOf(guest), [])
    await configure(house, { registrationFields: ['birthDate'] })
    const registrationWaiver = 'The passports are at the embassy.'
    assert.equal((await house.ask('PATCH', guest.path, { body: { registrationWaiver } })).status, 204)
    assert.deepEqual(await missingOf(guest), [])
  })

  it('is the rules again when their text has changed since', async () => {
    const { houseRulesVersion: version } = await configure(house, {
      houseRules: { en: 'Rules A' },
      registrationFields: ['acceptedRules'],
    })
    const guest = await arriving(house)
    await written(guest, { acceptedRules: { version, language: 'en' } })
    assert.deepEqual(await missingOf(guest), [])
    await configure(house, { houseRules: { en: 'Rules B' } })
    assert.deepEqual(await missingOf(guest), [{ profileId: guest.profileId, fields: ['/acceptedRules'] }])
    refused(await put(guest, {}), 422, 'validation-failed', '/data/attributes/acceptedRules')
    await written(guest, { acceptedRules: { version: Number(version) + 1, language: 'en' } })
    assert.deepEqual(await missingOf(guest), [])
  })

  it('is a guest without a name, whom only the desk can register', async () => {
    await configure(house, { registrationFields: ['birthDate'] })
    const guest = await arriving(house)
    assert.equal((await house.ask('PATCH', guest.path, { body: { profiles: [] } })).status, 204)
    assert.deepEqual(await missingOf(guest), [{ profileId: null, fields: [] }])
  })

  it('is said to no kiosk without a proof of the guest', async () => {
    const guest = await arriving(house)
    const other = await arriving(house)
    for (const token of [other.kiosk, await house.tokenOf('kiosk')])
      refused(await ask(guest, token), 403, 'kiosk-scope')
    for (const role of ['housekeeping', 'auditor', 'installer'] as const)
      refused(await ask(guest, await house.tokenOf(role)), 403, 'scope-required')
  })
})

describe('the registration that a kiosk writes', () => {
  it('completes the one before, which it cannot read', async () => {
    await configure(house, { registrationFields: ['documentNumber', 'signature'] })
    const guest = await arriving(house)
    await written(guest, whole, { token: desk })
    await configure(house, { registrationFields: ['documentNumber', 'signature', 'birthDate'] })
    await written(guest, { birthDate: '1970-01-01' })
    assert.partialDeepStrictEqual(await registrationOf(guest), {
      ...whole,
      birthDate: '1970-01-01',
      takenAtKiosk: true,
    })
  })

  it('keeps the signature that the desk has on paper', async () => {
    await configure(house, { registrationFields: ['signature'] })
    const guest = await arriving(house)
    await written(guest, { ...whole, signature: null, signedOnPaper: true }, { token: desk })
    await configure(house, { registrationFields: ['signature', 'nationality'] })
    await written(guest, { nationality: 'FR' })
    const { signedOnPaper, nationality } = await registrationOf(guest)
    assert.deepEqual([signedOnPaper, nationality], [true, 'FR'])
  })

  it('keeps the answers of a guest who cannot sign there, who is not checked in before the desk has the signature', async () => {
    await configure(house, { registrationFields: ['birthDate', 'signature'] })
    const guest = await arriving(house)
    refused(await put(guest, { signature: null }), 422, 'validation-failed', '/data/attributes/birthDate')
    await written(guest, { birthDate: '1970-01-01', signature: null })
    assert.partialDeepStrictEqual(await registrationOf(guest), {
      birthDate: '1970-01-01',
      signature: null,
      signedOnPaper: false,
      takenAtKiosk: true,
    })
    for (const token of [guest.kiosk, desk])
      assert.deepEqual((await ask(guest, token)).body.data.attributes.missing, [
        { profileId: guest.profileId, fields: ['/signature'] },
      ])
    const checkIn = await house.ask('PATCH', guest.path, { body: { status: 'InHouse' } })
    refused(checkIn, 409, 'registration-required')
    refused(await put(guest, {}), 422, 'validation-failed', '/data/attributes/signature')
    refused(await put(guest, { ...whole, signature: null }, { token: desk }), 422, 'validation-failed')
  })

  for (const [what, body, pointer] of [
    ['a field that is still missing', { signature }, '/birthDate'],
    ['no body of fields', {}, '/birthDate'],
    ['a day that is to come', { birthDate: '2030-01-01', signature }, '/birthDate'],
    ['a former country', { birthDate: '1970-01-01', signature, nationality: 'SU' }, '/nationality'],
    ['a signature of a dot', { birthDate: '1970-01-01', signature: [[[1, 1]]] }, '/signature'],
    ['no last name', { ...whole, lastName: null }, '/lastName'],
  ] as const)
    it(`is refused with ${what}, at its place`, async () => {
      await configure(house, { registrationFields: ['birthDate', 'signature'] })
      const guest = await arriving(house)
      const reply = await put(guest, body)
      refused(reply, 422, 'validation-failed')
      assert.ok(reply.body.errors[0].source.pointer.endsWith(pointer), reply.text)
      assert.deepEqual((await missingOf(guest))[0].fields, ['/birthDate', '/signature'])
    })
})
