import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { installerAt } from '../../console/installer.ts'
import { monday, settableClock } from '../../test-clock.ts'

describe('the enrolment of computers and kiosks', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let tab: Tab
  let page: Page
  before(async () => {
    house = await startAppliance({ sample: false, clock: settableClock(monday) })
    const { url } = house.appliance
    tab = await browser.open(`${url}/setup`)
    page = tab.page
    // As a browser on plain http has none.
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    // Other devices reach this box at its own address.
    await page.route('**/api/config/v1/certificate', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { attributes: { urls: string[] } } }
      body.data.attributes.urls = [url]
      await route.fulfill({ response: answer, json: body })
    })
    await page.reload()
    await installerAt(house, tab).claims()
  })
  after(async () => {
    await tab?.close()
    await house?.stop()
  })

  async function addressOf(name: string, kind: string): Promise<string> {
    await page.goto(`${house.appliance.url}/setup#/staff`)
    const part = page.getByLabel('Computers and kiosks', { exact: true })
    await part.getByLabel('Name', { exact: true }).fill(name)
    await part.getByLabel('What it is').selectOption({ label: kind })
    await part.getByRole('button', { name: 'Add the computer' }).click()
    const notice = page.getByRole('status').filter({ hasText: `${name}: ` })
    const code = page.getByRole('img', { name: `QR code that enrols ${name}` })
    await code.waitFor()
    assert.match((await code.locator('path').getAttribute('d')) ?? '', /^(M\d+ \d+h1v1h-1z){200,}$/)
    return notice.locator('code').innerText()
  }

  /** The line of the station says that it is enrolled. */
  const enrolled = (name: string) =>
    page.getByRole('listitem').filter({ hasText: name }).getByText('Enrolled', { exact: true }).waitFor()

  for (const [name, kind] of [
    ['Desk left', 'Front desk'],
    ['Desk right', 'Front desk'],
    ['Floor 2', 'Housekeeping'],
  ] as const)
    it(`enrols ${name} at the address of its code`, async () => {
      const url = await addressOf(name, kind)
      assert.match(url, /\/desk#\/enrol\/\d{8}$/)
      const other = await browser.open(url)
      await other.page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await enrolled(name)
      await other.page.waitForURL(/\/desk#\/$/)
      await other.close()
      tab.expectClean()
    })

  for (const name of ['Lobby left', 'Lobby right'])
    it(`enrols the kiosk ${name} without typing`, async () => {
      const url = await addressOf(name, 'Kiosk')
      assert.match(url, /\/kiosk#\/enrol\/\d{8}$/)
      const other = await browser.open(url)
      await enrolled(name)
      assert.equal(new URL(other.page.url()).hash, '')
      await other.close()
      tab.expectClean()
    })

  it('copies codes and tokens without the clipboard of a secure page, and says so', async () => {
    const url = await addressOf('Desk behind', 'Front desk')
    await page.getByRole('button', { name: `Copy: ${url}` }).click()
    await page.getByText('Copied.', { exact: true }).waitFor()
    const field = page.getByLabel('Computers and kiosks', { exact: true }).getByLabel('Name', { exact: true })
    await field.focus()
    await page.keyboard.press('Control+V')
    assert.equal(await field.inputValue(), url.slice(0, 60))
    await page.goto(`${house.appliance.url}/setup#/system/people`)
    await page.getByLabel('Name of the program').fill('Report')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Copy: Report' }).click()
    await page.getByText('Copied.', { exact: true }).waitFor()
    await page.evaluate('document.execCommand = () => false')
    await page.getByRole('button', { name: 'Copy: Report' }).click()
    await page.getByText('The browser did not copy it.').waitFor()
    await page.goto(`${house.appliance.url}/setup#/report`)
    await page.getByText('Desk behind: Front desk, Code not used yet').waitFor()
    tab.expectClean()
  })
})
