import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { monday, type SettableClock, settableClock } from '../test-clock.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type Installer, installerAt } from './installer.ts'

/** A pause longer than this is taken in parts, so that page and box notice meanwhile what they look for now and then. */
const mostAtOnceMs = 10_000

/** The timers of a settable clock are those of the machine. The box says often that it is there, so that a page whose time is moved hears it. */
function beatingOften(clock: SettableClock): SettableClock {
  return { ...clock, setInterval: (run, ms) => clock.setInterval(run, ms === 15_000 ? 100 : ms) }
}

describe('the set-up in a browser', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let tab: Tab
  before(async () => {
    house = await startAppliance({ sample: false, clock: beatingOften(settableClock(monday)) })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  it('brings 120 rooms to a card at a door within ten minutes of a person', async (context) => {
    tab = await browser.open(`${house.appliance.url}/`)
    const { page } = tab
    await page.clock.install({ time: monday })
    await page.reload()
    assert.equal(new URL(page.url()).pathname, '/setup', 'nobody owns the box')
    const ida: Installer = installerAt(house, tab, async (seconds) => {
      for (let left = seconds * 1_000; left > 0; left -= mostAtOnceMs) {
        const ms = Math.min(left, mostAtOnceMs)
        house.clock.advance(ms)
        await page.clock.runFor(ms)
      }
    })
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.title(), 'This box belongs to nobody yet - Setup')
    await ida.claims()
    await ida.describesHouse()
    await ida.makesRooms()
    await ida.choosesLocks()
    await ida.usesDevices()
    await ida.skips()
    await ida.skips()
    await ida.addsStaff()
    await ida.makesTestCard()
    assert.equal(await page.getByText('The device is not open').count(), 0, 'only the door is asked about')
    await ida.saysItOpened()
    const { clicks, keystrokes, seconds } = ida.effort
    context.diagnostic(`${clicks} clicks, ${keystrokes} keystrokes besides names and passwords`)
    assert.ok(keystrokes <= 150, `${keystrokes} keystrokes`)
    assert.ok(clicks <= 45, `${clicks} clicks`)
    context.diagnostic(`${(seconds / 60).toFixed(1)} minutes of a person`)
    assert.ok(seconds < 600, `${seconds} seconds`)
    for (const now of [await page.evaluate<number>('Date.now()'), house.clock.now()])
      assert.ok(now - monday >= seconds * 1_000 - 1, 'the page and the box have waited for the person')
    const stepOfBackup = page.getByRole('link', { name: /Backup$/ })
    assert.equal(await stepOfBackup.locator('.mark.missing').count(), 1, 'the backup is missing')
    await page.getByText(/^No backup leaves this box:/).waitFor()
    await page.goto(`${house.appliance.url}/setup#/report`)
    await page.getByText(/opened the door of 101/).waitFor()
    await page.getByText(/^No backups are made/).waitFor()
    await page.goto(`${house.appliance.url}/setup#/backup`)
    await ida.keepsSheet(async () => {})
    const stick = mkdtempSync(join(tmpdir(), 'np-stick-'))
    context.after(() => rmSync(stick, { recursive: true }))
    await ida.backsUpTo(pathToFileURL(stick).href)
    assert.equal(await stepOfBackup.locator('.mark.done').count(), 1)
    await page.goto(`${house.appliance.url}/setup#/report`)
    await page.getByText(/^A backup was read back from a place outside the box/).waitFor()
    for (const part of ['health', 'log', 'backups', 'certificate', 'people', 'files']) {
      await page.goto(`${house.appliance.url}/setup#/system/${part}`)
      await page.getByRole('heading', { name: 'System' }).waitFor()
      assert.equal(await page.getByRole('alert').count(), 0, part)
      assert.match(await page.title(), /^\S[^-]+ - System - Setup$/)
    }
    // The sheet asks for the password again.
    // A request that is under way while the password is asked again has the cookie from before.
    tab.expectClean(/recovery-sheet|status of 401/)
    await page.goto(`${house.appliance.url}/`)
    assert.equal(new URL(page.url()).pathname, '/desk', 'the box has an owner now')
  })
})
