import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { askAt } from '../../appliance.ts'
import { folder, type Served, served } from '../../cli/command-line.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'

describe('the recovery sheet in a browser', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  const { path: data, remove } = folder()
  let box: Served
  before(async () => {
    box = await served(data)
  })
  after(async () => {
    await box?.stop()
    remove()
  })

  it('is printed and saved, and is kept when its words were typed back', async () => {
    const tab = await browser.open(`${box.url}/setup#/system/backups`)
    const { page } = tab
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Ida').click()
    await page.getByText('There is no recovery sheet').waitFor()
    await button('Make the recovery sheet').click()
    await page.getByRole('heading', { name: 'Recovery sheet Hotel Sample' }).waitFor()
    const words = await page.locator('.words li').allTextContents()
    assert.equal(words.length, 24)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await button('Print').isVisible(), false)
    assert.equal(await page.getByRole('heading', { name: 'System' }).isVisible(), false)
    assert.ok(await page.getByText(words[0]!, { exact: true }).first().isVisible())
    await page.emulateMedia({ media: 'screen' })
    const saving = page.waitForEvent('download')
    await button('Save as a file').click()
    const file = readFileSync(await (await saving).path(), 'utf8')
    assert.match(file, /\nAGE-SECRET-KEY-1\w{58}\n$/)
    assert.ok(words.every((word, index) => file.includes(`# ${index + 1}. ${word}\n`)))

    await button('I have it on paper').click()
    const fields = page.locator('form input[maxlength="20"]')
    const asked = await page.getByText(/^Word \d+$/).allTextContents()
    assert.equal(asked.length, 4)
    for (const [index, label] of asked.entries())
      await fields.nth(index).fill(words[Number(label.slice(5)) - 1]!.slice(0, 4))
    await fields.nth(3).fill('wrong')
    await button('Keep this sheet').click()
    await page.getByText('is another one on the sheet').waitFor()
    await fields.nth(3).fill(words[Number(asked[3]!.slice(5)) - 1]!)
    await button('Keep this sheet').click()
    await page.getByText('opens each backup since then').waitFor()
    const { body } = await askAt(box.url, 'GET', '/api/config/v1/recovery-sheet')
    assert.equal(body.data.attributes.recipients, 1)
    tab.expectClean(/recovery-sheet/)
    await tab.close()
  })
})
