import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** The guests of a stay besides the first one, and two clerks who write about the same guest. */
describe('the guests of a stay at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab

  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const stayOn = async (page: Page) =>
    (await house.ask('GET', `/api/v2/stays/${page.url().split('/').at(-1)}?include=profiles`)).body
  const namesOf = ({ included }: { included: { type: string; attributes: { lastName: string } }[] }) =>
    included.filter(({ type }) => type === 'profile').map(({ attributes }) => attributes.lastName)

  it('names two guests of a walk-in, and makes the cards that the clerk asks for', async () => {
    const page = await open('walk-in')
    await page.getByRole('radio', { checked: true }).waitFor()
    assert.equal(await page.getByLabel('Last name of guest 2').count(), 0)
    await page.getByLabel('Adults').selectOption('2')
    await page.getByLabel('Last name', { exact: true }).fill('Brandt')
    await page.getByLabel('First name of guest 2').fill('Aulia')
    await page.getByLabel('Cards', { exact: true }).selectOption('2')
    await page.keyboard.press('Control+Enter')
    await house.during(page.locator('#sheet').getByText('With Aulia', { exact: true }).waitFor())
    await house.during(page.locator('#sheet').getByText('copy 1').first().waitFor())
    const { data, ...more } = await stayOn(page)
    assert.deepEqual(namesOf(more), ['Brandt', 'Aulia'])
    assert.equal(data.attributes.personCount.total, 2)
    await page.goto(`${house.appliance.url}/desk#/walk-in`)
    assert.equal(await page.getByLabel('Last name of guest 2').count(), 0, 'the form is empty')
    assert.equal(await page.getByLabel('Cards', { exact: true }).inputValue(), '1')
    tab.expectClean()
  })

  it('names a second guest of a booking from the rack, and removes the guest again', async () => {
    const page = await open('rack')
    await page.locator('.rack-row[id]').first().waitFor()
    await page.keyboard.press('b')
    await page.locator('#rack-new:focus').waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Adults').selectOption('2')
    await dialog.getByLabel('Last name', { exact: true }).fill('Costa')
    await dialog.getByLabel('Last name of guest 2').fill('Silva')
    await dialog.getByRole('button', { name: 'Book' }).click()
    const sheet = page.locator('#sheet')
    await house.during(sheet.getByText('With Silva', { exact: true }).waitFor())
    await sheet.getByRole('button', { name: 'Guests', exact: true }).click()
    await dialog.getByRole('button', { name: 'Remove: Silva' }).click()
    await dialog.getByLabel('Adults').selectOption('1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await house.during(sheet.getByText('1 person', { exact: false }).waitFor())
    assert.equal(await sheet.getByText('With Silva').count(), 0)
    const { data, ...more } = await stayOn(page)
    assert.deepEqual(namesOf(more), ['Costa'])
    assert.equal(data.attributes.personCount.total, 1)
    tab.expectClean()
  })

  it('shows beside a corrected name what a colleague wrote meanwhile', async () => {
    const { stayId, reservationId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    await page.getByRole('button', { name: 'Guests', exact: true }).click()
    await page.getByRole('button', { name: /^Correct the name/ }).click()
    await page.getByLabel('Last name').last().fill('Müller')
    const [{ id: profileId }] = (await house.ask('GET', path)).body.data.attributes.profiles
    const profile = `/api/v2/profiles/${profileId}`
    const renamed = await house.ask('PATCH', profile, { body: { lastName: 'Mueller' } })
    assert.equal(renamed.status, 204, renamed.text)
    await house.during(page.locator('#sheet h2').getByText('Mueller').waitFor())
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Now: Mueller').first().waitFor()
    await page.getByText('Yours: Müller').first().waitFor()
    await page.getByRole('button', { name: 'Write mine' }).click()
    await house.during(page.locator('#sheet h2').getByText('Müller').waitFor())
    tab.expectClean(/status of 412/)
  })
})
