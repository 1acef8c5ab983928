import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { askAt } from '../../appliance.ts'
import { identity, withKey } from '../../backup/recovery.ts'
import { webdavServer } from '../../backup/targets/servers.ts'
import { folder, type Served, served } from '../../cli/command-line.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'

describe('a restore in a browser', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let old: Served
  let box: Served
  let file: string
  const [{ path: data, remove }, { path: empty, remove: removeEmpty }] = [folder(), folder()]
  before(async () => {
    old = await served(data)
    withKey(data)
    const { status } = await askAt(old.url, 'POST', '/api/v2/units', { body: { name: 'Saved' } })
    assert.equal(status, 201)
    assert.equal((await askAt(old.url, 'POST', '/api/config/v1/backups')).status, 201)
    file = join(data, 'backups', readdirSync(join(data, 'backups'))[0]!)
    box = await served(empty, '--empty')
  })
  after(async () => {
    await old?.stop()
    await box?.stop()
    remove()
    removeEmpty()
  })

  it('brings the property to a box that belongs to nobody, over reloads and the restart', async () => {
    const [, code = ''] = /Pairing code (\d{8})/.exec(box.lines.join('\n')) ?? []
    const tab = await browser.open(`${box.url}/setup`)
    const { page } = tab
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Restore a backup').click()
    await page.getByLabel('Pairing code').fill(code)
    await page.getByLabel('Backup file').setInputFiles(file)
    await button('Send the file to the box').click()
    const key = page.getByLabel('Recovery key', { exact: true })
    await key.waitFor()
    await page.reload()
    const mistyped = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`
    await key.fill(mistyped)
    await button('Open the backup').click()
    await page.getByText('the key does not fit').waitFor()
    assert.equal(
      await key.inputValue(),
      mistyped,
      'who has mistyped one of 24 words corrects this word alone',
    )
    await key.fill(identity)
    await button('Open the backup').click()
    await page.getByText('Hotel Sample, as of').waitFor()
    await page.reload()
    await button('Replace the property now').click()
    await page.getByText('The backup was restored').waitFor()
    await page.getByText('40 rooms may have cards that the box does not know').waitFor()
    await button('Go on and sign in').click()
    await page.waitForURL(/desk/)
    const units = '/api/v2/units?page[size]=100&sort=name'
    const names = async (url: string) =>
      (await askAt(url, 'GET', units)).body.data.map((each: { id: string }) => each.id)
    assert.deepEqual(await names(box.url), await names(old.url))
    await page.goto(`${box.url}/desk#/keys`)
    await page.getByRole('heading', { name: 'Rooms to check after a restore' }).waitFor()
    const checked = page.getByRole('button', { name: 'Checked: 101' })
    await checked.click()
    await checked.waitFor({ state: 'detached' })
    const left = (await askAt(box.url, 'GET', '/api/config/v1/units-to-check?withTotal=true')).body.meta
    assert.equal(left.total, 39)
    // While the one server leaves the port to the other, a request may find nobody.
    tab.expectClean(/ERR_CONNECTION_|restores/)
    await tab.close()
  })

  it('finds the backup at a target on a box that belongs to nobody', async (t) => {
    const { path: another, remove: removeAnother } = folder()
    const far = await webdavServer(t, join(data, 'backups'))
    const fresh = await served(another, '--empty')
    t.after(async () => {
      await fresh.stop()
      removeAnother()
    })
    const [, code = ''] = /Pairing code (\d{8})/.exec(fresh.lines.join('\n')) ?? []
    const tab = await browser.open(`${fresh.url}/setup`)
    const { page } = tab
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await button('Restore a backup').click()
    await page.getByLabel('Pairing code').fill(code)
    await page.getByLabel('Where the backup is').selectOption('webdav')
    await page.getByLabel('Address').fill(far.url)
    await page.getByLabel('User, or id of the access key').fill(far.user)
    await page.getByLabel('Password, secret key or private key').fill('wrong')
    await button('List the backups').click()
    await page.getByText(/Check user and secret/).waitFor()
    await page.getByLabel('Password, secret key or private key').fill(far.secret)
    await button('List the backups').click()
    await button(/^Restore a backup: /).click()
    await page.getByLabel('Recovery key', { exact: true }).fill(identity)
    await button('Open the backup').click()
    await page.getByText('Hotel Sample, as of').waitFor()
    tab.expectClean()
    await tab.close()
  })

  it('begins on the system page with a backup of the list', async () => {
    const tab = await browser.open(`${old.url}/setup#/system/backups`)
    const { page } = tab
    const ida = page.getByRole('button', { name: 'Ida' })
    await ida
      .or(page.getByRole('heading', { name: 'System' }))
      .first()
      .waitFor()
    if (await ida.isVisible()) await ida.click()
    await page.getByRole('button', { name: /^Restore a backup: / }).click()
    await page.getByLabel('Recovery key', { exact: true }).fill(identity)
    await page.getByRole('button', { name: 'Open the backup' }).click()
    await page.getByText('These changes are newer, and are lost:').waitFor()
    await page.getByRole('button', { name: 'Cancel the restore' }).click()
    await page.getByText('The restore was canceled').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'System' }).waitFor()
    tab.expectClean()
    await tab.close()
  })

  it('goes on with a file after the line was lost in a part, and after a part for which the line was too slow', async () => {
    const tab = await browser.openAs('Ida', `${old.url}/setup#/system/backups`)
    const { page } = tab
    const lost = new AbortController()
    let parts = 0
    await page.context().route('**/content?offset=*', async (route) => {
      parts++
      if (parts === 1) return route.fulfill({ status: 408 })
      if (parts > 2) return route.continue()
      // The box has half of the part, and hears no more of this line, which the browser knows to be lost.
      const half = new ReadableStream({
        start: (stream) => stream.enqueue(readFileSync(file).subarray(0, 1_000)),
      })
      const sent = { method: 'PATCH', headers: { 'Content-Type': 'application/octet-stream' }, body: half }
      void fetch(route.request().url(), { ...sent, duplex: 'half', signal: lost.signal }).catch(() => {})
      return route.abort()
    })
    await page.getByLabel('Backup file').setInputFiles(file)
    await page.waitForResponse((answer) => /content/.test(answer.url()) && answer.status() === 409)
    lost.abort()
    await page.getByLabel('Recovery key', { exact: true }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.getByRole('button', { name: 'Cancel the restore' }).click()
    await page.getByText('The restore was canceled. Nothing was changed.').waitFor()
    tab.expectClean(/ERR_FAILED|status of 40[89]/)
    await tab.close()
  })

  it('cancels a file that is being sent, and says so when the box does not confirm it', async () => {
    const tab = await browser.openAs('Ida', `${old.url}/setup#/system/backups`)
    const { page } = tab
    const cancel = page.getByRole('button', { name: 'Cancel the restore' })
    // The line is so slow that no part arrives.
    await page.context().route('**/content?offset=*', () => {})
    const sent = page.waitForRequest(/content\?offset=0/)
    await page.getByLabel('Backup file').setInputFiles(file)
    const part = await sent
    const aborted = page.waitForEvent('requestfailed', (request) => request === part)
    await page
      .context()
      .route('**/restores/*', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
      )
    await cancel.click()
    await aborted
    await page.getByText('The box did not confirm that the restore is canceled.').waitFor()
    await page.getByText(/^Choose the file .* again/).waitFor()
    await page.context().unroute('**/restores/*')
    await page.getByLabel('Backup file').setInputFiles(file)
    await cancel.click()
    await page.getByText('The restore was canceled. Nothing was changed.').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.ok(!existsSync(join(data, 'restore.upload')))
    await page.getByRole('button', { name: 'Close' }).click()
    await page.context().unroute('**/content?offset=*')
    await page.getByLabel('Backup file').setInputFiles(file)
    await page.getByLabel('Recovery key', { exact: true }).waitFor()
    await cancel.click()
    await page.getByText('The restore was canceled. Nothing was changed.').waitFor()
    tab.expectClean(/ERR_FAILED/)
    await tab.close()
  })
})
