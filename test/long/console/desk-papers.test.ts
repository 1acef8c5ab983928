import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type Booking, type KioskHouse, kioskHouse, monday } from '../../console/kiosk-house.ts'
import { asksOf } from '../../console/kiosk-registering.ts'
import { kioskOf } from '../../guest-found.ts'

const guests = [
  {
    role: 'PrimaryGuest',
    firstName: 'Lucia',
    middleName: 'Maria',
    lastName: 'García',
    nationality: 'ES',
    birthDate: '1984-02-29',
    addresses: [
      { line1: 'Alte Gasse 9', city: 'Linz', country: 'AT' },
      { line1: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES', primary: true },
    ],
    emails: [{ address: 'lucia@example.com' }],
    phoneNumbers: [{ number: '+34 600 111 222' }],
  },
  { role: 'AdditionalGuest', firstName: '', lastName: 'Aulia' },
  { role: 'Booker', firstName: 'Otto', lastName: 'Office' },
]

/** What the desk prints of a stay. The browser of the tests prints nothing: the page is read as paper. */
describe('the papers of a stay', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab

  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(stayId: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/stay/${stayId}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    await tab.page.evaluate("window.print = () => document.body.classList.add('printed')")
    return tab.page
  }

  /** Prints a paper, and returns what stands on each of its pages. */
  async function printed(page: Page, name: string): Promise<string[]> {
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('body.printed').waitFor()
    assert.equal(await page.locator('.paper').first().isVisible(), false, 'the screen does not show it')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const rest = page.locator('header.top, nav.side, table.list, .sheet-head, button').locator('visible=true')
    assert.equal(await rest.count(), 0, 'only the paper is printed')
    const pages = await page.locator('.paper').allInnerTexts()
    await page.emulateMedia({ media: 'screen', colorScheme: null })
    await page.evaluate("document.body.classList.remove('printed'); dispatchEvent(new Event('afterprint'))")
    await page.locator('.paper').first().waitFor({ state: 'detached' })
    return pages.map((text) => text.replaceAll(/\s+/g, ' '))
  }
  const record = async ({ reservationId, stayId }: Booking, kind: string, attributes: object) => {
    const answer = await house.ask(
      'POST',
      `/api/v2/reservations/${reservationId}/stays/${stayId}/actions/${kind}`,
      {
        body: { data: { type: 'payment', attributes } },
      },
    )
    assert.equal(answer.status, 201, answer.text)
    return answer
  }

  it('for the guest are in a language of the guest, and those for the house in that of the page', async () => {
    const [lucia] = guests
    const profiles = [{ ...lucia, languageCode: 'de', emails: [], phoneNumbers: [], lastName: 'Vega' }]
    const amount = { currency: 'EUR', amountWithTax: 218.5 }
    const booking = await house.arrival({ profiles, amount })
    await record(booking, 'record-payment', { currency: 'EUR', amount: 10_050, brand: 'Cash' })
    const page = await open(booking.stayId)
    const [form] = await printed(page, 'Registration form')
    for (const text of ['Meldeschein', 'Anreise 1. Juni 2026', '218,50 €', '29. Februar 1984', 'Spanien'])
      assert.ok(form!.includes(text), `${text}: ${form}`)
    const [receipt] = await printed(page, 'Receipt')
    for (const text of ['Zahlungsbeleg', '100,50 €', 'Bar'])
      assert.ok(receipt!.includes(text), `${text}: ${receipt}`)
    const [report] = await printed(page, 'Key report')
    assert.match(report!, /Arrival 1 June 2026/)
    const choice = page.getByLabel('Language of form and receipt')
    assert.equal(await choice.inputValue(), 'de')
    await choice.selectOption('Français')
    assert.match((await printed(page, 'Receipt'))[0]!, /Reçu.*100,50 €/)
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    tab.expectClean()
  })

  it('have the answers of a guest who could not sign at the kiosk, whom the sheet marks', async () => {
    await asksOf(house, ['documentNumber', 'signature'])
    const { stayId } = await house.arrival()
    const [{ id }] = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes.profiles
    const path = `/api/v2/stays/${stayId}/registrations/${id}`
    const answers = {
      body: { documentNumber: 'CA-4711', signature: null },
      token: await kioskOf(house.ask, stayId),
    }
    assert.equal((await house.ask('PUT', path, answers)).status, 204)
    const page = await open(stayId)
    await page.getByText('Signature is missing').waitFor()
    assert.match((await printed(page, 'Registration form'))[0]!, /CA-4711/)
    await asksOf(house, [])
    tab.expectClean()
  })

  it('send a receipt by the mail program of the computer, in the language of the guest', async () => {
    const [lucia] = guests
    const emails = [{ address: 'vera@example.com' }]
    const profiles = [{ ...lucia, firstName: 'Vera', languageCode: 'de', emails, phoneNumbers: [] }]
    const booking = await house.arrival({ profiles, amount: { currency: 'EUR', amountWithTax: 100.5 } })
    await record(booking, 'record-payment', { currency: 'EUR', amount: 10_050, brand: 'Cash' })
    const page = await open(booking.stayId)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Receipt by email', exact: true }).click(),
    ])
    assert.equal(download.suggestedFilename(), `receipt-${booking.number}.eml`)
    await page.getByText('as a message to vera@example.com').waitFor()
    const [head = '', body = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n\r\n')
    assert.match(head, /^To: vera@example\.com\r\nSubject: =\?utf-8\?B\?/)
    const html = Buffer.from(body, 'base64').toString()
    assert.doesNotMatch(html, /Gedruckt von/)
    for (const text of ['Zahlungsbeleg', 'Hotel Sample', '100,50', 'Bar', '<table'])
      assert.ok(html.includes(text), `${text}: ${html}`)
    tab.expectClean()
  })

  it('are a registration form for each guest, free where nothing is known', async () => {
    const { stayId, number } = await house.arrival({
      profiles: guests,
      personCount: { adults: 2 },
      amount: { currency: 'EUR', amountWithTax: 218 },
    })
    const page = await open(stayId)
    const forms = await printed(page, 'Registration form')
    assert.equal(forms.length, 2, 'who has only booked signs nothing')
    for (const form of forms) {
      assert.match(form, /^Hotel Sample, Rua do Porto 1, 1100-001 Lisboa, Portugal Registration form/)
      assert.match(form, new RegExp(`Booking number ${number} `))
      assert.match(form, /Arrival 1 June 2026 Departure 3 June 2026 Nights 2 Persons 2 .*€218\.00/)
      assert.match(form, /house rules and accept them\. Date, signature/)
    }
    const [first = '', second = ''] = forms
    assert.match(first, /Name Lucia Maria García Date of birth 29 February 1984 Nationality Spain/)
    assert.match(first, /Address Calle Mayor 1, 28013 Madrid, Spain Identity document: kind and number Email/)
    assert.match(first, /Email lucia@example\.com Telephone \+34 ?600 ?111 ?222/)
    assert.match(second, /Name Aulia Date of birth Nationality Address Identity document/)
    tab.expectClean()
  })

  it('are a receipt with payments and refunds, without what was taken back', async () => {
    const booking = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
    const page = await open(booking.stayId)
    assert.match((await printed(page, 'Receipt'))[0]!, /No payment is recorded\..*To pay €109\.00/)

    const mistaken = await record(booking, 'record-payment', { currency: 'EUR', amount: 777, brand: 'Visa' })
    const voided = await house.ask('DELETE', `/api/v2/payments/${mistaken.body.data.id}`, {
      headers: { 'if-match': '"1"' },
    })
    assert.ok(voided.status < 300, voided.text)
    await record(booking, 'record-payment', { currency: 'EUR', amount: 10_900, brand: 'Cash' })
    const { reservationId, stayId } = booking
    const cheaper = await house.ask('PATCH', `/api/v2/reservations/${reservationId}/stays/${stayId}`, {
      body: {
        data: { type: 'stay', id: stayId, attributes: { amount: { currency: 'EUR', amountWithTax: 98 } } },
      },
    })
    assert.equal(cheaper.status, 204, cheaper.text)
    await record(booking, 'record-refund', { currency: 'EUR', amount: 500, brand: 'Cash' })
    const [receipt = ''] = await printed(page, 'Receipt')
    assert.match(receipt, /Cash €109\.00 .*Cash Refund €5\.00 /)
    assert.doesNotMatch(receipt, /7\.77/)
    assert.match(receipt, /Paid for this stay €104\.00 To give back €6\.00 .*not a tax invoice/)
    tab.expectClean()
  })

  it('are a receipt of one stay of a booking, with what was paid and given back for that stay', async () => {
    const [{ id: unitTypeId }] = (await house.ask('GET', '/api/v2/unit-types?filter[code]=FAM')).body.data
    const stays = ['Erste', 'Zweite'].map((lastName) => ({
      status: 'Confirmed',
      startDate: monday,
      endDate: '2026-06-03',
      personCount: { adults: 1 },
      units: [{ unitTypeId }],
      amount: { currency: 'EUR', amountWithTax: 50 },
      profiles: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName }],
      reservationIds: [{ type: 'Confirmation', value: lastName }],
    }))
    const booked = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
    assert.equal(booked.status, 201, booked.text)
    const { data } = booked.body
    const [own, other]: Booking[] = data.attributes.stays.map(({ id }: { id: string }) => ({
      number: '',
      reservationId: data.id,
      stayId: id,
    }))
    const eur = (amount: number) => ({ currency: 'EUR', amount })
    const paid = await record(own!, 'record-payment', { ...eur(5_000), brand: 'Visa' })
    await record(other!, 'record-payment', { ...eur(1_200), brand: 'Cash' })
    // Given back at the sheet of the other guest, of the payment of this one.
    await record(other!, 'record-refund', {
      ...eur(1_000),
      brand: 'MasterCard',
      refundOf: paid.body.data.id,
      reason: 'Wrong card',
    })
    const first = (await printed(await open(own!.stayId), 'Receipt'))[0]!
    assert.match(first, /Visa €50\.00 .*Mastercard Refund €10\.00 .*Paid for this stay €40\.00/)
    assert.doesNotMatch(first, /€12\.00/)
    tab.expectClean()
    await tab.close()
    const second = (await printed(await open(other!.stayId), 'Receipt'))[0]!
    assert.match(second, /Cash €12\.00 .*Paid for this stay €12\.00/)
    assert.doesNotMatch(second, /Refund|Visa/)
    await house.ask('POST', `/api/v2/reservations/${data.id}/actions/record-payment`, {
      body: { data: { type: 'payment', attributes: { ...eur(4_800), brand: 'Invoice' } } },
    })
    const whole = (await printed(tab.page, 'Receipt'))[0]!
    assert.match(whole, /for the whole booking €48\.00 .*Paid for this stay €50\.00/)
    tab.expectClean()
  })

  it('are a report of its keys, with each door and without a PIN', async () => {
    const { stayId } = await house.arrival()
    const page = await open(`${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await house.during(page.getByText('In hand').first().waitFor())
    const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)
    const { unitName } = body.data[0].attributes
    const [report = ''] = await printed(page, 'Key report')
    assert.match(report, new RegExp(`first card ${unitName}.* 1 June 2026, .* – 3 June 2026, .*`))
    tab.expectClean()
  })
})
