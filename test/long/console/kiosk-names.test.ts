import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type Guest, guestAt, type KioskHouse, kioskHouse, monday } from '../../console/kiosk-house.ts'

describe('a guest who is looked for by name at a kiosk', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  let guest: Guest
  const browser = browserForSuite()
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house.stop())
  afterEach(() => guest?.tab.close())

  const person = (firstName: string, lastName: string) => ({
    profiles: [{ role: 'PrimaryGuest', firstName, lastName }],
  })
  async function searches(name: string): Promise<void> {
    await guest.types(name)
    await guest.presses('Next')
    await guest.presses('Search')
  }
  const keysOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)).body.data.length

  it('is found by the last name, not by a part of it or by the first name', async () => {
    await house.arrival(person('Quirina', 'Straußberger Łukasz'))
    guest = await guestAt(house, browser)
    for (const name of ['QUIRINA', 'STRAUSS', 'LUK']) {
      await guest.presses('Touch to check in')
      await guest.presses('Find me by name')
      await searches(name)
      await guest.reads('We cannot find this booking.')
      await guest.presses('Start again')
    }
    for (const name of ['STRAUSSBERGER', 'LUKASZ', 'STRAUSSBERGERLUKASZ', 'QUIRINASTRAUSSBERGERLUKASZ']) {
      await guest.presses('Touch to check in')
      await guest.presses('Find me by name')
      await searches(name)
      await guest.reads('Please enter your booking number.')
      assert.doesNotMatch(await guest.page.innerText('body'), /Quirina/)
      await guest.presses('Start again')
    }
    guest.tab.expectClean()
  })

  for (const [firstName, lastName] of [
    ['', 'Aulia'],
    ['-', 'Adesuwa'],
  ] as const)
    it(`is greeted by the one name ${lastName} where the first name is "${firstName}"`, async () => {
      const { number } = await house.arrival(person(firstName, lastName))
      guest = await guestAt(house, browser)
      await guest.presses('Touch to check in')
      await guest.reads('Letters and digits are enough.')
      await guest.presses('Start again')
      await guest.entersNumber(number, lastName.toUpperCase())
      await guest.reads('Is this your booking?')
      assert.match(await guest.page.innerText('h1'), new RegExp(`, ${lastName}$`))
      guest.tab.expectClean()
    })

  it('may begin anew by name after the number of somebody else', async () => {
    const other = await house.arrival()
    guest = await guestAt(house, browser)
    await guest.entersNumber(other.number, 'NOBODY')
    await guest.reads('We cannot find this booking.')
    await guest.presses('Find me by name')
    await guest.types('NOBODY')
    await guest.presses('Next')
    await guest.reads('On which day does your stay begin?')
    guest.tab.expectClean()
  })

  it('gets no card of another guest of the same booking', async () => {
    const { number, reservationId, stayId } = await house.arrival(person('Anna', 'Alpha'))
    const { body } = await house.ask('GET', `/api/v2/reservations/${reservationId}/stays/${stayId}`)
    const [{ unitTypeId }] = body.data.attributes.units
    const other = {
      startDate: monday,
      endDate: '2026-06-03',
      status: 'Confirmed',
      personCount: { adults: 1 },
      units: [{ unitTypeId }],
      reservationIds: [{ type: 'Confirmation', value: number }],
      ...person('Bob', 'Betaman'),
    }
    const added = await house.ask('POST', `/api/v2/reservations/${reservationId}/stays`, { body: other })
    assert.equal(added.status, 201, added.text)
    guest = await guestAt(house, browser)
    await guest.presses('Touch to check in')
    await guest.presses('Find me by name')
    await searches('ALPHA')
    await guest.reads('Please enter your booking number.')
    await guest.types(number)
    await guest.presses('Search')
    await guest.reads('Anna A.')
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    assert.equal(await keysOf(stayId), 1)

    await guest.entersNumber(number, 'BETAMAN')
    await guest.reads('Bob B.')
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    assert.equal(await keysOf(stayId), 1)
    guest.tab.expectClean()
  })
})
