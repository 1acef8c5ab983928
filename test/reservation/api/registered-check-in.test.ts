import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, refused } from './house.ts'
import { type Arrival, allFields, arriving, configure, whole } from './registering.ts'

let house: ReservationHouse
let desk: string
before(async () => {
  house = await openHouse()
  desk = await house.tokenOf('frontdesk')
})
beforeEach(() => configure(house, { registrationFields: ['lastName', 'documentNumber'] }))
after(() => house.stop())

const checkIn = (guest: Arrival, token = desk, more = {}) =>
  house.ask('PATCH', guest.path, { body: { status: 'InHouse', ...more }, token })
const register = async (guest: Arrival, profileId?: string, body: object = whole) => {
  const reply = await house.ask('PUT', guest.at(profileId), { body, token: guest.kiosk })
  assert.equal(reply.status, 204, reply.text)
}
const statusOf = async (guest: Arrival) => (await house.attributes(guest.path)).status

/** Two guests, and a company that pays. */
const family = {
  personCount: { adults: 2 },
  profiles: [
    { role: 'PrimaryGuest', lastName: 'Zwiebelhuber', firstName: 'Wendeline' },
    { role: 'AdditionalGuest', lastName: 'Zwiebelhuber', firstName: 'Bertil' },
    { role: 'Company', profileType: 'Company', lastName: 'Lauch', firstName: '', companyName: 'Lauch GmbH' },
    { role: 'Booker', lastName: 'Porree', firstName: 'Paula' },
  ],
}

