import type { Browser, Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { monday, settableClock } from '../test-clock.ts'
import { tabIn } from './browser.ts'
import { installerAt } from './installer.ts'
import { guestAt, type KioskHouse, kioskHouse, tall, well } from './kiosk-house.ts'
import { save } from './save-picture.ts'

const desktop = { viewport: { width: 1280, height: 800 } }

type Tabs = ReturnType<typeof tabIn>
/** Takes the picture of a page, which gets so many pixels in width. */
type Take = (page: Page, name: string, width: number) => Promise<void>

/** Takes the pictures of the handbook from the pages as they are now, and saves them in a folder. */
export async function takePictures(browser: Browser, folder: string): Promise<void> {
  const tabs = tabIn(browser)
  const take: Take = async (page, name, width) =>
    save(browser, await page.screenshot({ animations: 'disabled', caret: 'hide' }), { folder, name, width })
  const house = await kioskHouse()
  try {
    await well(house)
    await takeDesk(house, tabs, take)
    await takeKiosk(house, tabs, take)
  } finally {
    await house.stop()
  }
  const box = await startAppliance({ sample: false, clock: settableClock(monday) })
  try {
    await takeSetup(box, tabs, take)
  } finally {
    await box.stop()
  }
}

async function atDesk(house: KioskHouse, tabs: Tabs, screen: string): Promise<Page> {
  const { page } = await tabs.open(`${house.appliance.url}/desk#/${screen}`, desktop)
  await page.getByText('Connected', { exact: true }).waitFor()
  return page
}

async function takeDesk(house: KioskHouse, tabs: Tabs, take: Take): Promise<void> {
  const arrival = await house.arrival({
    amount: { currency: 'EUR', amountWithTax: 218 },
    profiles: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Okafor' }],
  })

  const today = await atDesk(house, tabs, 'today')
  for (const key of ['/', ...arrival.number.toLowerCase(), 'Enter']) await today.keyboard.press(key)
  await today.locator('#sheet').getByText(arrival.number, { exact: true }).waitFor()
  await take(today, 'today', 1024)

  await today.keyboard.press('c')
  await today.getByRole('button', { name: 'Check in and make the card' }).click()
  await today.getByText('Card fed').waitFor()
  await take(today, 'card', 1024)
  await house.during(today.getByText('In hand').first().waitFor())
  await today.getByRole('button', { name: 'Done' }).click()
  await today.getByRole('button', { name: 'Make a new first card' }).click()
  await today.getByText('all cards of this room that were made before no longer open it').waitFor()
  await today.keyboard.press('Enter')
  await house.during(today.getByText('In hand').first().waitFor())

  await today.getByRole('button', { name: 'Assign all rooms' }).click()
  await house.during(today.getByText('no room', { exact: true }).first().waitFor({ state: 'hidden' }))

  const keys = await atDesk(house, tabs, 'keys')
  await keys.setViewportSize({ width: 1280, height: 520 })
  await keys.locator('main').getByRole('heading').nth(1).waitFor()
  await take(keys, 'older-keys', 1024)

  const rack = await atDesk(house, tabs, 'rack')
  await rack.setViewportSize({ width: 1280, height: 1040 })
  await rack.getByText('101', { exact: true }).first().waitFor()
  await house.during(rack.getByText('Without a room').waitFor({ state: 'hidden' }))
  await rack.getByText('207', { exact: true }).first().waitFor()
  await take(rack, 'rack', 1024)
}

async function takeKiosk(house: KioskHouse, tabs: Tabs, take: Take): Promise<void> {
  const guest = await guestAt(house, tabs, tall)
  await guest.reads('Touch to check in')
  await house.during(guest.page.locator('.drawing').waitFor())
  await take(guest.page, 'kiosk', 540)
  await guest.page.context().close()
}

async function takeSetup(box: TestAppliance, tabs: Tabs, take: Take): Promise<void> {
  const ida = installerAt(box, await tabs.open(`${box.appliance.url}/`, desktop))
  await ida.claims()
  await ida.describesHouse()
  await ida.page.getByLabel('Rooms and their types').fill('101-130 DBL; 201-230 DBL except 213; 301,302 SUI')
  await ida.page.getByRole('button', { name: /^Save \d+ rooms and go on/ }).waitFor()
  await take(ida.page, 'set-up-rooms', 1024)
  await ida.tab.close()
}
