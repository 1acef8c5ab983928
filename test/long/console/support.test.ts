import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { boxOf } from '../../box/support-box.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { testClock } from '../../test-clock.ts'

const browser = browserForSuite()

it('shows the support file before it is saved, and opens and closes the support console', {
  skip: withoutBrowser,
}, async (t) => {
  const { house, events } = await boxOf(t, { clock: testClock({ always: true }) })
  const tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/system/files`)
  const { page } = tab
  const file = page.getByRole('region', { name: 'Support file' })
  const save = file.getByRole('button', { name: 'Save' })
  const show = file.getByRole('button', { name: 'Show what is in it' })
  await show.waitFor()
  assert.equal(await save.count(), 0)
  await show.click()
  await file.getByText(/^Lines of the file: status 1, configuration \d+/).waitFor()
  const seen = await file.locator('pre').textContent()
  const [saved] = await Promise.all([page.waitForEvent('download'), save.click()])
  assert.equal(readFileSync(await saved.path(), 'utf8'), seen)

  await page.getByRole('button', { name: 'Open for an hour' }).click()
  await page.getByText(/^The support console is open until/).waitFor()
  await page.getByRole('button', { name: 'Close now' }).click()
  await page.getByRole('button', { name: 'Open for an hour' }).waitFor()
  assert.deepEqual(await events(), ['system.support-opened', 'system.support-closed'])
  tab.expectClean()
  await tab.close()
})