describe('a check-in in a house that registers its guests', () => {
  for (const who of ['the desk', 'the kiosk'] as const)
    it(`is refused to ${who} until each guest is registered, and says who is missing`, async () => {
      const guest = await arriving(house, family)
      const token = who === 'the desk' ? desk : guest.kiosk
      const [first, second] = guest.profileIds
      const none = { fields: [] }
      const missing = [
        { profileId: first, ...none },
        { profileId: second, ...none },
      ]
      refused(await checkIn(guest, token), 409, 'registration-required', undefined, {
        guard: 'registered',
        missing,
      })
      await register(guest, second)
      refused(await checkIn(guest, token), 409, 'registration-required', undefined, { missing: [missing[0]] })
      assert.equal(await statusOf(guest), 'Confirmed')
      await register(guest, first)
      assert.equal((await checkIn(guest, token)).status, 204)
    })

  it('is refused when it replaces the stay as a kiosk does, and when it is only tried', async () => {
    const guest = await arriving(house)
    const body = { ...(await house.attributes(guest.path)), status: 'InHouse' }
    for (const path of [guest.path, `${guest.path}?dryRun=true`])
      refused(await house.ask('PUT', path, { body, token: guest.kiosk }), 409, 'registration-required')
    await register(guest)
    assert.equal((await house.ask('PUT', guest.path, { body, token: guest.kiosk })).status, 204)
  })

  it('says the fields that were added to the settings since', async () => {
    const guest = await arriving(house)
    await register(guest, undefined, { lastName: 'Zwiebelhuber', documentNumber: 'X1' })
    await fc.assert(
      fc.asyncProperty(fc.subarray(allFields, { minLength: 1 }), async (registrationFields) => {
        await configure(house, { registrationFields })
        const fields = registrationFields
          .filter((name) => !['lastName', 'documentNumber'].includes(name))
          .flatMap((name) =>
            name === 'address' ? ['/address/line1', '/address/city', '/address/country'] : [`/${name}`],
          )
        const reply = await house.ask('PATCH', `${guest.path}?dryRun=true`, { body: { status: 'InHouse' } })
        if (fields.length === 0) assert.equal(reply.status, 204, reply.text)
        else {
          const [{ meta, detail }] = reply.body.errors
          assert.deepEqual(meta.missing, [{ profileId: guest.profileId, fields }], reply.text)
          const names = fields.map((pointer) => pointer.slice(1).replace('/', '.')).join(', ')
          assert.ok(detail.startsWith(`A registration lacks what the house needs: ${names}. `), detail)
        }
      }),
      { numRuns: 10 },
    )
  })

  it('needs a guest with a name', async () => {
    const guest = await arriving(house)
    assert.equal((await house.ask('PATCH', guest.path, { body: { profiles: [] } })).status, 204)
    refused(await checkIn(guest), 409, 'registration-required', undefined, {
      missing: [{ profileId: null, fields: [] }],
    })
  })

  it('asks for a guest who is added with it', async () => {
    const guest = await arriving(house)
    await register(guest)
    const profiles = [
      { id: guest.profileId, role: 'PrimaryGuest' },
      { role: 'AdditionalGuest', lastName: 'Spontan', firstName: 'S' },
    ]
    refused(await checkIn(guest, desk, { profiles }), 409, 'registration-required', undefined, {
      missing: [{ profileId: null, fields: [] }],
    })
  })

  it('is carried out at the desk without it, for a reason that is kept', async () => {
    const guest = await arriving(house)
    for (const registrationWaiver of ['', 'no', null])
      assert.ok(
        (await checkIn(guest, desk, { registrationWaiver })).status >= 400,
        String(registrationWaiver),
      )
    const registrationWaiver = 'The passports are at the embassy.'
    assert.equal((await checkIn(guest, desk, { registrationWaiver })).status, 204)
    assert.partialDeepStrictEqual(await house.attributes(guest.path), {
      status: 'InHouse',
      registrationWaiver,
    })
    const lines = house.journal(`stays/${guest.id}`)
    assert.ok(
      lines.some(({ data }) => (data.changed as string[] | undefined)?.includes('registrationWaiver')),
    )
    assert.doesNotMatch(JSON.stringify(lines), /embassy/)
  })

  it('is not carried out at the kiosk for a reason, unless the desk has given one', async () => {
    const guest = await arriving(house)
    const registrationWaiver = 'The guest says so.'
    refused(await checkIn(guest, guest.kiosk, { registrationWaiver }), 403, 'scope-required')
    assert.equal(
      (await house.ask('PATCH', guest.path, { body: { registrationWaiver }, token: desk })).status,
      204,
    )
    assert.equal((await checkIn(guest, guest.kiosk)).status, 204)
  })

  it('is not hindered where the PMS reports it, nor where the house registers no guests', async () => {
    await configure(house, { registrationFields: [] })
    assert.equal((await checkIn(await arriving(house))).status, 204)
    await configure(house, { registrationFields: ['signature'] })
    const { unitTypeId, unitId } = await house.rooms(1)
    const told = await house.told({ status: 'InHouse', units: [{ unitTypeId, unitId }] })
    assert.equal((await house.attributes(told.path)).status, 'InHouse')
  })

  it('is not hindered for a guest who walks in, who is registered after it', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const profiles = [{ role: 'PrimaryGuest', lastName: 'Walk', firstName: 'In' }]
    const stay = await house.stay({ status: 'InHouse', units: [{ unitTypeId, unitId }], profiles })
    const [{ id }] = (await house.attributes(stay.path)).profiles
    const path = `/api/v2/stays/${stay.id}/registrations/${id}`
    assert.equal((await house.ask('PUT', path, { body: whole, token: desk })).status, 204)
  })

  it('hinders neither a check-out nor a step back', async () => {
    const guest = await arriving(house)
    await register(guest)
    for (const [status, token] of [
      ['InHouse', desk],
      ['Confirmed', desk],
      ['InHouse', guest.kiosk],
    ] as const)
      assert.equal((await checkIn(guest, token, { status })).status, 204, status)
    await configure(house, { registrationFields: allFields })
    for (const status of ['CheckedOut', 'InHouse', 'CheckedOut'])
      assert.equal((await checkIn(guest, desk, { status })).status, 204, status)
  })
})
