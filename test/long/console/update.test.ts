import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { startAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { monday, testClock } from '../../test-clock.ts'
import { publisher, simulatedGround } from '../../update/box.ts'

const browser = browserForSuite()

it('shows an update, begins it, and says how it ended', { skip: withoutBrowser }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-slots-'))
  const ground = simulatedGround(folder)
  const source = await publisher(monday)
  source.publish('0.7.0', { security: true })
  const clock = testClock({ always: true })
  const house = await startAppliance({
    clock,
    update: source.settings({ automatic: 'none' }),
    ground: ground.ground,
  })
  t.after(async () => {
    await house.stop()
    await source.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/system/update`)
  const { page } = tab
  await page.getByRole('button', { name: 'Look for updates' }).click()
  await page.getByText('What is new in 0.7.0.').waitFor()
  await page.getByText('Security', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Update now' }).click()
  await page.getByLabel('Without a backup').check()
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByText('The box restarts now.').waitFor({ timeout: 60_000 })
  assert.equal(ground.slots().oneShot, 'B')
  tab.expectClean()
  await tab.close()
  // Nobody confirms the trial: the machine starts again, and with it the old version.
  ground.startMachine()
  await house.restart(() => ground.startMachine())
  const again = await browser.openAs('Ida', `${house.appliance.url}/setup#/system/update`)
  await again.page.getByText('The update to version 0.7.0 was taken back').waitFor()
  await again.page.getByText('did not start, or the box lost its power').waitFor()
  again.expectClean()
  await again.close()
})
