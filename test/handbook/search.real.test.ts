import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { folder, type Served, served } from '../cli/command-line.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../console/browser.ts'

describe('the search of the handbook', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  const data = folder()
  let house: Served
  let tab: Tab
  before(async () => {
    house = await served(data.path, '--empty')
    tab = await browser.open(`${house.url}/handbook`)
  })
  after(async () => {
    await tab?.close()
    await house?.stop()
    data.remove()
  })

  /** What is typed, and the link that is among the first five. */
  const searches: [typed: string, path: string][] = [
    ['recovery key', '/handbook/backup#make-the-key'],
    ['RENAME a device', '/handbook/devices'],
    ['stick', '/handbook/recovery#a-usb-stick-in-a-box-from-an-image'],
    ['Idempotency-Key', '/handbook/requests'],
    ['mifare', '/handbook/lock-systems'],
    ['ModemManager', '/handbook/'],
    ['exit code 75', '/handbook/'],
  ]
  for (const [typed, path] of searches)
    it(`finds: ${typed}`, async () => {
      await tab.page.getByLabel('Search all pages').fill(typed)
      const links = tab.page.locator('#found a')
      await links.first().waitFor()
      const found = await links.evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
        all.map((each) => each.getAttribute('href')),
      )
      assert.ok(
        found.some((each) => each?.startsWith(path)),
        found.join('\n'),
      )
      assert.ok(found.length <= 30)
    })

  it('says when no page has the words, and leads to the heading that it found', async () => {
    const field = tab.page.getByLabel('Search all pages')
    await field.fill('zzyzx <b>')
    await tab.page.getByText('No page has these words.').waitFor()
    await field.fill('make the key')
    await tab.page.locator('#found a').first().click()
    await tab.page.waitForURL(/\/handbook\/backup#make-the-key$/)
    assert.equal(await tab.page.title(), 'Back up and restore - Handbook - nightporter')
    tab.expectClean()
  })

  it('shows the changelog, linked from the version', async () => {
    await tab.page.goto(`${house.url}/doors`)
    await tab.page.getByRole('link', { name: /^\d+\.\d+\.\d+/ }).click()
    await tab.page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor()
    tab.expectClean()
  })
})
