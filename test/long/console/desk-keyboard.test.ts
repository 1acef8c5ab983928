import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import { browserForSuite, enabled, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse, monday } from '../../console/kiosk-house.ts'
import { keptConflict } from '../../pms/sync/kept-conflict.ts'

/** What a page presses with Enter. A button is pressed with Space too. */
const controls = 'button:not(:disabled), a[href], summary'

/** The desk without a mouse. */
describe('the desk by keyboard', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  const conflicts: string[] = []
  const stays: string[] = []

  before(async () => {
    house = await kioskHouse()
    const pms = await house.ask('POST', '/api/config/v1/pms-configurations', {
      body: { name: 'Our PMS', adapter: 'standalone' },
    })
    for (const comment of ['One.', 'Two.']) {
      const { stayId, reservationId } = await house.arrival({ comment })
      conflicts.push(keptConflict(house.data, { configurationId: pms.body.data.id, reservationId, stayId }))
      stays.push(stayId)
    }
    await cardThatMayOpen(house)
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }

  const stateOf = async (id: string): Promise<string> =>
    (await house.ask('GET', `/api/config/v1/sync-conflicts/${id}`)).body.data.attributes.state

  const ready: Record<string, (page: Page) => Promise<void>> = {
    today: (page) => page.locator('tbody tr').first().waitFor(),
    rack: async (page) => {
      await page.getByRole('button', { name: /^Without a room/ }).click()
      await page.locator('.bar').first().waitFor()
    },
    'walk-in': (page) => page.getByRole('radio').first().waitFor(),
    rooms: (page) => page.getByRole('button', { name: /^102/ }).click(),
    keys: (page) => page.locator('.case').first().waitFor(),
    devices: (page) => page.locator('.device').first().waitFor(),
    conflicts: (page) => page.locator('.case').first().waitFor(),
  }
  for (const [screen, isReady] of Object.entries(ready))
    it(`presses every control of ${screen}`, async () => {
      const page = await open(screen)
      await isReady(page)
      assert.deepEqual(await unpressed(page), [])
      tab.expectClean()
    })

  it('presses every control of a sheet over a list, whose keys then do nothing', async () => {
    const page = await open('conflicts')
    await page.locator('.case a').first().press('Enter')
    await page.locator('#sheet .summary').waitFor()
    assert.deepEqual(await unpressed(page), [])
    await page.keyboard.press('s')
    await page.keyboard.press('e')
    await page.getByLabel('Departure', { exact: true }).waitFor()
    assert.deepEqual(await Promise.all(conflicts.map(stateOf)), ['open', 'open'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator('#sheet').waitFor({ state: 'detached' })
    tab.expectClean()
  })

  it('reports by the keyboard that a new card opened the door, only where a card can prove it, and asks before', async () => {
    const keyOf = async (id: string) =>
      (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
    const ended = await newCard(house, '102')
    const page = await open('keys')
    const mayOpen = page.locator('.case').filter({ hasText: '101' })
    await mayOpen.waitFor()
    assert.equal(await page.getByRole('button', { name: /^The new card opened this door/ }).count(), 0)
    await page.keyboard.press('y')
    const newer = await newCard(house, '102')
    const replaced = page.locator('.case').filter({ hasText: '102' })
    await house.during(replaced.getByRole('button', { name: 'The new card opened this door: 102' }).waitFor())
    await replaced.getByRole('button').focus()
    await page.keyboard.press('y')
    const question = page.getByRole('dialog', { name: 'Has the new card opened 102?' })
    await question.getByText(/^It is the newest first card of the room, made /).waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal((await keyOf(ended)).doors[0].mayOpen, true)
    await page.keyboard.press('y')
    await question.getByRole('button', { name: 'The new card opened this door' }).waitFor()
    await page.keyboard.press('Enter')
    await replaced.waitFor({ state: 'detached' })
    await page.getByText('102: a newer card has opened the door, so the lock refuses the old one.').waitFor()
    const [room] = (await keyOf(ended)).doors
    assert.deepEqual([room.unitName, room.mayOpen, room.proof], ['102', false, 'newer-original-used'])
    assert.equal((await keyOf(newer)).status, 'live')
    assert.ok(await mayOpen.isVisible())
    tab.expectClean()
  })

  it('fills a dispenser by one key, and chooses rooms by arrows', async () => {
    const page = await open('devices')
    await page.getByRole('button', { name: 'Cards filled in' }).waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('How many cards were filled in?').fill('7')
    const filled = page.waitForRequest(/actions\/refill$/)
    await page.keyboard.press('Enter')
    assert.deepEqual((await filled).postDataJSON(), { cards: 7 })
    // Under a dialogue the keys of the screen do nothing.
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await enabled(page, 'Initialise')
    const initialised = page.waitForRequest(/status\/initialize$/)
    await page.keyboard.press('i')
    await initialised
    await page.goto(`${house.appliance.url}/desk#/rooms`)
    await page.getByRole('button', { name: /^103/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('x')
    await page.getByText('1 room chosen').waitFor()
    assert.equal(await page.locator('.room[aria-pressed=true] strong').innerText(), '104')
    tab.expectClean()
  })

  it('says at a button that another one is still at work', async () => {
    const page = await open('devices')
    const held = Promise.withResolvers<Route>()
    await page.route('**/status/inactive', (route) => held.resolve(route))
    const [first, second] = ['Out of service', 'Initialise'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    ) as [Locator, Locator]
    await first.press('Enter')
    const route = await held.promise
    await first.and(page.locator('[aria-busy=true][aria-disabled=true]')).waitFor()
    await second.and(page.locator('[aria-disabled=true]')).waitFor()
    assert.equal(await second.getAttribute('title'), 'Another action is still running')
    await route.fulfill({ status: 204 })
    await second.and(page.locator('[aria-disabled=false]')).waitFor()
    tab.expectClean()
  })

  it('lists its keys as they are printed on the keyboard', async () => {
    const page = await open('today')
    await page.keyboard.press('?')
    const keys = await page.getByRole('dialog').locator('kbd').allInnerTexts()
    assert.ok(keys.includes('↓') && keys.includes('c'), keys.join(' '))
    assert.doesNotMatch(keys.join(' '), /Arrow/)
    tab.expectClean()
  })

  it('goes from a search to a walk-in with the name', async () => {
    const page = await open('today')
    for (const key of ['/', ...'zzyx']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Walk-in for “zzyx”' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('w')
    await page.getByLabel('Last name').waitFor()
    assert.equal(await page.getByLabel('Last name').inputValue(), 'zzyx')
    tab.expectClean()
  })

  it('opens the row to which the arrows moved, not the control that was pressed before', async () => {
    const page = await open('today')
    await page.getByRole('button', { name: /^Arrivals/ }).click()
    await page.locator('tbody tr').nth(1).waitFor()
    const second = await page.locator('tbody tr').nth(1).getAttribute('id')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('#sheet .summary').waitFor()
    assert.equal(`row-${page.url().split('/').at(-1)}`, second)
    tab.expectClean()
  })

  it('decides the conflict that has the focus', async () => {
    const page = await open('conflicts')
    const last = page.locator('.case').last()
    await last.waitFor()
    const id = (await last.getAttribute('id'))?.replace('row-', '') ?? ''
    await last.getByRole('link').focus()
    await page.keyboard.press('s')
    await last.and(page.locator(`#row-${id}`)).waitFor({ state: 'detached' })
    assert.equal(await stateOf(id), 'reversed')
    assert.deepEqual(await Promise.all(conflicts.filter((each) => each !== id).map(stateOf)), ['open'])
    tab.expectClean()
  })
})

/** Makes a card and ends it. Its lock, which has no line, does not know that. */
async function cardThatMayOpen(house: KioskHouse): Promise<void> {
  const id = await newCard(house, '101')
  const ended = await house.ask('DELETE', `/api/v2/access/keys/${id}`)
  assert.equal(ended.status, 204, ended.text)
}

/** Makes a first card, and waits until it is out of the machine. Returns the id of its key. */
async function newCard(house: KioskHouse, unitName: string): Promise<string> {
  const [controller] = (await house.ask('GET', '/api/v2/access/controllers')).body.data
  const body = { type: 'key', unitName, original: true, startDate: monday, endDate: '2026-06-03' }
  const made = await house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, { body })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body.data
  const runs = `/api/v2/access/card-runs?filter[keyId]=${id}`
  const isOut = async () => (await house.ask('GET', runs)).body.data[0].attributes.step === 'ended'
  while (!(await isOut())) await house.during(new Promise((resolve) => setTimeout(resolve, 50)))
  return id
}

/**
 * Gives each control the focus and presses it with Enter, and a button with Space. The press has no effect on the page.
 * Returns the controls that did not receive it.
 */
async function unpressed(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(`
    globalThis.controls = [...document.querySelectorAll(${JSON.stringify(controls)})].filter((each) => each.checkVisibility())
    globalThis.pressed = null
    globalThis.watching = new AbortController()
    addEventListener('click', (event) => {
      pressed = event.target
      event.preventDefault()
      event.stopImmediatePropagation()
    }, { capture: true, signal: watching.signal })
    controls.length`)
  assert.ok(count > 10, `${count} controls`)
  const wrongs: string[] = []
  for (let index = 0; index < count; index++) {
    const isButton = await page.evaluate<boolean>(
      `pressed = null; controls[${index}].focus(); controls[${index}].matches('button')`,
    )
    for (const key of isButton ? ['Enter', 'Space'] : ['Enter']) {
      await page.keyboard.press(key)
      const wrong = await page.evaluate<string | null>(
        `{ const is = pressed === controls[${index}]; pressed = null; is ? null : controls[${index}].textContent }`,
      )
      if (wrong !== null) wrongs.push(`${key}: ${wrong}`)
    }
  }
  await page.evaluate('watching.abort()')
  return wrongs
}
