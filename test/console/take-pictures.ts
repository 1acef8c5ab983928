import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startAppliance } from '../appliance.ts'
import { monday, settableClock } from '../test-clock.ts'
import { launchBrowser, tabIn } from './browser.ts'
import { installerAt } from './installer.ts'
import { guestAt, kioskHouse, tall } from './kiosk-house.ts'

/** Takes the pictures of the handbook from the pages as they are now: `node test/console/take-pictures.ts`. */
const folder = join(import.meta.dirname, '../../src/handbook/pictures')
mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
const tabs = tabIn(browser)
const desktop = { viewport: { width: 1280, height: 800 } }

/** Saves what a page shows, `width` pixels wide. Chromium writes WebP only from a canvas, which pages may refuse, so that an empty page does it. */
async function take(page: Page, name: string, width: number): Promise<void> {
  const shot = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64')
  const empty = await browser.newPage()
  const webp = await empty.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${shot}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = ${width}
    canvas.height = Math.round(image.height * ${width} / image.width)
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/webp', 0.75)
  })()`)
  await empty.close()
  const bytes = Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64')
  writeFileSync(join(folder, `${name}.webp`), bytes)
  console.log(`${name}.webp ${bytes.length} bytes`)
}

const house = await kioskHouse()
const arrival = await house.arrival({
  amount: { currency: 'EUR', amountWithTax: 218 },
  profiles: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Okafor' }],
})

async function atDesk(screen: string): Promise<Page> {
  const { page } = await tabs.open(`${house.appliance.url}/desk#/${screen}`, desktop)
  await page.getByText('Line to the box: live').waitFor()
  return page
}

const today = await atDesk('today')
await house.during(today.getByText('1 alarm').waitFor({ state: 'hidden' }))
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
await today.getByText('all cards of this room that were made before open nothing').waitFor()
await today.keyboard.press('Enter')
await house.during(today.getByText('In hand').first().waitFor())

await today.getByRole('button', { name: 'Assign all rooms' }).click()
await house.during(today.getByText('no room', { exact: true }).first().waitFor({ state: 'hidden' }))

const keys = await atDesk('keys')
await keys.setViewportSize({ width: 1280, height: 520 })
await keys.locator('main').getByRole('heading').nth(1).waitFor()
await take(keys, 'older-keys', 1024)

const rack = await atDesk('rack')
await rack.setViewportSize({ width: 1280, height: 1040 })
await rack.getByText('101', { exact: true }).first().waitFor()
await house.during(rack.getByText('Without a room').waitFor({ state: 'hidden' }))
await rack.getByText('207', { exact: true }).first().waitFor()
await take(rack, 'rack', 1024)

const guest = await guestAt(house, tabs, tall)
await guest.reads('I have a booking number')
await take(guest.page, 'kiosk', 540)
await guest.page.context().close()
await house.stop()

const box = await startAppliance({ sample: false, clock: settableClock(monday) })
const ida = installerAt(box, await tabs.open(`${box.appliance.url}/`, desktop))
await ida.claims()
await ida.describesHouse()
await ida.page.getByLabel('Rooms and their types').fill('101-130 DBL; 201-230 DBL except 213; 301,302 SUI')
await ida.page.getByRole('button', { name: /^Save \d+ rooms and go on/ }).waitFor()
await take(ida.page, 'set-up-rooms', 1024)
await ida.tab.close()
await box.stop()
await browser.close()
