import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { guestAt, type KioskHouse, keptOrders, kioskHouse } from './kiosk-house.ts'

describe('a kiosk', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  const browser = browserForSuite()
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house.stop())

  it('is used with a keypad alone', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser, { viewport: { width: 1024, height: 768 } })
    const { keyboard } = guest.page
    await guest.reads('Touch to check in')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await guest.reads('Please enter your booking number.')
    await keyboard.type(number)
    await keyboard.press('Enter')
    await guest.reads('Please enter your last name.')
    await guest.page.locator('.entry input:focus').waitFor()
    await keyboard.type(`Gastin${number}`)
    await keyboard.press('Enter')
    await guest.reads('Is this your booking?')
    // This is not me, Back, Yes.
    for (let tabs = 0; tabs < 3; tabs++) await keyboard.press('Tab')
    await keyboard.press('Enter')
    await guest.reads('Your e-mail address is missing')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('asks whoever is silent whether more time is needed, as often as it is, and then forgets', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.page.clock.install()
    await guest.page.reload()
    await guest.entersNumber(number)
    await guest.reads('Lucia G.')
    for (let times = 1; times <= 12; times++) {
      await guest.page.clock.runFor(46_000)
      await guest.reads('Do you need more time?')
      await guest.presses('Yes')
    }
    await guest.reads('Lucia G.')
    await guest.page.clock.runFor(46_000)
    await guest.page.clock.runFor(31_000)
    await guest.reads('Touch to check in')
    assert.doesNotMatch(await guest.page.innerText('body'), /Lucia/)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('begins anew 30 s after the card, unless more time is asked for', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('This page closes in')
    await guest.presses('More time')
    await guest.reads(/closes in (60|59|58)/)
    await guest.tab.close()
  })

  it('asks for the same card after a reload', async () => {
    const { number, stayId } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.presses('Yes, get my key')
    await guest.presses('Go on without it')
    const asked = guest.page.waitForRequest(/\/key$/)
    await guest.page.getByRole('button', { name: 'Go on without it' }).click()
    await house.during(asked)
    const order = JSON.stringify(await keptOrders(guest.page))
    assert.match(order, /idempotencyKey/)
    const { units } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    for (const personal of ['Lucia', number, units[0].unitName])
      assert.ok(!order.includes(`"${personal}"`), personal)
    await guest.page.reload()
    await guest.reads('Enjoy your stay.')
    const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)
    assert.equal(body.data.length, 1, 'one key')
    const runs = await house.ask('GET', `/api/v2/access/card-runs?filter[keyId]=${body.data[0].id}`)
    assert.equal(runs.body.data.length, 1, 'one card')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('speaks to whoever listens, an asterisk for what is hidden, and never a room number', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.page.addInitScript(`{
      window.spoken = []
      const voice = { localService: true, lang: 'en-GB', name: 'local' }
      const synthesis = Object.assign(new EventTarget(), { getVoices: () => [voice], cancel() {}, speak: ({ text }) => spoken.push(text) })
      Object.defineProperty(window, 'speechSynthesis', { value: synthesis })
      window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } }
    }`)
    await guest.page.reload()
    await guest.presses('Listen')
    await guest.presses('Touch to check in')
    await guest.presses('Hide what I type')
    await guest.types(number)
    await guest.presses('Search')
    await guest.page.getByLabel('Last name', { exact: true }).fill(`Gastin${number}`)
    await guest.presses('Search')
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    await guest.presses('Show my room number')
    const room = await guest.page.locator('.rooms dd').first().innerText()
    const spoken = (await guest.page.evaluate('spoken')) as string[]
    assert.ok(spoken.some((text) => text.includes('Please enter your booking number.')))
    assert.equal(spoken.filter((text) => text === 'asterisk').length, number.length)
    assert.ok(!spoken.some((text) => text.includes(room)), 'the room is not spoken')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('says when it has no voice, and moves its controls lower', async () => {
    const guest = await guestAt(house, browser)
    await guest.presses('Listen')
    await guest.reads('This machine has no voice for this language.')
    await guest.presses('Lower')
    const tops = await guest.page.evaluate<number[]>(
      "[...document.querySelectorAll('.controls .button')].map((each) => each.getBoundingClientRect().top)",
    )
    assert.ok(Math.min(...tops) >= 1920 * 0.66, `controls begin at ${Math.min(...tops)}`)
    guest.tab.expectClean()
    await guest.tab.close()
  })
})
