import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Reply } from '../../appliance.ts'
import { guestFound } from '../../guest-found.ts'
import { type MadeStay, openHouse, type ReservationHouse, today } from './house.ts'

const minute = 60_000

let house: ReservationHouse
let kiosk: string
let desk: string
before(async () => {
  house = await openHouse()
  kiosk = await house.tokenOf('kiosk')
  desk = await house.tokenOf('frontdesk')
})
after(() => house.stop())

let numbers = 0
/** A guest who has a unit and has not paid. */
async function unpaid(): Promise<MadeStay & { number: string; lastName: string }> {
  const { unitTypeId, unitId } = await house.rooms(1)
  const number = `RL-${++numbers}`
  const lastName = `Duarte${String.fromCharCode(96 + numbers)}`
  const made = await house.told({
    units: [{ unitTypeId, unitId }],
    reservationIds: [{ type: 'Confirmation', value: number }],
    profiles: [{ role: 'PrimaryGuest', firstName: 'Rui', lastName }],
    amount: { currency: 'EUR', amountWithTax: 100 },
  })
  return { ...made, number, lastName }
}

const set = ({ path }: MadeStay, status: string, token = kiosk) =>
  house.ask('PATCH', path, { body: { status }, token })
const release = ({ id }: MadeStay) =>
  house.ask('POST', `/api/v2/stays/${id}/actions/release`, { token: desk })
const codeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.errors[0].code}`)

describe('a guest who has not paid', () => {
  it('is checked in at a kiosk when the front desk has released the stay, for 15 minutes', async () => {
    const [guest, late] = [await unpaid(), await unpaid()]
    await guestFound(house.ask, kiosk, guest.id)
    assert.equal(codeOf(await set(guest, 'InHouse')), '422 balance-outstanding')
    assert.equal((await release(guest)).status, 200)
    assert.equal(codeOf(await set(guest, 'InHouse')), '204')
    await release(late)
    house.clock.advance(15 * minute)
    await guestFound(house.ask, kiosk, late.id)
    assert.equal(codeOf(await set(late, 'InHouse')), '422 balance-outstanding')
  })

  it('is checked in at a kiosk of a property that takes payments later, and not out', async () => {
    const guest = await unpaid()
    await guestFound(house.ask, kiosk, guest.id)
    const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const later = (keyBeforePayment: boolean) =>
      house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: { keyBeforePayment } })
    await later(true)
    assert.equal(codeOf(await set(guest, 'InHouse')), '204')
    assert.equal(codeOf(await set(guest, 'CheckedOut')), '422 balance-outstanding')
    await later(false)
    const next = await unpaid()
    await guestFound(house.ask, kiosk, next.id)
    assert.equal(codeOf(await set(next, 'InHouse')), '422 balance-outstanding')
  })
})

describe('a check-out at a kiosk', () => {
  for (const price of [0, 1, 99.99])
    it(`of a guest who has paid 100.00 for what costs ${price} is done, and the stay says what is to give back`, async () => {
      const guest = await unpaid()
      const body = { currency: 'EUR', amount: 10_000, brand: 'Cash' }
      const paid = await house.ask('POST', `${guest.path}/actions/record-payment`, { body, token: desk })
      assert.equal(paid.status, 201, paid.text)
      const amount = { currency: 'EUR', amountWithTax: price }
      await house.ask('PATCH', guest.path, { body: { amount }, token: desk })
      await guestFound(house.ask, kiosk, guest.id)
      assert.equal(codeOf(await set(guest, 'InHouse')), '204')
      assert.equal(codeOf(await set(guest, 'CheckedOut')), '204')
      const shown = await house.ask('GET', guest.path, { token: kiosk })
      assert.equal(shown.body.data.attributes.outstanding, Math.round(price * 100) - 10_000)
    })

  it('is of the visit of the check-in, within ten minutes, or needs the front desk', async () => {
    const free = async () => {
      const guest = await unpaid()
      await house.ask('PATCH', guest.path, { body: { amount: null }, token: desk })
      await guestFound(house.ask, kiosk, guest.id)
      assert.equal(codeOf(await set(guest, 'InHouse')), '204')
      return guest
    }
    const mistaken = await free()
    house.clock.advance(4 * minute)
    assert.equal(codeOf(await set(mistaken, 'CheckedOut')), '204')
    const found = await free()
    house.clock.advance(1)
    await guestFound(house.ask, kiosk, found.id)
    assert.equal(codeOf(await set(found, 'CheckedOut')), '403 kiosk-scope', 'another visit')
    const elsewhere = await unpaid()
    await house.ask('PATCH', elsewhere.path, { body: { amount: null }, token: desk })
    await guestFound(house.ask, kiosk, elsewhere.id)
    assert.equal(codeOf(await set(elsewhere, 'InHouse', desk)), '204')
    assert.equal(codeOf(await set(elsewhere, 'InHouse')), '204', 'it changes nothing')
    assert.equal(codeOf(await set(elsewhere, 'CheckedOut')), '403 kiosk-scope', 'the desk has checked in')
    const slow = await free()
    for (let count = 0; count < 3; count++) {
      house.clock.advance(4 * minute)
      assert.equal((await house.ask('GET', slow.path, { token: kiosk })).status, 200)
    }
    assert.equal(codeOf(await set(slow, 'CheckedOut')), '403 kiosk-scope', 'too late')
    await release(slow)
    assert.equal(codeOf(await set(slow, 'CheckedOut')), '204')
  })
})

describe('a guest about whom too much was wrong', () => {
  it('is found again once the front desk has released the stay', async () => {
    const guest = await unpaid()
    const find = async (name: string) => {
      const query = `filter[reservationIds.searchForm]=${guest.number}&filter[profile.normalizedName][like]=${name}`
      return house.ask('GET', `/api/v2/reservations?${query}&filter[arrival]=${today}`, { token: kiosk })
    }
    for (let count = 0; count < 5; count++) await find(`Wrong${'ABCDE'[count]}`)
    assert.equal(codeOf(await find(guest.lastName)), '403 kiosk-scope')
    await release(guest)
    assert.equal(codeOf(await find('WrongA')), '403 kiosk-scope')
    assert.deepEqual((await find(guest.lastName)).body.meta.proven, [guest.id])
  })

  it('is found also at a kiosk where too much was wrong, and beside another guest of the name', async () => {
    const [guest, other] = [await unpaid(), await unpaid()]
    for (const each of [guest, other]) {
      const [{ id }] = (await house.attributes(each.path)).profiles
      const emails = [{ address: `${each.number}@example.com`, type: 'Private', primary: true }]
      await house.ask('PATCH', `/api/v2/profiles/${id}`, { body: { lastName: 'Same', emails } })
    }
    const token = await house.tokenOf('kiosk')
    const find = (onFile: string) =>
      house.ask(
        'GET',
        `/api/v2/reservations?filter[profile.normalizedName][like]=same&filter[arrival]=${today}&filter[profile.onFile]=${onFile}`,
        { token },
      )
    for (let count = 0; count < 20; count++) await find(`nobody${count}@example.com`)
    assert.equal(codeOf(await find(`${guest.number}@example.com`)), '403 kiosk-scope')
    await release(guest)
    assert.deepEqual((await find(`${guest.number}@example.com`)).body.meta.proven, [guest.id])
    assert.equal(codeOf(await find(`${other.number}@example.com`)), '403 kiosk-scope')
  })
})
