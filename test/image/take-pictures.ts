import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cache } from '../../image/places.ts'
import { launchBrowser, tabIn } from '../console/browser.ts'
import { installerAt } from '../console/installer.ts'
import { handbookPictures as folder, save } from '../console/save-picture.ts'
import { ports } from './answers.ts'
import { imageFile } from './built.ts'
import { lobbyDevices } from './devices.ts'
import { machine } from './machine.ts'

/**
 * Takes the pictures of the page for installers from the screen and the pages of an emulated box: `NIGHTPORTER_IMAGE=FOLDER node
 * test/image/take-pictures.ts`, with the folder that `npm run image` has named. Prints how long each step took.
 */
const browser = await launchBrowser()
const { options, simulator } = await lobbyDevices(join(cache, 'machines', 'pocket'))
const file = 'name = nightporter-porto\ntime-zone = Europe/Lisbon\ncountry = PT\n'
const box = await machine('pictures', {
  image: imageFile(),
  files: { 'nightporter.txt': file },
  devices: options,
})

async function screen(name: string): Promise<void> {
  const path = join(box.folder, `${name}.png`)
  await box.control('screendump', { filename: path, format: 'png' })
  console.log(`${box.seconds()} s: ${name}`)
  await save(browser, readFileSync(path), { folder, name, width: 800 })
}

while (!box.serial().includes('Starting.')) await pause(500)
await pause(2_000)
await screen('box-starting')
while (!box.serial().includes('Pairing code')) await pause(500)
await pause(3_000)
await screen('box-pairing')

const [, ...digits] = /Pairing code {2}(\d{4}) (\d{4})/.exec(
  await box.shell('/opt/nightporter/nightporter box screen'),
)!
await box.get('/setup')
const tab = await tabIn(browser).open(`https://127.0.0.1:${ports[443]}/setup`, { ignoreHTTPSErrors: true })
tab.page.context().setDefaultTimeout(300_000)
const ida = installerAt({ during: (work) => work, appliance: { pairingCode: digits.join('') } }, tab)
const shown = async (name: string) => {
  console.log(`${box.seconds()} s: ${name}`)
  const png = await tab.page.screenshot({ animations: 'disabled', caret: 'hide' })
  await save(browser, png, { folder, name, width: 1024 })
}
await ida.page.getByLabel('Pairing code').fill(digits.join(''))
await shown('box-claim')
await ida.claims()
await ida.describesHouse()
await ida.makesRooms()
await ida.choosesLocks()
await shown('box-devices')
const { page } = ida
for (const [serial, model] of [
  ['DISPENSER', 'TTCE k720 (card dispenser)'],
  ['ENCODER', 'Elatec twn4 (card encoder)'],
] as const) {
  const device = page.getByRole('article').filter({ hasText: serial })
  await device.getByLabel('What is it?').selectOption({ label: model })
  await device.getByRole('button', { name: 'Use this device' }).click()
  await device.locator('strong').waitFor()
}
await page.getByRole('button', { name: 'Next', exact: true }).click()
await page.getByRole('heading', { name: 'PMS', level: 1 }).waitFor()
await ida.skips()
await ida.skips()
await ida.addsStaff()
console.log(`${box.seconds()} s: the test card begins`)
await ida.makesTestCard()
await shown('box-test-card')
await ida.saysItOpened()
await ida.keepsSheet(() => shown('box-recovery'))
console.log(`${box.seconds()} s: the recovery sheet is kept`)
await box.kill()
simulator.kill()
await browser.close()
