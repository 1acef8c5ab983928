import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { monday, settableClock } from '../test-clock.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type Installer, installerAt } from './installer.ts'

describe('the set-up in a browser', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let tab: Tab
  before(async () => {
    house = await startAppliance({ sample: false, clock: settableClock(monday) })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  it('brings 120 rooms to a card at a door with few clicks and keystrokes', async (context) => {
    tab = await browser.open(`${house.appliance.url}/`)
    assert.equal(new URL(tab.page.url()).pathname, '/setup', 'nobody owns the box')
    const ida: Installer = installerAt(house, tab)
    await ida.claims()
    await ida.describesHouse()
    await ida.makesRooms()
    await ida.choosesLocks()
    await ida.usesDevices()
    await ida.skips()
    await ida.skips()
    await ida.addsStaff()
    await ida.triesCard()
    const { clicks, keystrokes } = ida.effort
    context.diagnostic(`${clicks} clicks, ${keystrokes} keystrokes besides names and passwords`)
    assert.ok(keystrokes <= 150, `${keystrokes} keystrokes`)
    assert.ok(clicks <= 45, `${clicks} clicks`)
    await tab.page.getByText(/opened the door of 101/).waitFor()
    for (const part of ['health', 'log', 'backups', 'certificate', 'people', 'files']) {
      await tab.page.goto(`${house.appliance.url}/setup#/system/${part}`)
      await tab.page.getByRole('heading', { name: 'System' }).waitFor()
      assert.equal(await tab.page.getByRole('alert').count(), 0, part)
    }
    tab.expectClean()
    await tab.page.goto(`${house.appliance.url}/`)
    assert.equal(new URL(tab.page.url()).pathname, '/desk', 'the box has an owner now')
  })
})
