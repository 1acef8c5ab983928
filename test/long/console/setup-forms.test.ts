import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'

const json = { contentType: 'application/vnd.api+json' }

describe('a form of the set-up', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let tab: Tab
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const listed = async (path: string) =>
    (await house.ask('GET', path)).body.data.map(({ attributes }: { attributes: object }) => attributes)

  it('adds nothing under the name of something else, which would be changed', async () => {
    const path = '/api/config/v1/payment-terminals'
    const before = await listed(path)
    const page = await open('devices')
    const part = page.getByRole('region', { name: 'Payment terminals' })
    await part.getByText('Add a payment terminal').click()
    await part.getByLabel('Address').fill('tcp://127.0.0.1:9')
    await part.getByLabel('Name', { exact: true }).fill('Lobby terminal')
    await part.getByRole('button', { name: 'Use this terminal' }).click()
    await part.getByText('The device does not answer at this address. It was not saved.').waitFor()
    assert.deepEqual(await listed(path), before, 'it is tried first')
    await part.getByRole('button', { name: 'Save it without an answer' }).click()
    await part.getByText('There is already something with the name Lobby terminal.').waitFor()
    assert.deepEqual(await listed(path), before)
    await part.getByLabel('Name', { exact: true }).fill('Second terminal')
    await part.getByRole('button', { name: 'Save it without an answer' }).click()
    await part.getByText('Second terminal', { exact: true }).waitFor()
    assert.equal((await listed(path)).length, before.length + 1)
    tab.expectClean()
  })

  it('renames, moves and removes devices, and tries a new address first', async () => {
    const page = await open('devices')
    const device = page.getByRole('article', { name: 'simulated:encoder' })
    const change = (name: string) => page.getByText(`Change or remove ${name}`, { exact: true })
    await change('Lobby kiosk').click()
    const name = device.getByLabel('Name', { exact: true })
    await name.fill('Kiosk by the door')
    await device.getByRole('button', { name: 'Save', exact: true }).click()
    await change('Kiosk by the door').waitFor()
    const controllers = '/api/config/v1/access-controllers'
    const named = async (text: string) =>
      (await listed(controllers)).find((each: { name: string }) => each.name === text)
    assert.equal((await named('Kiosk by the door')).device.path, 'simulated:encoder')

    await change('Kiosk by the door').click()
    await name.fill('Lobby kiosk')
    await device.getByLabel('Address').fill('tcp://127.0.0.1:9')
    await device.getByRole('button', { name: 'Save', exact: true }).click()
    await device.getByText('The device does not answer at this address. It was not saved.').waitFor()
    await device.getByText(/127\.0\.0\.1:9/).waitFor()
    assert.equal(await named('Lobby kiosk'), undefined)
    await device.getByLabel('Address').fill('simulated:encoder')
    await device.getByRole('button', { name: 'Save', exact: true }).click()
    await change('Lobby kiosk').waitFor()

    await change('Lobby kiosk').click()
    const driver = async () => (await named('Lobby kiosk')).device.driver
    const usual = await driver()
    const which = device.getByLabel('What is it?')
    const other = await which.locator(`option:not([value="${usual}"])`).first().getAttribute('value')
    for (const next of [other!, usual]) {
      await which.selectOption(next)
      await device.getByRole('button', { name: 'Save', exact: true }).click()
      await which.waitFor({ state: 'detached' })
      assert.equal(await driver(), next)
      await change('Lobby kiosk').click()
    }
    await change('Lobby kiosk').click()

    const row = page.getByRole('listitem').filter({ hasText: 'Lobby terminal' })
    await change('Lobby terminal').click()
    await row.getByLabel('Address').fill('simulated:second')
    await row.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('The device does not answer').waitFor()
    const count = (await listed('/api/config/v1/payment-terminals')).length
    await row.getByRole('button', { name: 'Remove Lobby terminal' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Lobby terminal' }).click()
    await change('Lobby terminal').waitFor({ state: 'detached' })
    assert.equal((await listed('/api/config/v1/payment-terminals')).length, count - 1)
    tab.expectClean()
  })

  it('renames, edits and removes devices without an address', async () => {
    const controllers = '/api/config/v1/access-controllers'
    const providers = '/api/config/v1/access-providers'
    const online = await house.ask('POST', providers, {
      body: {
        name: 'Online locks',
        driver: 'fias-key',
        connection: { direction: 'connect', path: 'tcp://127.0.0.1:9' },
      },
    })
    assert.equal(online.status, 201, online.text)
    const all = ['Encoder A', 'Encoder B']
    for (const [index, name] of all.entries()) {
      const body = {
        name,
        kind: 'encoder',
        keyType: 'keyCard',
        providerId: online.body.data.id,
        externalCode: `0${index + 1}`,
      }
      const made = await house.ask('POST', controllers, { body })
      assert.equal(made.status, 201, made.text)
    }
    const page = await open('devices')
    const part = page.getByRole('region', { name: 'Devices without an address' })
    const change = (name: string) => page.getByText(`Change or remove ${name}`, { exact: true })
    await change('Encoder A').click()
    const row = part.getByRole('listitem').filter({ has: change('Encoder A') })
    assert.equal(await row.getByLabel('Address').count(), 0)
    await row.getByLabel('Name', { exact: true }).fill('Desk encoder')
    await row.getByLabel('Number or code at the key system').fill('17')
    await row.getByRole('button', { name: 'Save', exact: true }).click()
    await change('Desk encoder').waitFor()
    const named = async (text: string) =>
      (await listed(controllers)).find((each: { name: string }) => each.name === text)
    const { externalCode, device } = await named('Desk encoder')
    assert.deepEqual([externalCode, device], ['17', null])
    await change('Encoder B').click()
    await part.getByRole('button', { name: 'Remove Encoder B' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Encoder B' }).click()
    await change('Encoder B').waitFor({ state: 'detached' })
    assert.equal(await named('Encoder B'), undefined)
    tab.expectClean()
  })

  it('makes the rooms that are typed, and refuses a word for the number of people', async () => {
    const page = await open('rooms')
    await page.getByText('From a list (CSV)').click()
    const list = page.locator('textarea')
    const make = page.locator('form button[type=submit]')
    await list.fill('Rose;XQ')
    await list.fill('Rose;XQ\nLily;XQ')
    await page.getByText('2 XQ').waitFor()
    const people = page.getByLabel('People in XQ')
    await people.fill('two')
    await make.click()
    await page.locator('.notice.error').first().waitFor()
    assert.deepEqual(await listed('/api/v2/unit-types?filter[code]=XQ'), [])
    await people.fill('2')
    await list.fill('Rose;XQ\nLily;XQ\nIris;XQ')
    await make.click()
    await page.getByRole('heading', { name: 'Key system', level: 1 }).waitFor()
    for (const name of ['Rose', 'Lily', 'Iris'])
      assert.equal((await listed(`/api/v2/units?filter[name]=${name}`)).length, 1, name)
    tab.expectClean(/status of 422/)
  })

  it('reads a list with the dashes and line ends of other programs from a file, and names what is wrong with it', async () => {
    const page = await open('rooms')
    await page.getByText('From a list (CSV)').click()
    const chosen = page.locator('input[type=file]')
    const file = (text: string) => ({
      name: 'rooms.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text, 'latin1'),
    })
    await chosen.setInputFiles(file('PK\x03\x04\0\xe9xl/workbook.xml'))
    await page.getByText(/^The file is a spreadsheet or another document/).waitFor()
    await chosen.setInputFiles(file('Zimmer;Typ\r801\x96804;ZQ\rS\xfcd 1\r'))
    await page.getByText(/^Line 3 of the list needs a room and a type/).waitFor()
    await chosen.setInputFiles(file('Zimmer;Typ\r801\x96804;ZQ\rS\xfcd 1;ZQ\r'))
    await page.getByText('5 ZQ').waitFor()
    tab.expectClean(/status of 422/)
  })

  it('of a plugged device says that its address is refused', async () => {
    const page = await open('locks')
    const usb = { manufacturer: 'Elatec', product: 'Reader', port: '1-1' }
    const candidates = [{ driver: 'twn4', probing: 'nothing' }]
    const attributes = { isPresent: true, node: '/dev/ttyACM0', usb, candidates, configured: [] }
    const device = { type: 'connected-device', id: '/dev/serial/by-id/reader', attributes }
    await page.route('**/connected-devices', (route) => route.fulfill({ ...json, json: { data: [device] } }))
    const there = { driver: 'twn4', isThere: true, identity: null, problem: null }
    await page.route('**/actions/probe', (route) =>
      route.fulfill({ ...json, json: { meta: { asked: [there], left: [] } } }),
    )
    const detail = 'Another device is at this address.'
    const source = { pointer: '/encoders/0/device/path' }
    await page.route('**/setup/actions/apply', (route) =>
      route.fulfill({
        ...json,
        status: 422,
        json: { errors: [{ code: 'validation-failed', title: 'Refused', detail, source }] },
      }),
    )
    await page.getByRole('link', { name: /Devices/ }).click()
    const part = page.getByRole('article', { name: 'Elatec Reader' })
    await part.getByRole('button', { name: 'Use this device' }).click()
    await part.getByText(detail).waitFor()
    tab.expectClean(/status of 422/)
  })

  it('ends the test key at the encoder that made it, after a reload', async () => {
    const at = '/api/config/v1/access-controllers'
    const [{ attributes: lobby }] = (await house.ask('GET', at)).body.data
    const made = await house.ask('POST', at, {
      body: {
        name: 'Desk',
        providerId: lobby.providerId,
        kind: 'encoder',
        keyType: 'keyCard',
        device: { driver: 'twn4', path: 'tcp://127.0.0.1:9' },
      },
    })
    assert.equal(made.status, 201, made.text)
    const test = { encoder: 'Desk', room: '101', uid: '04AA', at: new Date(monday).toISOString() }
    const leave = async (phase: string) => {
      const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
      const saved = await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, {
        body: { setupProgress: { skipped: [], test: { ...test, phase } } },
        headers: { 'If-Match': `"${settings.attributes.revision}"` },
      })
      assert.equal(saved.status, 204, saved.text)
    }
    await leave('at-door')
    const page = await open('test')
    const ending = page.waitForRequest(/commission-step/)
    await page.getByRole('button', { name: 'No', exact: true }).click()
    assert.match((await ending).url(), new RegExp(made.body.data.id))
    await page.getByText('The door of 101 stayed shut.').waitFor()
    await leave('making')
    await page.reload()
    // Another browser may be making it.
    await page.getByText('A card is being made at Desk in another window').waitFor()
    const again = page.waitForRequest(/commission-step/)
    await page.getByRole('button', { name: 'End that test' }).click()
    assert.match((await again).url(), new RegExp(made.body.data.id))
    // No lock hears that the key of a card was revoked.
    await page.getByText(/if the card came out, it may open the door for up to 15 minutes/).waitFor()
    tab.expectClean()
  })

  it('leaves the test of another browser alone, and ends its own after a reload', async () => {
    const page = await open('test')
    const held = Promise.withResolvers<void>()
    await page.route('**/commission-step', async (route) => {
      if (route.request().postDataJSON().step === 'door-card') await held.promise
      await route.fallback().catch(() => {})
    })
    await page.getByLabel('Encoder').selectOption('Lobby kiosk')
    await page.getByRole('button', { name: 'Make a card for the door' }).click()
    const other = await browser.openAs('Ida', `${house.appliance.url}/setup#/test`)
    await other.page.getByText('A card is being made at Lobby kiosk in another window').waitFor()
    held.resolve()
    await page.getByText('Did the door open?').waitFor()
    await other.page.getByText('Did the door open?').waitFor()
    assert.equal((await listed('/api/v2/access/keys?filter[status]=live')).length, 1)
    other.expectClean()
    await other.close()
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByText(/stayed shut/).waitFor()

    await page.unrouteAll()
    const left = Promise.withResolvers<void>()
    await page.route('**/commission-step', async (route) => {
      if (route.request().postDataJSON().step === 'door-card') await left.promise
      await route.fallback().catch(() => {})
    })
    await page.getByRole('button', { name: 'Make a card for the door' }).click()
    await page.waitForRequest(/commission-step/)
    const ending = page.waitForRequest(
      (request) => /commission-step/.test(request.url()) && request.postDataJSON().step === 'end',
    )
    await page.reload()
    await ending
    left.resolve()
    await page.getByText(/The page was left while a card was being made/).waitFor()
    tab.expectClean(/ERR_/)
  })

  it('ends the test key whose answer was lost', async () => {
    const page = await open('test')
    await page.route('**/commission-step', async (route) => {
      if (!route.request().postData()?.includes('door-card')) return route.fallback()
      assert.equal((await route.fetch()).status(), 200)
      return route.abort()
    })
    await page.getByLabel('Encoder').selectOption('Lobby kiosk')
    const ended = page.waitForResponse((answer) => /"end"/.test(answer.request().postData() ?? ''))
    await page.getByRole('button', { name: 'Make a card for the door' }).click()
    await ended
    await page.locator('.notice.error').waitFor()
    const keys = await listed('/api/v2/access/keys?filter[status]=live')
    assert.deepEqual(keys, [])
    tab.expectClean(/ERR_FAILED/)
  })
})
