import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { receiver } from '../../events/receiver.ts'
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

  it('takes the address of a phone, tests it, says why it is not reached, and removes it', async () => {
    let phone = await receiver()
    const tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/house`)
    const { page } = tab
    const address = page.getByLabel('Messages to a phone: address')
    const saves = page.getByRole('button', { name: 'Save and send a test message' })
    await address.fill('http://192.0.2.1/porter')
    await saves.click()
    await page
      .getByText(/local network/)
      .first()
      .waitFor()
    await address.fill(phone.url)
    await page.getByLabel('Access token').fill('tk_porter')
    await saves.click()
    await page.getByText('The test message was sent.').waitFor()
    const [tried] = await phone.has(1)
    assert.match(tried!.text, /^Test message/)
    assert.equal(tried!.headers.authorization, 'Bearer tk_porter')
    const test = page.getByRole('button', { name: `Send a test message: ${phone.url}` })
    await phone.close()
    await test.click()
    await page.getByText(/not sent: the machine at this address accepts no connection/).waitFor()
    phone = await receiver(phone.port)
    await test.click()
    await page.getByText('The test message was not sent').waitFor({ state: 'detached' })
    await phone.has(1)
    await page.getByRole('button', { name: `Remove: ${phone.url}` }).click()
    await test.waitFor({ state: 'detached' })
    assert.deepEqual((await house.ask('GET', '/api/config/v1/webhooks')).body.data, [])
    await phone.close()
    tab.expectClean(/422/)
    await tab.close()
  })
})
