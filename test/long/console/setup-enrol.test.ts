import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'

describe('the enrolment of computers and kiosks', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house?.stop())

  /** The step of the staff, on a box that other devices reach at its own address. */
  async function staff(): Promise<{ page: Page; close: () => Promise<void>; clean: () => void }> {
    const { url } = house.appliance
    const tab = await browser.openAs('Ida', `${url}/setup#/staff`)
    await tab.page.route('**/api/config/v1/certificate', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { attributes: { urls: string[] } } }
      body.data.attributes.urls = [url]
      await route.fulfill({ response: answer, json: body })
    })
    // As a browser on plain http has none.
    await tab.page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await tab.page.reload()
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return { page: tab.page, close: () => tab.close(), clean: () => tab.expectClean() }
  }

  async function addressOf(page: Page, name: string, kind: string): Promise<string> {
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

  const isEnrolled = async (name: string) =>
    (await house.ask('GET', '/api/config/v1/stations')).body.data.find(
      ({ attributes }: { attributes: { name: string } }) => attributes.name === name,
    ).attributes.enrolledAt !== null

  for (const [name, kind] of [
    ['Desk left', 'Front desk'],
    ['Desk right', 'Front desk'],
    ['Floor 2', 'Housekeeping'],
  ] as const)
    it(`enrols ${name} at the address of its code`, async () => {
      const { page, close, clean } = await staff()
      const url = await addressOf(page, name, kind)
      assert.match(url, /\/desk#\/enrol\/\d{8}$/)
      const other = await browser.open(url)
      await other.page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await other.page.getByRole('button', { name: 'Confirm', exact: true }).waitFor({ state: 'detached' })
      assert.equal(await isEnrolled(name), true)
      assert.equal(new URL(other.page.url()).hash.includes('enrol'), false)
      clean()
      await other.close()
      await close()
    })

  for (const name of ['Lobby left', 'Lobby right'])
    it(`enrols the kiosk ${name} without typing`, async () => {
      const { page, close, clean } = await staff()
      const url = await addressOf(page, name, 'Kiosk')
      assert.match(url, /\/kiosk#\/enrol\/\d{8}$/)
      const other = await browser.open(url)
      for (let tries = 0; tries < 100 && !(await isEnrolled(name)); tries++) await page.waitForTimeout(50)
      assert.equal(await isEnrolled(name), true)
      assert.equal(new URL(other.page.url()).hash, '')
      clean()
      await other.close()
      await close()
    })

  it('copies codes and tokens without the clipboard of a secure page, and says so', async () => {
    const { page, close, clean } = await staff()
    const url = await addressOf(page, 'Desk behind', 'Front desk')
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
    clean()
    await close()
  })
})
