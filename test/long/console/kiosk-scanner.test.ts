import { after, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { guestAt, type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** A scanner types the next line within a tenth of a second, which a busy machine may not: so this is no test of the gate. */
describe('a scanner at a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  for (const [what, lines] of [
    ['with a heading', (number: string) => ['HOTEL SAMPLE', '', `Booking number: ${number}`, 'Guests: 2']],
    ['without names', (number: string) => ['Martin Léa', number, '2026-06-01']],
    ['in JSON', (number: string) => ['{', '"hotel": 12,', `"confirmationNumber": "${number}"`, '}']],
  ] as const)
    it(`that ends each line with Enter finds the booking, ${what}`, async () => {
      const { number } = await house.arrival()
      const guest = await guestAt(house, browser)
      await guest.reads('Touch to check in')
      for (const line of lines(number)) {
        await guest.page.keyboard.type(line)
        await guest.page.keyboard.press('Enter')
      }
      await house.during(guest.page.getByLabel('Last name', { exact: true }).fill(`GASTIN${number}`))
      await guest.presses('Search')
      await guest.reads('Is this your booking?')
      guest.tab.expectClean()
      await guest.tab.close()
    })
})
