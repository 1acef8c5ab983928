import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { contrastWithWhite } from '../../src/resource/values/contrast.ts'
import { againstRules } from '../long/console/page-checks.ts'
import fc from '../seed.ts'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { type Guest, guestAt, type KioskHouse, kioskHouse } from './kiosk-house.ts'

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const images = '/api/config/v1/kiosk-images'

const cardComes = {
  left: 'The card comes out on the left of this screen.',
  right: 'The card comes out on the right of this screen.',
  below: 'The card comes out below this screen.',
}
const terminalIs = {
  left: 'It is on the left of this screen.',
  right: 'It is on the right of this screen.',
  below: 'It is below this screen.',
}

/** Lets a kiosk believe that the card stays in the slot, until the returned function is called: guests of a test take it at once. */
async function cardStays({ page }: Guest): Promise<() => void> {
  let isTaken = false
  await page.route(/\/card-runs\?/, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    if (!isTaken)
      for (const { attributes } of body.data) Object.assign(attributes, { step: 'presented', ending: null })
    await route.fulfill({ response, json: body })
  })
  return () => {
    isTaken = true
  }
}

describe('a kiosk of a house', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let settings: string
  before(async () => {
    house = await kioskHouse()
    settings = `/api/config/v1/settings/${(await house.ask('GET', '/api/config/v1/settings')).body.data[0].id}`
  })
  after(() => house?.stop())

  const save = async (kiosk: object | null) => {
    const reply = await house.ask('PATCH', settings, { body: { kiosk } })
    assert.equal(reply.status, 204, reply.text)
  }
  const colorOn = ({ page }: Guest) =>
    page.evaluate<string>("document.documentElement.style.getPropertyValue('--house')")

  it('wears its colour, on which every text can be read, in light and dark', async () => {
    const drawn = fc
      .sample(fc.integer({ min: 0, max: 0xffffff }), 40)
      .map((each) => `#${each.toString(16).padStart(6, '0')}`)
      .filter((each) => contrastWithWhite(each) >= 4.5)
      .slice(0, 1)
    const guest = await guestAt(house, browser)
    const { page } = guest
    for (const accentColor of ['#767676', ...drawn]) {
      await save({ accentColor })
      await page.reload()
      await guest.reads('Touch to check in')
      assert.equal(await colorOn(guest), accentColor)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await againstRules(page), [], `the start, ${accentColor}, ${colorScheme}`)
      }
      await guest.presses('Touch to check in')
      await guest.reads('Please enter your booking number.')
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await againstRules(page), [], `the number, ${accentColor}, ${colorScheme}`)
      }
    }
    await save(null)
    await page.reload()
    await guest.reads('Touch to check in')
    assert.equal(await colorOn(guest), '')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  for (const [cardSlot, sentence] of [['left', cardComes.left] as const, [null, null] as const])
    it(`says where the card comes out: ${cardSlot ?? 'not set'}`, async () => {
      await save({ cardSlot, wifi: 'Guests: heather-lamp-42', breakfast: cardSlot })
      const { number } = await house.arrival()
      const guest = await guestAt(house, browser)
      const takeCard = await cardStays(guest)
      await guest.entersNumber(number)
      await guest.wantsKey()
      await guest.reads('Please take your card.')
      await house.during(guest.page.locator('.slot').waitFor())
      await guest.page
        .locator('.ring')
        .getByText(/^\d+ seconds?$/)
        .waitFor()
      const shown = await guest.page.innerText('body')
      for (const each of Object.values(cardComes)) assert.equal(shown.includes(each), each === sentence, each)
      takeCard()
      await guest.reads('Enjoy your stay.')
      await guest.reads('heather-lamp-42')
      const facts = await guest.page.locator('.facts dt').allInnerTexts()
      assert.deepEqual(facts, cardSlot === null ? ['Wi-Fi'] : ['Breakfast', 'Wi-Fi'])
      guest.tab.expectClean()
      await guest.tab.close()
    })

  for (const [terminal, sentence] of [['below', terminalIs.below] as const, [null, null] as const])
    it(`says where the payment terminal is: ${terminal ?? 'not set'}`, async () => {
      await save({ terminal })
      const { number } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 327 } })
      const guest = await guestAt(house, browser)
      await guest.page.route('**/pay-at-terminal', () => {})
      await guest.entersNumber(number)
      await guest.wantsKey()
      await guest.presses('Pay here by card')
      await guest.reads('Please follow the payment terminal')
      await guest.page.locator('.terminal').waitFor()
      const shown = await guest.page.innerText('body')
      for (const each of Object.values(terminalIs))
        assert.equal(shown.includes(each), each === sentence, each)
      await guest.page.context().close()
    })

  it('shows its logo and its picture, and the drawing again when they are gone', async () => {
    const made = new Map<string, string>()
    for (const use of ['logo', 'picture'])
      made.set(use, (await house.ask('POST', images, { body: { use, content: dot } })).body.data.id)
    const guest = await guestAt(house, browser)
    const { page } = guest
    for (const name of ['.logo', '.photo']) {
      await house.during(page.locator(name).waitFor())
      await page.waitForFunction(`document.querySelector('${name}').naturalWidth === 1`)
    }
    assert.equal(await page.locator('.house').count(), 0)
    for (const id of made.values()) await house.ask('DELETE', `${images}/${id}`)
    await house.during(page.locator('.house').waitFor())
    assert.equal(await page.locator('.logo, .photo').count(), 0)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('works without its pictures, its drawings and what else comes after the first screen', async () => {
    await save({ accentColor: '#006b00', cardSlot: 'left' })
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    const { page } = guest
    // The list of its pictures has no answer at all.
    await page.route(/kiosk-images/, () => {})
    let refused = 0
    await page.route(/\/ui\/.*(call|drawings)/, (route) => {
      refused++
      return route.abort()
    })
    await page.reload()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    assert.ok(refused > 0)
    guest.tab.expectClean(/ERR_FAILED|Failed to fetch/)
    await guest.tab.close()
  })
})

describe('the set-up of the kiosks', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()

  it('names the contrast of a colour at its field, and stores colour and logo', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/house`)
    const { page } = tab
    await house.during(page.getByText('The kiosk in the lobby').click())
    const color = page.getByLabel('Colour of the house')
    const save = page.getByRole('button', { name: 'Save and go on' })
    await color.fill('#ffcc00')
    await save.click()
    await page.getByText('The contrast of #ffcc00 with white is 1.51 to 1').waitFor()
    await color.fill('#14595f')
    await page.getByLabel('The card comes out').selectOption('right')
    await page.getByLabel('Breakfast', { exact: true }).fill('7:00 - 10:30')
    const logo = page.getByLabel('Logo', { exact: true }).first()
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByText('File must be a PNG, JPEG or WebP picture.').waitFor()
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') })
    await page.locator('img.kiosk-image').waitFor()
    await save.click()
    await page.getByText('The kiosk in the lobby').waitFor({ state: 'hidden' })
    const { kiosk } = (await house.ask('GET', '/api/config/v1/settings')).body.data[0].attributes
    assert.deepEqual(kiosk, { accentColor: '#14595f', cardSlot: 'right', breakfast: '7:00 - 10:30' })
    assert.equal((await house.ask('GET', images)).body.data[0].attributes.mediaType, 'image/png')
    tab.expectClean(/status of 422/)
    await tab.close()
  })
})
