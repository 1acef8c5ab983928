import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { installerAt } from '../../console/installer.ts'
import { guestAt, type KioskHouse, kioskHouse, well } from '../../console/kiosk-house.ts'
import { monday, passTime, settableClock } from '../../test-clock.ts'
import { goTo, settled } from './visit.ts'

const folder = join(import.meta.dirname, 'states')
/** With this variable the states are written instead of compared. The change is then read like that of a program. */
const isSaving = process.env.SAVE_STATES === '1'
/** How often a page is looked at until it is as expected. */
const mostLooks = 40

/** What a screen reader finds on ten screens, compared with the files of the folder `states`. */
describe('the pages', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let hotel: KioskHouse
  let box: TestAppliance
  before(async () => {
    hotel = await kioskHouse({ takenAfterMs: null })
    box = await startAppliance({ sample: false, clock: settableClock(monday) })
  })
  after(async () => {
    await hotel?.stop()
    await box?.stop()
  })

  it('of the desk say what they said', async () => {
    await well(hotel)
    const tab = await browser.open(`${hotel.appliance.url}/desk`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    await expectState(page, 'today')
    await page.keyboard.press('Enter')
    await page.locator('#sheet .summary').waitFor()
    await expectState(page, 'sheet')
    await goTo(page, '#/rack')
    await page.getByText('101', { exact: true }).first().waitFor()
    await expectState(page, 'rack')
    tab.expectClean()
    await tab.close()
  })

  it('of the kiosk say what they said', async () => {
    const { number } = await hotel.arrival()
    const guest = await guestAt(hotel, browser)
    await guest.reads('Touch to check in')
    await expectState(guest.page, 'kiosk-start')
    await guest.entersNumber(number)
    await guest.reads('Lucia G.')
    await expectState(guest.page, 'kiosk-found')
    await guest.wantsKey()
    await guest.reads(/take your card/i)
    await expectState(guest.page, 'kiosk-take-card')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('of the set-up say what they said', async () => {
    const tab = await browser.open(`${box.appliance.url}/setup`)
    const { page } = tab
    await installerAt(box, tab).claims()
    await expectState(page, 'setup-house')
    await goTo(page, '#/devices')
    await expectState(page, 'setup-devices')
    await goTo(page, '#/system')
    await expectState(page, 'system')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
    await expectState(page, 'sign-in')
    tab.expectClean(/status of 401/)
    await tab.close()
  })
})

async function expectState(page: Page, name: string): Promise<void> {
  await settled(page)
  const path = join(folder, `${name}.yaml`)
  const now = async () => steady(`${await page.locator('body').ariaSnapshot()}\n`)
  if (isSaving) return writeFileSync(path, await now())
  const expected = readFileSync(path, 'utf8')
  for (let looks = 1; looks < mostLooks && (await now()) !== expected; looks++) await passTime(100)
  assert.equal(
    await now(),
    expected,
    `${name} has changed; if that is meant, write it anew: SAVE_STATES=1 npm run test:long -- console/states`,
  )
}

/** Without what differs from run to run, and from one browser to the next: ids, the version, a countdown, and choices that are not chosen. */
function steady(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, 'ID')
    .replaceAll(/Version \S+/g, 'Version N')
    .replaceAll(/time zone rules \w+/g, 'time zone rules N')
    .replaceAll(/timer: \d+ seconds/g, 'timer: N seconds')
    .replaceAll(/^ *- option (?!.*\[selected\]).*\n/gm, '')
}
