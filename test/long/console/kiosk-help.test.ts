import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type Guest, guestAt, type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

const hour = 3_600_000
const called = 'A colleague has been called.'
const coming = 'A colleague is on the way. Please wait here.'
const phone = '+351 22 555 0142'

/** The ways to a page with the button Help, without a stay. */
const pages: readonly [name: string, step: string, goes: (guest: Guest) => Promise<void>][] = [
  ['the first page', 'welcome', async () => {}],
  ['the number', 'number', (guest) => guest.presses('Touch to check in')],
  [
    'the name',
    'name',
    async (guest) => {
      await guest.presses('Touch to check in')
      await guest.presses('Find me by name')
    },
  ],
  [
    'a booking that was not found',
    'number',
    async (guest) => {
      await guest.presses('Touch to check in')
      await guest.types('ZZ9')
      await guest.presses('Search')
      await guest.reads('We cannot find this booking.')
    },
  ],
]

describe('a guest who asks for help at a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
    const settings = (await house.ask('GET', '/api/config/v1/settings')).body.data[0]
    const path = `/api/config/v1/settings/${settings.id}`
    assert.equal((await house.ask('PATCH', path, { body: { deskPhone: phone } })).status, 204)
  })
  // The calls of an earlier test have ended.
  beforeEach(() => house.clock.advance(hour))
  after(() => house?.stop())

  const open = async () =>
    (await house.ask('GET', '/api/v2/help-calls')).body.data.map(
      ({
        attributes,
      }: {
        attributes: { failure: string; step: string; language: string; stayId: string | null }
      }) => attributes,
    )

  for (const [name, step, goes] of pages)
    it(`is seen at the desk, which answers: ${name}`, async () => {
      const desk = await browser.open(`${house.appliance.url}/desk#/today`)
      await desk.page.getByText('Connected', { exact: true }).waitFor()
      const guest = await guestAt(house, browser)
      await guest.presses('Français')
      await guest.presses('English')
      await goes(guest)
      await guest.presses('Help')
      await guest.reads(called)
      await guest.reads(phone)
      assert.equal(await guest.page.locator('svg.scan path').count(), 1)
      await desk.page.getByRole('alert').getByText('The guest asked for help.').waitFor()
      await guest.presses('Help')
      await guest.reads(called)
      assert.partialDeepStrictEqual(await open(), [{ failure: 'guest-asks', step }])
      assert.equal((await open()).length, 1, 'a second press makes no second call')
      await desk.page.getByRole('button', { name: /^On my way/ }).click()
      await guest.reads(coming)
      await desk.page.getByText('The guest asked for help.').waitFor({ state: 'detached' })
      await guest.tab.close()
      await desk.close()
    })

  for (const [language, help, sentence] of [
    ['Deutsch', 'Hilfe', 'Ein Kollege ist auf dem Weg zu Ihnen.'],
    ['Español', 'Ayuda', 'Un compañero va hacia usted.'],
    ['Français', 'Aide', 'Un collègue arrive.'],
    ['Português', 'Ajuda', 'Um colega vem ter consigo.'],
  ] as const)
    it(`reads the answer in ${language}`, async () => {
      const guest = await guestAt(house, browser)
      await guest.presses(language)
      await guest.presses(help)
      await guest.page.locator('svg.scan').waitFor()
      while ((await open()).length === 0);
      const { data } = (await house.ask('GET', '/api/v2/help-calls')).body
      assert.equal((await house.ask('POST', `/api/v2/help-calls/${data[0].id}/actions/take`)).status, 200)
      await guest.reads(sentence)
      await guest.tab.close()
    })

  it('is shown with name and code when the stay is known', async () => {
    const { number, stayId } = await house.arrival()
    const desk = await browser.open(`${house.appliance.url}/desk#/today`)
    await desk.page.getByText('Connected', { exact: true }).waitFor()
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.presses('Help')
    await guest.reads(/^Your code is \d{4}\.$/)
    const alarm = desk.page.getByRole('alert')
    await alarm.getByText(`Lucia Gästin${number}`).waitFor()
    await alarm.getByText(/Code \d{4}\./).waitFor()
    assert.partialDeepStrictEqual(await open(), [{ stayId, step: 'greeting', language: 'en' }])
    await alarm.getByRole('button', { name: /^On my way/ }).click()
    await guest.reads(coming)
    const waiting = desk.page.getByText('A guest of the kiosk has been waiting')
    await waiting.waitFor()
    await desk.page.getByText(`Lucia Gästin${number}`).first().waitFor()
    await desk.page.getByRole('button', { name: /^The guest was helped/ }).click()
    await waiting.waitFor({ state: 'detached' })
    await guest.tab.close()
    await desk.close()
  })

  it('is shown with what stopped the guest, who then presses Help', async () => {
    const { number, stayId } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.page.route(/unit-assignment$/, (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/vnd.api+json',
        body: JSON.stringify({
          errors: [{ code: 'no-eligible-unit', title: 'No room', detail: 'No room.' }],
        }),
      }),
    )
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Your room needs a colleague’s help. Please ask at the desk.')
    await guest.reads(called)
    const why = { failure: 'no-eligible-unit', step: 'room', stayId }
    assert.partialDeepStrictEqual(await open(), [why])
    await guest.presses('Help')
    await guest.reads('Please ask at the desk. A colleague will help you.')
    await guest.reads(called)
    assert.partialDeepStrictEqual(await open(), [why])
    assert.partialDeepStrictEqual(
      (await house.ask('GET', `/api/v2/hand-overs?filter[stayId]=${stayId}`)).body.data,
      [{ attributes: why }],
    )
    await guest.tab.close()
  })

  it('reads the number, and that no call was made, while the kiosk is out of line', async () => {
    const guest = await guestAt(house, browser)
    await guest.reads('Touch to check in')
    await guest.page.context().setOffline(true)
    await guest.presses('Help')
    await guest.reads('We could not call a colleague. Please go to the front desk.')
    await guest.reads(phone)
    assert.equal(await guest.page.locator('svg.scan path').count(), 1)
    assert.deepEqual(await open(), [])
    await guest.page.context().setOffline(false)
    await guest.reads(called)
    assert.equal((await open()).length, 1)
    await guest.tab.close()
  })
})
