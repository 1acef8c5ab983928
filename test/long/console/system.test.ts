import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Request } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserAt } from '../../auth/sessions/browser.ts'
import { withKey } from '../../backup/recovery.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'

describe('the system page', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  const stick = mkdtempSync(join(tmpdir(), 'nightporter-stick-'))
  let house: TestAppliance
  let tab: Tab
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
    withKey(house.data)
    tab = await browser.open(`${house.appliance.url}/setup`)
    await tab.page.getByRole('button', { name: 'Ida' }).click()
    await tab.page.getByText('Connected', { exact: true }).waitFor()
  })
  after(async () => {
    await house?.stop()
    rmSync(stick, { recursive: true, force: true })
  })

  const part = async (name: string) => {
    await tab.page.goto(`${house.appliance.url}/setup#/system/${name}`)
    return tab.page
  }

  it('names the device and the check of what is not in order', async () => {
    const [{ id, attributes }] = (await house.ask('GET', '/api/v2/access/dispensers')).body.data
    const path = `/api/v2/access/dispensers/${id}/status`
    assert.equal((await house.ask('PUT', `${path}/inactive`)).status, 204)
    const page = await part('health')
    await page.getByText(`${attributes.name} (dispenser), `).waitFor()
    await page.getByLabel('Language').selectOption('de')
    await page.getByText(`${attributes.name} (Kartenspender), `).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /dispenser:state/)
    await page.getByLabel('Sprache').selectOption('en')
    assert.equal((await house.ask('PUT', `${path}/active`)).status, 204)
  })

  it('asks for the recovery sheet before it offers a backup', async () => {
    const page = await part('backups')
    await page.getByRole('button', { name: 'Back up now' }).waitFor()
    const names = await page.locator('main').getByRole('button').allInnerTexts()
    const sheet = names.findIndex((name) => /recovery sheet|another sheet/i.test(name))
    assert.ok(sheet >= 0 && sheet < names.indexOf('Back up now'), names.join(', '))
  })

  it('says when backups are made, and sends them to a place that is added and removed', async () => {
    const page = await part('backups')
    await page.getByText('A backup is made every night at 03:30. Kept are those of 7 days').waitFor()
    await page.getByText(`"backup" in the file ${join(house.data, 'nightporter.json')}`).waitFor()
    const more = await page.getByRole('link', { name: 'What can be set' }).getAttribute('href')
    const [path, anchor] = String(more).split('#')
    assert.match(await (await fetch(`${house.appliance.url}${path}`)).text(), new RegExp(`id="${anchor}"`))
    await page.getByText('No backup leaves this box yet.').waitFor()
    await page.getByText('Add a place').click()
    await page.getByLabel('Name of the place').fill('Stick')
    assert.equal(await page.getByLabel('User').count(), 0, 'a folder needs none')
    await page.getByLabel('Address of the place').fill('https://nas.example/backups')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('expected an address with file://').waitFor()
    await page.getByLabel('Address of the place').fill(String(pathToFileURL(stick)))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('nothing verified yet').waitFor()
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('The backup was made').waitFor()
    await page.getByRole('button', { name: 'Send now: Stick' }).click()
    await page.getByText(/^verified /).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.match(readdirSync(stick).join(), /\.tar\.gz\.age/)
    await page.getByRole('button', { name: 'Remove: Stick' }).click()
    await page.getByText('No further backup is sent to Stick').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No backup leaves this box yet.').waitFor()
  })

  it('changes when backups are made, and how many are kept', async () => {
    const page = await part('backups')
    await page.getByText('Change the time and the numbers').click()
    await page.getByLabel('Time', { exact: true }).fill('04:15')
    await page.getByLabel('Days kept').fill('14')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('A backup is made every night at 04:15. Kept are those of 14 days').waitFor()
    const { body } = await house.ask('GET', '/api/config/v1/backup-schedule')
    assert.partialDeepStrictEqual(body.data.attributes, { at: '04:15', daily: 14, weekly: 4, monthly: 12 })
  })

  it('sets after how many minutes a station locks', async () => {
    const body = { name: 'Bar', kind: 'desk' }
    assert.equal((await house.ask('POST', '/api/config/v1/stations', { body })).status, 201)
    const page = await part('people')
    const minutes = page.getByLabel('Bar locks after')
    assert.equal(await minutes.inputValue(), '5')
    const saved = page.waitForResponse((each) => each.request().method() === 'PATCH')
    await minutes.selectOption({ label: '10 minutes' })
    await saved
    const [station] = (await house.ask('GET', '/api/config/v1/stations?filter[name]=Bar')).body.data
    assert.equal(station.attributes.idleMinutes, 10)
  })

  it('disables every account but the own one', async () => {
    const page = await part('people')
    await page.getByRole('button', { name: 'Disable: Ana' }).click()
    await page.getByRole('button', { name: 'Enable: Ana' }).click()
    await page.getByRole('button', { name: 'Disable: Ana' }).waitFor()
    await page.getByText('Your own account: only another administrator can disable it.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Disable|New code): Ida/ }).count(), 0)
  })

  it('says what stops with a person, and has it confirmed', async () => {
    const person = { name: 'Eva', role: 'frontdesk', scopes: ['tokens.manage'] }
    const made = await house.ask('POST', '/api/config/v1/accounts', { body: person })
    const eva = browserAt(house)
    const secrets = { account: 'Eva', code: made.body.meta.code, newPassword: 'velvet kettle anthem orbit' }
    assert.equal((await eva.act('redeem-code', secrets)).status, 201)
    const token = await eva.post('/api/config/v1/tokens', { name: 'Channel', role: 'frontdesk' })
    const asked = async () =>
      (await house.ask('GET', '/api/v2/status', { token: token.body.meta.token })).status
    const page = await part('people')
    await page.getByRole('button', { name: 'Disable: Eva' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disable: Eva' })
    await dialog
      .getByText('What Eva has made stops too, until you confirm it on this page: Channel.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click()
    const region = page.getByRole('region', { name: 'To confirm' })
    await region.getByText(/^Stopped on .*: whoever made it has lost the rights\.$/).waitFor()
    assert.equal(await asked(), 401)
    await page.getByRole('button', { name: 'Is right: Channel' }).click()
    await region.waitFor({ state: 'detached' })
    assert.equal(await asked(), 200)
  })

  it('asks before it signs somebody out, and before it removes what cannot be brought back', async () => {
    const page = await part('people')
    const asked: string[] = []
    const changes = (request: Request) => request.method() !== 'GET' && asked.push(request.method())
    page.on('request', changes)
    for (const [name, why] of [
      ['New code: Ana', 'Ana is signed out at once'],
      ['Remove: Bar', 'The browser of Bar'],
    ] as const) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog', { name }).getByText(why).waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
    }
    assert.deepEqual(asked, [])
    await page.getByRole('button', { name: 'New code: Ana' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New code', exact: true }).click()
    await page.getByText(/^Ana: \w{5}-\w{5}\. It is not shown again/).waitFor()
    page.off('request', changes)
  })

  it('has the cells of a list in columns', async () => {
    const page = await part('people')
    await page
      .getByRole('button', { name: /^New code: / })
      .nth(1)
      .waitFor()
    for (const width of [1280, 768]) {
      await page.setViewportSize({ width, height: 800 })
      const lefts = await page
        .getByRole('button', { name: /^New code: / })
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left))
      assert.ok(lefts.length > 1)
      assert.equal(new Set(lefts).size, 1, `${width}: ${lefts}`)
      const tops = await page
        .getByLabel(/^(Name of the program|Role)$/)
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
      assert.equal(new Set(tops).size, 1, `${width}: ${tops}`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('names the part for the tokens of programs also before there is one', async () => {
    const page = await part('people')
    await page.getByRole('heading', { name: 'Tokens of programs' }).waitFor()
    await page.getByLabel('Name of the program').fill('Spa')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove: Spa' }).click()
    await page.getByText('Spa has no access any more').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove: Spa' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('heading', { name: 'Tokens of programs' }).count(), 1)
  })

  it('explains no trust in a certificate that there is not', async () => {
    const page = await part('certificate')
    await page.getByText('Upload an own certificate').waitFor()
    assert.equal(await page.locator('a[href="/trust"]').count(), 0)
  })

  it('reports roles and times in words', async () => {
    const { page } = tab
    await page.goto(`${house.appliance.url}/setup#/report`)
    await page.getByText('Ana: Front desk', { exact: true }).waitFor()
    await page.getByText('Guests leave by: 11:00', { exact: true }).waitFor()
  })

  it('saves the lines of the log', async () => {
    const page = await part('log')
    await page.getByLabel('Lines to show').selectOption({ label: 'Only errors' })
    await page.getByText('No line fits.').waitFor()
    await page.getByLabel('Lines to show').selectOption({ label: 'Everything but details' })
    await page.locator('.log .info').first().waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these lines' }).click()
    const file = readFileSync(await (await saving).path(), 'utf8')
    const lines = file.trim().split('\n')
    assert.ok(lines.length > 0)
    for (const line of lines) assert.ok('message' in (JSON.parse(line) as object), line)
    tab.expectClean(/422/)
    await tab.close()
  })
})
