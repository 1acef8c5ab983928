import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse, tall } from '../../console/kiosk-house.ts'
import { inTexts } from './page-checks.ts'
import { languages, openPages } from './visit.ts'

const windows = [
  [1080, 1920],
  [768, 1366],
  [1920, 1080],
  [1280, 800],
] as const

/** As long as the house may write, in a type that has no spaces. */
const kiosk = {
  lift: 'Second lift on the right, behind the fountain. At night, use the card.',
  breakfast:
    'Monday to Friday 6.30 to 10.30, Saturday and Sunday 7.30 to 11.30, in the Winter Garden on the 12th floor.',
  wifi: 'Network: Grandhotel-Donaudampfschifffahrt-Guests-5GHz\nPassword: xK7-pQ2-mm9-zz4',
}

/** The page at the end has more on it than any other: rooms, what the house says, the receipt, another card. */
describe('the last page of the kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
    const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const set = await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: { kiosk } })
    assert.equal(set.status, 204, set.text)
  })
  after(() => house?.stop())

  for (const [at, language] of languages.entries())
    it(`covers no button and cuts no text, in ${language}`, async () => {
      const unitTypeId = (await house.ask('GET', '/api/v2/unit-types?sort=code')).body.data[0].id
      const { number, stayId, reservationId } = await house.arrival({
        // One of the stays has two rooms.
        ...(at === 1 && { units: [{ unitTypeId }, { unitTypeId }] }),
        amount: { currency: 'EUR', amountWithTax: 80 },
        profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Gästin' }],
      })
      const path = `/api/v2/reservations/${reservationId}/stays/${stayId}/actions/record-payment`
      const payment = { type: 'payment', attributes: { currency: 'EUR', amount: 8_000, brand: 'Cash' } }
      assert.equal((await house.ask('POST', path, { body: { data: payment } })).status, 201)
      const tab = await openPages(browser, `${house.appliance.url}/kiosk?receipts`, { ...tall, language })
      const { page } = tab
      const presses = (selector: string) => house.during(page.locator(selector).first().click())
      const fills = async (text: string) => {
        await house.during(page.locator('.entry input').fill(text))
        await presses('button[type=submit]')
      }
      await presses('.controls .button.main')
      await fills(number)
      await house.during(page.locator('.keyboard.name').waitFor())
      await fills('GASTIN')
      await presses('.controls .button.main:not([type=submit])')
      for (let skipped = 0; skipped < 2; skipped++) await presses('.entry .choices .button:not(.main)')
      await house.during(page.locator('.receipt-offer .button').waitFor())
      await page.locator('.rooms .button').click()
      const wrongs: string[] = []
      for (const [width, height, isLower] of [false, true].flatMap((lower) =>
        windows.map((each) => [...each, lower] as const),
      )) {
        await page.setViewportSize({ width, height })
        if (isLower && !(await page.locator('.kiosk-page.lower').count()))
          await page.locator('.foot .button').nth(1).click()
        const found = [...(await inTexts(page)), ...(await page.evaluate<string[]>(notSeen))]
        wrongs.push(...found.map((each) => `${width} x ${height}${isLower ? ', lower' : ''}: ${each}`))
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/${language}-${width}-${isLower}.png` })
      }
      await tab.close()
      assert.deepEqual(wrongs, [])
    })
})

/** What cannot be pressed or read at once: outside the window, covered by another thing, or in a part that must be scrolled. */
const notSeen = `[...document.querySelectorAll('.button, .panel, .instructions > *, .closing')].flatMap((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect()
  const name = each.className + ' "' + each.textContent.slice(0, 40) + '"'
  const corners = [[left + 8, top + 8], [right - 8, top + 8], [left + 8, bottom - 8], [right - 8, bottom - 8]]
  const covers = corners.map(([x, y]) => document.elementFromPoint(x, y)).find((over) => !over || !each.contains(over))
  return covers === undefined ? [] : [name + ' is covered by ' + (covers?.className ?? 'the end of the window')]
})`
