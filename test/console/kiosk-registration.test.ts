import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { heard, listening } from '../long/console/kiosk-guest.ts'
import fc, { seed } from '../seed.ts'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { type Guest, guestAt, type KioskHouse, kioskHouse } from './kiosk-house.ts'
import { asksOf, registrationOf, sign } from './kiosk-registering.ts'

const [drawn] = fc.sample(
  fc.record({
    birthDate: fc
      .date({ min: new Date('1920-01-01'), max: new Date('2020-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    documentNumber: fc.stringMatching(/^[A-Z]{1,2}\d{5,9}$/),
  }),
  { numRuns: 1, seed },
)
const { birthDate, documentNumber } = drawn!
const digits = (date: string) => date.split('-').toReversed().join('')

/** The guest is registered at the kiosk before the check-in; the tests of the API have the rules of the server. */
describe('the registration at the kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let guest: Guest
  before(async () => {
    house = await kioskHouse()
    await asks(['birthDate'])
    guest = await guestAt(house, browser)
  })
  after(async () => {
    await guest?.tab.close()
    await house?.stop()
    // The refusals that the tests expect.
    guest?.tab.expectClean(/409|422/)
  })
  afterEach(() => guest.presses(/^(Done|Start again)$/))

  const asks = (fields: string[], more = {}) => asksOf(house, fields, more)
  const fills = async (label: string, text: string) => {
    await guest.page.getByLabel(label, { exact: true }).fill(text)
    await guest.presses('Next')
  }

  it('asks a guest for every field, then makes the key', async () => {
    await asks(
      [
        'lastName',
        'birthDate',
        'nationality',
        'address',
        'documentType',
        'documentNumber',
        'documentCountry',
        'acceptedRules',
        'signature',
      ],
      { houseRules: { en: `${'No smoking.\n'.repeat(40)}The end.` } },
    )
    const { number, stayId } = await house.arrival()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Registration of Lucia G., question 1 of 11.')
    await guest.types(digits(birthDate))
    await guest.presses('Next')
    await guest.types('PORTU')
    await guest.presses('Portugal')
    await fills('Street and number, or place', 'Rua Augusta 1, 2º')
    await guest.presses('Go on without it')
    await fills('Town', 'São Pedro')
    await fills('Country', 'uk')
    await guest.presses('Passport')
    await fills('Number of the document', documentNumber)
    await fills('Issued by (country)', 'niger')
    await guest.reads('Please read the house rules, and accept them.')
    const end = guest.page.locator('.rules')
    const scrolled = () =>
      end.evaluate((panel) => panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 1)
    for (let presses = 0; !(await scrolled()); presses++) {
      assert.ok(presses < 30, 'the whole text can be reached')
      await guest.presses('Further down')
    }
    await guest.presses('I accept the house rules')
    await sign(guest.page)
    await guest.presses('Sign again')
    await sign(guest.page)
    await guest.presses('Next')
    await guest.reads('Enjoy your stay.')
    const { signature, acceptedRules, ...read } = await registrationOf(house, stayId)
    assert.partialDeepStrictEqual(read, {
      firstName: 'Lucia',
      lastName: `Gästin${number}`,
      birthDate,
      nationality: 'PT',
      address: { line1: 'Rua Augusta 1, 2º', city: 'São Pedro', country: 'GB' },
      documentType: 'Passport',
      documentNumber,
      documentCountry: 'NE',
      takenAtKiosk: true,
    })
    assert.equal(signature.length, 1, 'the first signature was cleared')
    assert.equal(acceptedRules.language, 'en')
  })

  it('goes back from each question, and says what the box refuses at its question with what was typed', async () => {
    await asks(['birthDate', 'documentNumber'])
    const { number, stayId } = await house.arrival()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('question 1 of 2.')
    const field = guest.page.getByLabel('Date of birth')
    await field.fill('31022000')
    await guest.reads('There is no such day. Please check the digits.')
    assert.ok(await guest.page.getByRole('button', { name: 'Next', exact: true }).isDisabled())
    await field.fill('31122029')
    await guest.reads('31 December 2029')
    await guest.presses('Next')
    await guest.reads('question 2 of 2.')
    await guest.presses('Back')
    await guest.reads('question 1 of 2.')
    await guest.presses('Next')
    await fills('Number of the document', 'A1')
    await guest.reads(/^Date of birth must be a day from/)
    assert.equal(await field.inputValue(), '31122029')
    await fills('Date of birth', '01.2.2003')
    assert.equal(await guest.page.getByLabel('Number of the document').inputValue(), 'A1')
    await guest.presses('Next')
    await guest.reads('Enjoy your stay.')
    assert.partialDeepStrictEqual(await registrationOf(house, stayId), {
      birthDate: '2003-02-01',
      documentNumber: 'A1',
    })
  })

  it('says what is wrong with a signature and with rules that have changed, in words for the guest', async () => {
    await asks(['acceptedRules', 'signature'], { houseRules: { en: 'No smoking.' } })
    const { number, stayId } = await house.arrival()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.presses('I accept the house rules')
    const pad = guest.page.locator('.field svg[role=img]')
    await pad.click()
    await guest.presses('Next')
    await guest.reads('This is too short for a signature. Please sign once more.')
    await asks(['nationality', 'acceptedRules', 'signature'], { houseRules: { en: 'No smoking, no dogs.' } })
    await sign(guest.page)
    await guest.presses('Next')
    await guest.reads('Type the first letters, then touch the country.')
    assert.doesNotMatch(await guest.page.locator('main').innerText(), /The house needs/)
    await fills('Nationality', 'France')
    await guest.reads('The house rules have just changed. Please read them once more.')
    await guest.presses('I accept the house rules')
    await guest.presses('Next')
    await guest.reads('Type the first letters, then touch the country.')
    await guest.presses('Next')
    await guest.reads('Enjoy your stay.')
    assert.equal((await registrationOf(house, stayId)).nationality, 'FR')
  })

  it('leads who cannot sign to the desk with what was answered, by the keypad too', async () => {
    await asks(['documentNumber', 'signature'])
    const { number, stayId } = await house.arrival()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await fills('Number of the document', documentNumber)
    await guest.page.getByRole('button', { name: 'I cannot sign here' }).focus()
    await guest.page.keyboard.press('Enter')
    await guest.reads('Your registration cannot be completed here.')
    await guest.reads(/Your code is \d{4}/)
    assert.partialDeepStrictEqual(await registrationOf(house, stayId), { documentNumber, signature: null })
  })

  it('speaks the day that was typed, and that there is none', async () => {
    await asks(['birthDate'])
    const { number } = await house.arrival()
    await guest.page.addInitScript(listening)
    await guest.page.reload()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.presses('Listen')
    const field = guest.page.getByLabel('Date of birth')
    for (const [typed, spoken] of [
      ['31022000', 'en: There is no such day. Please check the digits.'],
      ['31121999', 'en: 31 December 1999'],
    ] as const) {
      await field.fill(typed)
      while (!(await heard(guest.page)).includes(spoken)) await house.during(Promise.resolve())
    }
  })

  it('asks each guest of the stay, and of a registration only what it lacks', async () => {
    await asks(['documentNumber'])
    const { number, stayId } = await house.arrival({
      personCount: { adults: 2 },
      profiles: [
        { role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Dois' },
        { role: 'AdditionalGuest', firstName: 'Mia', lastName: 'Dois' },
      ],
    })
    const { body } = await house.ask('GET', `/api/v2/stays/${stayId}`)
    const [first] = body.data.attributes.profiles
    const taken = { lastName: 'Dois', documentNumber: 'SECRET-1' }
    const path = `/api/v2/stays/${stayId}/registrations/${first.id}`
    assert.equal((await house.ask('PUT', path, { body: taken })).status, 204)
    await asks(['documentNumber', 'nationality'])
    await guest.entersNumber(number, 'DOIS')
    await guest.wantsKey()
    await guest.reads('Registration of Lucia D., question 1 of 3.')
    await fills('Nationality', 'France')
    await guest.reads('Registration of Mia D., question 2 of 3.')
    assert.doesNotMatch(await guest.page.content(), /SECRET/)
    await fills('Nationality', 'fran')
    await guest.page.getByLabel('Number of the document').fill('X9')
    // What the house asks changes just now: Mia is asked at once, and Lucia when the check-in is refused.
    await asks(['documentNumber', 'nationality', 'documentType'])
    await guest.presses('Next')
    await guest.reads('Identity document')
    await guest.presses('Other')
    await guest.presses('1 card')
    await guest.reads('Registration of Lucia D., question 1 of 1.')
    const back = guest.page.getByRole('button', { name: 'Back', exact: true })
    assert.equal(await back.count(), 0, 'the guest may have paid')
    await guest.presses('Other')
    await guest.reads('Enjoy your stay.')
    assert.partialDeepStrictEqual(await registrationOf(house, stayId, first.id), {
      ...taken,
      nationality: 'FR',
      documentType: 'Other',
    })
  })

  it('sends a guest without a name to the desk, and says why', async () => {
    await asks(['birthDate'])
    const { number, stayId } = await house.arrival()
    await guest.entersNumber(number)
    await guest.reads('Lucia G.')
    const { body } = await house.ask('GET', `/api/v2/stays/${stayId}`)
    const { reservationId } = body.data.attributes
    const stay = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    assert.equal((await house.ask('PATCH', stay, { body: { profiles: [] } })).status, 204)
    await guest.wantsKey()
    await guest.reads('Your registration cannot be completed here.')
    await guest.reads('Your code is')
    const calls = await house.ask('GET', '/api/v2/help-calls')
    const own = calls.body.data.find(
      ({ attributes }: { attributes: { stayId: string } }) => attributes.stayId === stayId,
    )
    assert.equal(own.attributes.failure, 'registration-required')
  })

  it('is not missed where the house registers no guests, and its script cannot be loaded', async () => {
    await asks([])
    await guest.page.route(/registration(?!\/begin)/, (route) => route.abort())
    await guest.page.reload()
    const { number } = await house.arrival()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
  })
})
