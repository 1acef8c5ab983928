import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type HttpPms, serveHttp } from '../../../src/simulators/cloudevents/http-server.ts'
import { type SimulatedPms, simulatedPms } from '../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../src/simulators/cloudevents/units.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse, monday } from '../../console/kiosk-house.ts'

/** A PMS that is connected in the set-up, is away for a while, and then says other things than the house. */
describe('a PMS in the set-up and at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let pms: SimulatedPms
  let server: HttpPms

  before(async () => {
    house = await kioskHouse()
    pms = simulatedPms({ clock: house.clock, units: unitsIn(sampleUnits)! })
    server = await serveHttp(pms, { port: 0, clock: house.clock })
    for (const lastName of ['Accepted', 'Reversed']) pms.book.put(lastName, reservation(lastName, 'Before.'))
    pms.book.put('Today', reservation('Today', 'Before.', monday))
  })
  after(async () => {
    await house?.stop()
    await server?.close()
  })

  const reservation = (lastName: string, comment: string, startDate = '2026-06-03') => ({
    externalId: lastName,
    stays: [
      {
        externalId: null,
        status: 'Confirmed' as const,
        startDate,
        endDate: '2026-06-05',
        units: [{ unitTypeCode: 'DBL' }],
        guests: [{ role: 'PrimaryGuest' as const, firstName: 'Ines', lastName }],
        comment,
      },
    ],
  })
  const stayOf = async (externalId: string) => {
    const { data } = (await house.ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)).body
    return data[0]?.attributes.stays[0]
  }
  const commentThere = (externalId: string) => pms.book.reservations.get(externalId)?.value?.stays[0]?.comment
  const sees = (page: Page, text: string | RegExp) => house.during(page.getByText(text).first().waitFor())

  it('is connected by clicks, and its reservations come', async () => {
    const tab = await browser.open(`${house.appliance.url}/setup#/pms`)
    const { page } = tab
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
    await press('Ida')
    await page.getByRole('heading', { name: 'PMS', level: 1 }).waitFor()
    await page.getByLabel('Which PMS').selectOption('cloudevents')
    await page.getByLabel(/base url/i).fill(server.baseUrl)
    await press('Save')
    await sees(page, 'Switched off')
    assert.equal(await stayOf('Accepted'), undefined)
    await press('Try it: fetch, and send nothing')
    await sees(page, 'Reservations of it that are here now: 3.')
    await sees(page, 'Only fetches')
    await press('Send changes as well')
    await sees(page, 'In step, both ways')
    assert.equal((await stayOf('Accepted')).comment, 'Before.')
    tab.expectClean(/403/)
    await tab.close()
  })

  it('is named at the desk while it is away, and both sides of a conflict can be taken afterwards', async () => {
    const port = Number(new URL(server.baseUrl).port)
    await server.close()
    const tab = await browser.open(`${house.appliance.url}/desk#/devices`)
    const { page } = tab
    await sees(page, /The PMS cannot be reached/)
    await page.getByRole('link', { name: '1 alarm' }).waitFor()
    await page
      .getByText(/^No connection to the PMS since .*\d\d:\d\d\. 0 wait to be sent; nothing is lost/)
      .waitFor()
    await page.getByRole('link', { name: 'Walk-in' }).click()
    await page.getByText('Sold from local knowledge').waitFor()

    for (const name of ['Accepted', 'Reversed']) {
      await page.goto(`${house.appliance.url}/desk#/stay/${(await stayOf(name)).id}`)
      await page.getByRole('button', { name: 'Change: Comment' }).click()
      await page.getByRole('textbox', { name: 'Comment' }).fill('Here.')
      await page.keyboard.press('Control+Enter')
      await page.locator('#sheet p').getByText('Here.').waitFor()
      pms.book.put(name, reservation(name, 'There.'))
    }
    pms.book.put('Today', reservation('Today', 'Late.', monday))
    server = await serveHttp(pms, { port, clock: house.clock })
    await page.goto(`${house.appliance.url}/desk#/today`)
    const row = page.getByRole('row', { name: /Today, Ines/ })
    await house.during(row.getByText(/changed by the PMS \d\d:\d\d/).waitFor())
    await page.goto(`${house.appliance.url}/desk#/devices`)
    await sees(page, 'Conflicts that a person must check: 2.')
    assert.equal(await page.getByText('cannot be reached').count(), 0)
    await page.getByRole('main').getByRole('link', { name: 'PMS conflicts' }).click()
    const cases = page.locator('.case')
    const caseOf = (name: string) => cases.filter({ hasText: name })
    await house.during(caseOf('Reversed').waitFor())
    await caseOf('Accepted').getByRole('button', { name: "Keep the PMS's value: There." }).click()
    await house.during(caseOf('Accepted').waitFor({ state: 'detached' }))
    const reversed = caseOf('Reversed')
    await house.during(reversed.getByText('no room yet').waitFor())
    await reversed.getByText('3 Jun – 5 Jun').waitFor()
    assert.deepEqual(await reversed.locator('.sides th').allInnerTexts(), ['PMS\ncounts', 'Hotel', 'Comment'])
    assert.deepEqual(await reversed.locator('.sides tbody td').allInnerTexts(), ['There.', 'Here.'])
    await reversed.getByRole('link', { name: 'Reversed, Ines' }).click()
    const sheet = page.locator('#sheet')
    await house.during(sheet.getByText('The PMS says something else: Comments').waitFor())
    assert.deepEqual(await sheet.locator('.sides tbody td').allInnerTexts(), ['There.', 'Here.'])
    await sheet.getByRole('button', { name: "Use the hotel's value: Here." }).click()
    await sees(page, 'No conflict is open.')
    await house.during(sheet.locator('.sides').waitFor({ state: 'detached' }))
    await page.keyboard.press('Escape')
    await house.during(page.getByRole('link', { name: '1 alarm' }).waitFor({ state: 'detached' }))
    assert.equal((await stayOf('Accepted')).comment, 'There.')
    assert.equal((await stayOf('Reversed')).comment, 'Here.')
    while (commentThere('Reversed') !== 'Here.') await house.during(page.waitForTimeout(50))
    assert.equal(commentThere('Accepted'), 'There.')
    await page.getByRole('button', { name: 'Decided' }).click()
    await page.getByText('PMS: in step').waitFor()
    await caseOf('Accepted').getByText('kept').waitFor()
    await caseOf('Accepted')
      .getByText(/, by Ana$/)
      .waitFor()
    await caseOf('Reversed').getByText('other value used').waitFor()
    tab.expectClean()
    await tab.close()
  })
})
