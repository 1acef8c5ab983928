import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { askAt } from '../../appliance.ts'
import { identity, withKey } from '../../backup/recovery.ts'
import { folder, type Served, served } from '../../cli/command-line.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'

/** The box loses its power in each state of a restore, and the page that shows it stays open. */
describe('a restore in a browser on a box that loses its power', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  const [{ path: data, remove }, { path: empty, remove: removeEmpty }] = [folder(), folder()]
  let old: Served
  let box: Served
  let file: string

  before(async () => {
    old = await served(data)
    withKey(data)
    await old.stop()
    // What does not compress takes long enough to be interrupted in it.
    const db = new Database(join(data, 'nightporter.db'))
    db.exec('CREATE TABLE IF NOT EXISTS ballast (bytes BLOB) STRICT')
    for (let count = 0; count < 24; count++) db.exec('INSERT INTO ballast VALUES (randomblob(1000000))')
    db.close()
    old = await served(data)
    assert.equal((await askAt(old.url, 'POST', '/api/v2/units', { body: { name: 'Saved' } })).status, 201)
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

  it('goes on from each state, and shows the end', async () => {
    const [, code = ''] = /Pairing code (\d{8})/.exec(box.lines.join('\n')) ?? []
    const { host } = new URL(box.url)
    const tab = await browser.open(`${box.url}/setup`)
    const { page } = tab
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const loses = async () => {
      await box.stop('SIGKILL')
      await page.getByText('The box does not answer').waitFor()
      box = await served(empty, '--listen', host)
      await page.getByText('The box does not answer').waitFor({ state: 'detached' })
    }
    await button('Restore a backup').click()
    await page.getByLabel('Pairing code').fill(code)
    await page.getByLabel('Backup file').setInputFiles(file)
    await button('Send the file to the box').click()
    await page.getByRole('progressbar').waitFor()
    await loses()
    const key = page.getByLabel('Recovery key', { exact: true })
    await key.waitFor()
    await key.fill(identity)
    await loses()
    assert.equal(await key.inputValue(), identity, 'what was typed is not lost')
    const done = page.getByText('The backup was restored')
    const opened = page.getByText('Hotel Sample, as of')
    /** The box keeps no key: where it was interrupted, it asks once more, and the page has what was typed. */
    const opens = async () => {
      await opened.or(button('Open the backup')).or(done).waitFor()
      if (await key.isVisible()) {
        assert.equal(await key.inputValue(), identity)
        await button('Open the backup').click()
      }
      await opened.or(done).waitFor()
    }
    const answered = page.waitForResponse(/actions\/open$/)
    await button('Open the backup').click()
    await answered
    await loses()
    await opens()
    await loses()
    await opens()
    await button('Replace the property now').click()
    await loses()
    await opens()
    if (await opened.isVisible()) await button('Replace the property now').click()
    await done.waitFor()
    await button('Go on and sign in').click()
    await page.waitForURL(/desk/)
    const { body } = await askAt(box.url, 'GET', '/api/v2/units?filter[name]=Saved')
    assert.equal(body.data.length, 1)
    tab.expectClean(/ERR_CONNECTION_|restores|Failed to load/)
    await tab.close()
  })
})
