import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'

describe('the set-up of a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house?.stop())

  it('asks for the telephone number of the desk, until it is there', async () => {
    const tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/staff`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    const number = page.getByLabel('Telephone of the front desk')
    await page.getByLabel('What it is').selectOption('kiosk')
    await number.fill('+351 22 555 0142')
    await page.getByRole('button', { name: 'Save the telephone number' }).click()
    await number.waitFor({ state: 'detached' })
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    assert.equal(settings.attributes.deskPhone, '+351 22 555 0142')
    tab.expectClean()
    await tab.close()
  })
})
