import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { registrationFields } from '../../src/reservation/values/registration-fields.ts'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse, monday } from './kiosk-house.ts'

const [drawn] = fc.sample(
  fc.record({
    documentNumber: fc.stringMatching(/^[A-Z]{1,2}\d{5,9}$/),
    birthDate: fc
      .date({ min: new Date('1920-01-01'), max: new Date('2020-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  }),
  { numRuns: 1, seed },
)

const [drawnField] = fc.sample(fc.constantFrom(...registrationFields.slice(1)), { numRuns: 1, seed })
const [drawnDays] = fc.sample(fc.integer({ min: 2, max: 36_500 }), { numRuns: 1, seed })

/** The desk registers guests: the form asks what the house needs, and the paper shows what was written. */
describe('the registration at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
    await set({ assignableStatuses: ['Dirty', 'Clean', 'Inspected'] })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function set(settings: object): Promise<void> {
    const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const reply = await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: settings })
    assert.equal(reply.status, 204, reply.text)
  }
  async function open(path: string): Promise<Page> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/${path}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  async function registrationOf(stayId: string) {
    const { body } = await house.ask('GET', `/api/v2/registrations?filter[stayId]=${stayId}`)
    const [{ id }] = body.data
    return (await house.ask('GET', `/api/v2/registrations/${id}`)).body.data.attributes
  }
  /** Signs with the mouse. */
  async function sign(page: Page): Promise<void> {
    const pad = page.getByRole('img', { name: /^Signature of the guest/ })
    await pad.scrollIntoViewIfNeeded()
    const box = (await pad.boundingBox())!
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
    await page.mouse.move(...at(0.1, 0.8))
    await page.mouse.down()
    for (const [x, y] of [
      [0.2, 0.2],
      [0.3, 0.8],
      [0.4, 0.2],
      [0.5, 0.8],
      [0.6, 0.2],
    ] as const)
      await page.mouse.move(...at(x, y))
    await page.mouse.up()
  }

  it('is not on the sheet where the house registers no guests', async () => {
    await set({ registrationFields: [] })
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.getByRole('heading', { name: 'Papers' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Registration', exact: true }).count(), 0)
    tab.expectClean()
  })

  it('is entered with a signature, corrected, and printed', async () => {
    await set({
      registrationFields: ['birthDate', 'documentNumber', 'documentType', 'signature', 'acceptedRules'],
      houseRules: { en: 'No smoking.' },
    })
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.getByText('Not registered').waitFor()
    await page.getByRole('button', { name: /^Register: / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Date of birth').fill(drawn!.birthDate)
    await dialog.getByLabel('Number of the document').fill(drawn!.documentNumber)
    await dialog.getByLabel('Identity document').selectOption('Passport')
    assert.equal(await dialog.getByLabel('Nationality').count(), 0, 'the house does not need it')
    await dialog.getByLabel(/accepts them/).check()
    await sign(page)
    await house.during(dialog.getByRole('button', { name: 'Save' }).click())
    await house.during(page.getByText('Registered', { exact: true }).waitFor())
    const first = await registrationOf(stayId)
    assert.partialDeepStrictEqual(first, {
      ...drawn,
      documentType: 'Passport',
      nationality: null,
      signedOnPaper: false,
      takenAtKiosk: false,
    })
    assert.equal(first.acceptedRules.language, 'en')
    assert.ok(first.signature.flat().length >= 5, JSON.stringify(first.signature))

    await page.getByRole('button', { name: /^Correct: / }).click()
    assert.equal(await dialog.getByLabel('Number of the document').inputValue(), drawn!.documentNumber)
    await dialog.getByLabel('Number of the document').fill('NEW-4711')
    await house.during(dialog.getByRole('button', { name: 'Save' }).click())
    await house.during(dialog.waitFor({ state: 'detached' }))
    const { documentNumber, signature, acceptedRules } = await registrationOf(stayId)
    assert.deepEqual(
      { documentNumber, signature, acceptedRules },
      { documentNumber: 'NEW-4711', signature: first.signature, acceptedRules: first.acceptedRules },
    )

    await page.evaluate("window.print = () => document.body.classList.add('printed')")
    await house.during(page.getByRole('button', { name: 'Registration form' }).click())
    await house.during(page.locator('body.printed').waitFor())
    await page.emulateMedia({ media: 'print' })
    const paper = page.locator('.paper')
    assert.match((await paper.innerText()).replaceAll(/\s+/g, ' '), /Passport, NEW-4711/)
    assert.equal(await paper.locator('svg path').count(), 1)
    tab.expectClean()
  })

  it('says what the box refuses, and keeps what was typed', async () => {
    await set({ registrationFields: ['nationality', 'birthDate'] })
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: /^Register: / }).click()
    const dialog = page.getByRole('dialog')
    const save = () => house.during(dialog.getByRole('button', { name: 'Save' }).click())
    await dialog.getByLabel('Date of birth').fill('2026-06-02')
    await save()
    await house.during(dialog.getByText('The house needs Nationality of each guest.').waitFor())
    await dialog.getByLabel('Nationality').selectOption({ label: 'United Kingdom' })
    await save()
    await house.during(dialog.getByText(/Date of birth must be a day from/).waitFor())
    await dialog.getByLabel('Date of birth').fill('1999-06-02')
    await save()
    await house.during(page.getByText('Registered', { exact: true }).waitFor())
    assert.partialDeepStrictEqual(await registrationOf(stayId), {
      nationality: 'GB',
      birthDate: '1999-06-02',
    })
    tab.expectClean(/422/)
  })

  it('is left out for a reason, and then the guest is checked in', async () => {
    await set({ registrationFields: ['documentNumber'] })
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.getByText('Not registered').waitFor()
    const refused = async () => {
      await page
        .getByRole('button', { name: /^Check in/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await house.during(dialog.getByRole('button', { name: /^Check in/ }).click())
      return dialog
    }
    const dialog = await refused()
    await house.during(dialog.getByText(/Not every guest of the stay is registered/).waitFor())
    await page.keyboard.press('Escape')
    await page.getByText('Check in without registration').click()
    await page.getByLabel('Reason').fill('The passport is at the embassy.')
    await house.during(page.getByRole('button', { name: 'Keep the reason' }).click())
    await house.during(page.getByText('Without registration', { exact: true }).waitFor())
    await refused()
    await house.during(page.locator('#sheet').getByText('In house', { exact: true }).first().waitFor())
    // The refused check-in has given the stay a room, so that the sheet reads it again.
    tab.expectClean(/409|412/)
  })

  it('needs what the set-up says, one field alone and all of them, with house rules in two languages', async () => {
    await set({ registrationFields: null, houseRules: null })
    tab = await browser.openAs('Ida', `${house.appliance.url}/setup#/house`)
    const { page } = tab
    const openPart = () => house.during(page.getByText('Registration of guests', { exact: true }).click())
    const save = async () => {
      const answer = page.waitForResponse(/actions\/apply/)
      await page.getByRole('button', { name: 'Save and go on' }).click()
      await house.during(answer)
    }
    const saved = async () => (await house.ask('GET', '/api/config/v1/settings')).body.data[0].attributes
    await openPart()
    const boxes = page.getByRole('group', { name: 'Each guest gives' }).getByRole('checkbox')
    assert.equal(await boxes.count(), registrationFields.length)
    await page.getByLabel('Consent to the house rules').check()
    await save()
    await house.during(page.getByText('Consent to the house rules needs house rules.').waitFor())
    await page.getByLabel('House rules, Deutsch').fill('Nicht rauchen.\nRuhe ab 22 Uhr.')
    await page.getByLabel('House rules, English').fill('No smoking.')
    for (const box of await boxes.all()) await box.check()
    await page.getByLabel('Days after the departure').fill(String(drawnDays))
    await save()
    await house.during(page.getByText('Registration of guests', { exact: true }).waitFor({ state: 'hidden' }))
    const all = await saved()
    assert.deepEqual(all.registrationFields, [...registrationFields])
    assert.equal(all.registrationDays, drawnDays)
    assert.deepEqual(all.houseRules, { en: 'No smoking.', de: 'Nicht rauchen.\nRuhe ab 22 Uhr.' })
    for (const name of ['lastName', 'address', drawnField!] as const) {
      const at = registrationFields.indexOf(name)
      await page.goto(`${house.appliance.url}/setup#/house`)
      await openPart()
      for (const [index, box] of (await boxes.all()).entries()) await box.setChecked(index === at)
      await save()
      assert.deepEqual((await saved()).registrationFields, [name])
      await house.during(
        page.getByText('Registration of guests', { exact: true }).waitFor({ state: 'hidden' }),
      )
    }
    await page.goto(`${house.appliance.url}/setup#/house`)
    await openPart()
    for (const box of await boxes.all()) await box.uncheck()
    await save()
    assert.equal((await saved()).registrationFields, null)
    tab.expectClean(/status of 422/)
  })

  it('is downloaded for the authority, a day at a time', async () => {
    await set({ registrationFields: ['birthDate'] })
    const page = await open('today')
    const link = page.getByRole('link', { name: 'Registrations of the day (CSV)' })
    await house.during(link.waitFor())
    const download = page.waitForEvent('download')
    await link.click()
    const file = await house.during(download)
    assert.equal(file.suggestedFilename(), `registrations-${monday}.csv`)
    assert.equal(await file.failure(), null)
    tab.expectClean()
  })
})
