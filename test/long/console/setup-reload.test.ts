import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { installerAt, password } from '../../console/installer.ts'
import { monday, settableClock } from '../../test-clock.ts'

describe('the set-up, interrupted after each step', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let tab: Tab
  before(async () => {
    house = await startAppliance({ sample: false, clock: settableClock(monday) })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  it('goes on at the step after the last saved one, with what was typed', async () => {
    tab = await browser.open(`${house.appliance.url}/setup`)
    const { page } = tab
    const ida = installerAt(house, tab)
    const at = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
    /** A reload without the step in the address, as after a power cut of the computer. */
    const reload = async (name: string) => {
      await page.goto('about:blank')
      await page.goto(`${house.appliance.url}/setup`)
      await at(name)
    }
    await page.getByLabel('Your name').fill('Ida')
    await page.reload()
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Ida', 'the claim')
    await ida.claims()
    await page.getByLabel('Name of the house').fill('Hotel do')
    await reload('House')
    assert.equal(await page.getByLabel('Name of the house').inputValue(), 'Hotel do')
    await ida.describesHouse()
    await page.getByLabel('Rooms and their types').fill('1-9 XXL')
    await reload('Rooms')
    assert.equal(await page.getByLabel('Rooms and their types').inputValue(), '1-9 XXL')
    await ida.makesRooms()
    await reload('Key system')
    await ida.choosesLocks()
    await reload('Devices')
    await ida.usesDevices()
    await reload('PMS')
    await ida.skips()
    await page.getByRole('heading', { name: 'Network', level: 1 }).waitFor()
    await reload('Network')
    await ida.skips()
    await ida.addsStaff()
    await reload('Test card')
    await page.getByRole('button', { name: 'Make a card for the door' }).click()
    await page.getByText('Did the door open?').waitFor()
    await reload('Test card')

    const other = await browser.open(`${house.appliance.url}/setup`)
    await other.page.getByLabel('Name', { exact: true }).fill('Ida Installer')
    await other.page.getByLabel('Password', { exact: true }).fill(password)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByRole('heading', { name: 'Test card', level: 1 }).waitFor()
    await other.page.getByRole('link', { name: 'left out: 5 PMS' }).waitFor()
    await other.page.getByRole('button', { name: 'Yes, it opened' }).click()
    await other.page.getByRole('heading', { name: 'Backup', level: 1 }).waitFor()
    await other.page.getByRole('link', { name: 'Report' }).click()
    await other.page.getByText(/opened the door of 101/).waitFor()
    other.expectClean()
    await other.close()
    await reload('Backup')
    await page.getByRole('link', { name: /Test card$/ }).click()
    await page.getByText('The door of 101 opened.').waitFor()
    tab.expectClean(/foreign request about:blank/)
  })
})
