import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { identity, withKey } from '../../backup/recovery.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { againstRules } from './page-checks.ts'

/** Longer than a station of the demo hotel may be without use. */
const idleMs = 16 * 60_000
/** What a page asks for while it is being locked. */
const refused = /status of 40[13]/

/** What an installer has typed or opened before the station is locked. */
describe('the lock of the set-up', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let clock: ReturnType<typeof settableClock>
  let house: TestAppliance
  let tab: Tab
  before(async () => {
    clock = settableClock(monday)
    house = await startAppliance({ clock })
    const [{ id }] = (await house.ask('GET', '/api/config/v1/accounts?filter[name]=Ben')).body.data
    const reply = await house.ask('PATCH', `/api/config/v1/accounts/${id}`, { body: { role: 'admin' } })
    assert.equal(reply.status, 204, reply.text)
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/setup#/${screen}`)
    await tab.page.getByRole('button', { name: 'Ida' }).click()
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }

  /** Checks that nothing but the lock is on the page. */
  async function expectNothingButLock(page: Page): Promise<void> {
    await page.getByText('This station is locked').waitFor()
    assert.equal(await page.locator('dialog, .frame, textarea').count(), 0)
    assert.doesNotMatch(await page.content(), /Almeida|Safe room|Pousada/)
    assert.deepEqual(
      await page.evaluate("[...document.querySelectorAll('input, textarea')].map(({ value }) => value)"),
      [''],
    )
    assert.deepEqual(await againstRules(page), [])
  }

  async function unlock(page: Page, shown = page.locator('.frame')): Promise<void> {
    await page.getByLabel('Passcode').fill('482615')
    await page.keyboard.press('Enter')
    await shown.waitFor()
  }

  /** Changes a room, so that the page reads it without a person. */
  async function anEvent(): Promise<void> {
    const [{ id, attributes }] = (await house.ask('GET', '/api/v2/units?filter[name]=210')).body.data
    const status = attributes.status === 'Dirty' ? 'Clean' : 'Dirty'
    const reply = await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status } })
    assert.equal(reply.status, 204, reply.text)
  }

  async function change(page: Page, to: string): Promise<void> {
    await page.getByRole('button', { name: 'Someone else' }).click()
    await page.getByRole('button', { name: to, exact: true }).click()
    await page.locator('.frame').waitFor()
  }

  async function adds(page: Page, name: string): Promise<void> {
    await page.getByLabel('People', { exact: true }).getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Add the person' }).click()
  }

  it('keeps a form with its secret and the focus for the same person', async () => {
    const page = await open('system/backups')
    await page.getByText('Add a place').click()
    await page.getByLabel('Name of the place').fill('Safe room')
    await page.getByLabel('What it is').selectOption('webdav')
    const secret = page.getByLabel('Password or key')
    await secret.fill('Pousada 1755')
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await unlock(page)
    assert.equal(await page.getByLabel('Name of the place').inputValue(), 'Safe room')
    assert.equal(await secret.inputValue(), 'Pousada 1755')
    await secret.and(page.locator(':focus')).waitFor()
    const stored = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    assert.doesNotMatch(String(stored), /Pousada/)
    tab.expectClean(refused)
  })

  it('keeps the code of a new person, which the box shows once', async () => {
    const page = await open('staff')
    await adds(page, 'Vera')
    const code = page.getByText(/^Vera: \w{5}-\w{5}$/)
    const shown = await code.innerText()
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await expectNothingButLock(page)
    await unlock(page)
    assert.equal(await code.innerText(), shown)
    // A computer of the same name has a code of its own.
    const stations = page.getByRole('region', { name: 'Computers and kiosks' })
    await stations.getByLabel('Name', { exact: true }).fill('Vera')
    await stations.getByRole('button', { name: 'Add the computer' }).click()
    await page.getByText(/^Vera: \d{8}$/).waitFor()
    assert.equal(await code.innerText(), shown)
    tab.expectClean(refused)
  })

  it('keeps an open question, which another person does not get', async () => {
    const page = await open('staff')
    clock.advance(6 * 60_000)
    await adds(page, 'Rui')
    const question = page.getByRole('heading', { name: 'Confirm that it is you' })
    await question.waitFor()
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await unlock(page)
    await question.waitFor()
    assert.equal(await page.locator('dialog:modal').count(), 1)
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await change(page, 'Ben')
    await page.getByRole('button', { name: 'Add the person' }).waitFor()
    assert.equal(await page.locator('dialog').count(), 0)
    const { body } = await house.ask('GET', '/api/config/v1/accounts?filter[name]=Rui')
    assert.deepEqual(body.data, [])
    tab.expectClean(refused)
  })

  it('stops reading at intervals while it is locked', async () => {
    const page = await open('devices')
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await expectNothingButLock(page)
    // What is read because of the last events ends before.
    await page.waitForTimeout(2_000)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.waitForTimeout(5_000)
    assert.deepEqual(asked, [])
    await unlock(page)
    await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
    tab.expectClean(refused)
  })

  it('keeps nothing for another person, and the steps for the first one', async () => {
    const page = await open('house')
    const name = page.getByLabel('Name of the house')
    const before = await name.inputValue()
    await name.fill('Pousada do Porto')
    for (const [person, value] of [
      ['Ben', before],
      ['Ida', 'Pousada do Porto'],
    ] as const) {
      await page.getByRole('button', { name: 'Lock', exact: true }).click()
      await expectNothingButLock(page)
      await change(page, person)
      assert.equal(await name.inputValue(), value, person)
    }
    tab.expectClean(refused)
  })

  it('keeps a restore from being applied, and its typed key out of sight', async () => {
    withKey(house.data)
    const made = await house.ask('POST', '/api/config/v1/backups')
    assert.equal(made.status, 201, made.text)
    const page = await open('system/backups')
    await page.getByRole('button', { name: /^Restore a backup: / }).click()
    const key = page.getByLabel('Recovery key', { exact: true })
    await key.fill('the words of the sheet')
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await unlock(page, key)
    assert.equal(await key.inputValue(), 'the words of the sheet')
    await key.fill(identity)
    await page.getByRole('button', { name: 'Open the backup' }).click()
    const apply = page.getByRole('button', { name: 'Replace the property now' })
    await apply.waitFor()
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    assert.equal(await apply.count(), 0)
    await page.reload()
    await expectNothingButLock(page)
    await unlock(page, apply)
    await page.getByRole('button', { name: 'Cancel the restore' }).click()
    await page.getByText('The restore was canceled').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'System' }).waitFor()
    tab.expectClean(refused)
  })
})
