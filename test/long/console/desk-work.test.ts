import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { browserForSuite, enabled, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse, monday } from '../../console/kiosk-house.ts'
import { conflictAbout, keptConflict } from '../../pms/sync/kept-conflict.ts'

/** What a clerk does between check-in and check-out, and what goes wrong meanwhile. */
describe('the work of the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  const tabs: Tab[] = []

  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })

  async function open(screen: string): Promise<Page> {
    const tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    tabs.push(tab)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const expectClean = (allowed?: RegExp) => {
    for (const tab of tabs) tab.expectClean(allowed)
  }
  const sees = (page: Page, text: string | RegExp) => house.during(page.getByText(text).first().waitFor())
  const keysOf = async (filter: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter${filter}&sort=createdAt`)).body.data.map(
      ({
        attributes,
      }: {
        attributes: { status: string; usage: string; unitName: string; mayOpen: boolean; endDate: string }
      }) => attributes,
    )
  const stayOf = async (stayId: string) => (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data
  const unitNamed = async (name: string) =>
    (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data[0]

  /** Puts a guest who is in house into a room where another one is: a PMS may report that. */
  function alsoIn(unitId: string, stayId: string): void {
    const file = new Database(join(house.data, 'nightporter.db'))
    const [unit, stay] = [unitId, stayId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))
    const { changes } = file
      .prepare(
        `UPDATE stay_held_unit SET unitId = (SELECT rid FROM unit WHERE id = ?)
        WHERE owner = (SELECT rid FROM stay WHERE id = ?)`,
      )
      .run(unit, stay)
    file.close()
    assert.equal(changes, 1)
  }

  async function inHouse(more: object = {}): Promise<{ page: Page; stayId: string; reservationId: string }> {
    const { stayId, reservationId } = await house.arrival(more)
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'In hand')
    return { page, stayId, reservationId }
  }

  // Before the guests of the other tests take the last rooms.
  it('sells the last room of a type once, and shows the second clerk what else there is', async () => {
    const types = (await house.ask('GET', '/api/v2/unit-types?filter[code]=STE')).body.data
    // Two of the four are sold to guests who come today.
    for (const name of ['401']) {
      const { id } = await unitNamed(name)
      const reply = await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'OutOfOrder' } })
      assert.equal(reply.status, 204, reply.text)
    }
    assert.equal(types.length, 1)
    const clerks = [await open('walk-in'), await open('walk-in')] as const
    for (const page of clerks) {
      await page.getByRole('radio', { name: /^STE/ }).check()
      await page.getByLabel('Last name').fill('Okafor')
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Room', { exact: true }).getByText(/^402/).waitFor({ state: 'attached' })
    }
    const [first, second] = clerks
    // The second clerk's page hears nothing of the first one's booking before the button is pressed.
    await second.route('**/api/v2/availability/**', (route) => route.abort())
    await first.keyboard.press('Control+Enter')
    await sees(first, 'In hand')
    await second.unroute('**/api/v2/availability/**')
    await second.keyboard.press('Control+Enter')
    await second.getByRole('radio', { name: /^STE.*sold out/ }).waitFor()
    await second.getByText('What you wrote is kept: choose another room or type.').waitFor()
    assert.equal(await second.getByLabel('Last name').inputValue(), 'Okafor')
    assert.ok(await second.getByRole('radio', { name: /^DBL/ }).isEnabled())
    const stays = await house.ask(
      'GET',
      '/api/v2/stays?filter[units.unitName][like]=40&filter[status]=InHouse',
    )
    assert.equal(stays.body.data.length, 1)
    expectClean(/409|422|ERR_FAILED/)
  })

  it('makes a card for the staff, which ends no other card', async () => {
    const page = await open('rooms')
    await page.getByRole('button', { name: /^110/ }).click()
    await page.keyboard.press('k')
    await page.getByText('It belongs to no guest and ends no other card').waitFor()
    await enabled(page.getByRole('dialog'), 'Card for the staff')
    await page.keyboard.press('Control+Enter')
    await sees(page, 'In hand')
    assert.deepEqual(
      (await keysOf('[unitName]=110')).map(({ status, usage }: { status: string; usage: string }) => [
        status,
        usage,
      ]),
      [['live', 'OneShot']],
    )
    expectClean()
  })

  it('takes a payment where a balance stands in the way', async () => {
    const { stayId } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 100 } })
    const page = await open(`stay/${stayId}/c`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await page.getByLabel('Amount (EUR)').fill('40.00')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('€60.00 to pay').waitFor()
    await page.getByLabel('Card at').last().selectOption('')
    await dialog.getByRole('button', { name: 'Check in', exact: true }).click()
    await page.locator('#sheet').getByText('In house').waitFor()
    // The sheet may hear of the check-in before the dialogue has its answer.
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('o')
    await dialog.getByText('€60.00 to pay').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.locator('#sheet').getByText('Checked out').first().waitFor()
    assert.equal((await stayOf(stayId)).attributes.outstanding, 0)
    expectClean(/422/)
  })

  it('asks again for a payment whose answer was lost, says so before, and sends nothing without a line', async () => {
    const { stayId } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 100 } })
    const page = await open(`stay/${stayId}`)
    const payments = async () =>
      (await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body.data.length
    const keys: (string | undefined)[] = []
    const pay = async (amount: string) => {
      await page.keyboard.press('p')
      await page.getByLabel('Amount (EUR)').fill(amount)
      await page.keyboard.press('Control+Enter')
    }
    let answers = 0
    await page.route('**/actions/record-payment', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (++answers > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByText('€100.00 to pay').waitFor()
    await pay('40.00')
    await page.getByText('It is not known whether the payment of €40.00 was recorded. Looking').waitFor()
    assert.equal(keys.length, 1, 'the page says so before it asks again')
    await page.getByText('The payment of €40.00 is recorded.').waitFor()
    assert.deepEqual([keys.length, keys[0] === keys[1], await payments()], [2, true, 1])
    await page.getByText('€60.00 to pay').waitFor()
    await page.evaluate("Object.defineProperty(navigator, 'onLine', { value: false })")
    await pay('60.00')
    await page.getByText('The payment was not sent', { exact: true }).waitFor()
    assert.equal(
      await page.evaluate("Object.keys(sessionStorage).filter((name) => name.includes('payment')).length"),
      0,
    )
    assert.deepEqual([keys.length, await payments()], [2, 1])
    expectClean(/ERR_FAILED/)
  })

  it('makes a card for the room of another guest for a clerk who may, and says why', async () => {
    const [ana] = (await house.ask('GET', '/api/config/v1/accounts?filter[name]=Ana')).body.data
    const given = await house.ask('PATCH', `/api/config/v1/accounts/${ana.id}`, {
      body: { scopes: ['keys.override'] },
    })
    assert.equal(given.status, 204, given.text)
    const { stayId: other } = await inHouse()
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}/c`)
    await page.getByLabel('Card at').last().selectOption('')
    await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click()
    await page.locator('#sheet').getByText('In house').waitFor()
    const [{ unitName, unitId }] = (await stayOf(stayId)).attributes.units
    alsoIn(unitId, other)
    await page.keyboard.press('k')
    await sees(page, 'Not made')
    await page.getByRole('button', { name: 'Make the card all the same' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Wrong room was handed out')
    await page.keyboard.press('Control+Enter')
    await sees(page, 'In hand')
    const audit = await house.ask('GET', '/api/config/v1/audit-entries?filter[type]=key.override-used')
    assert.equal(audit.body.data[0].attributes.data.reason, 'Wrong room was handed out')
    assert.deepEqual(
      (await keysOf(`[unitName]=${unitName}`)).map(({ status }: { status: string }) => status),
      ['live'],
    )
    expectClean(/409|403/)
  })

  it('says at once that a lost card is blocked and may still open, and later which doors it still opens', async () => {
    const { page, stayId } = await inHouse()
    const [{ unitName }] = (await stayOf(stayId)).attributes.units
    const sheet = page.locator('#sheet')
    await sheet.getByRole('button', { name: 'Lost' }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('dialog').getByText(`Room ${unitName}, first card`).waitFor()
    await page.keyboard.press('Control+Enter')
    const blocked = sheet.locator('.notice').filter({ hasText: `Blocked: Room ${unitName}, first card` })
    await blocked.getByText(`It may still open ${unitName}: `).waitFor()
    await blocked.getByRole('link', { name: 'Cards that may still open' }).waitFor()
    await page.keyboard.press('k')
    await sees(page, 'In hand')
    await blocked
      .getByText(`It may still open ${unitName} until the new first card has opened the door once.`)
      .waitFor()
    const live = `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=live`
    const [newer] = (await house.ask('GET', live)).body.data
    const seen = await house.ask('POST', `/api/v2/access/keys/${newer.id}/actions/seen-at-door`)
    assert.equal(seen.status, 200, seen.text)
    await blocked.getByText(`It no longer opens ${unitName}.`).waitFor()
    await blocked
      .getByText(/^It still opens Entrance until \d+ \w+ \d\d:\d\d\. No newer card ends that/)
      .waitFor()
    assert.equal(await blocked.getByText('It may still open').count(), 0)
    await sheet.locator('.line').getByText('still opens Entrance').waitFor()
    const filter = `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=blocked`
    const [{ attributes: lost }] = (await house.ask('GET', filter)).body.data
    assert.deepEqual(
      lost.doors.map(({ mayOpen, proof }: { mayOpen: boolean; proof: string | null }) => [mayOpen, proof]),
      [
        [false, 'newer-original-used'],
        [true, null],
      ],
    )
    await blocked.getByRole('button', { name: 'Done' }).click()
    await blocked.waitFor({ state: 'detached' })
    expectClean()
  })

  it('says in the language of the page why an encoder is not ready', async () => {
    const { page } = await inHouse()
    await page.route('**/access/controllers?**', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: { attributes: object }[] }
      for (const { attributes } of body.data)
        Object.assign(attributes, {
          isReady: false,
          reason: 'It is unplugged.',
          messages: [{ code: 'device-offline', values: {}, text: 'Er ist nicht angesteckt.' }],
        })
      await route.fulfill({ response, json: body })
    })
    await page.reload()
    await page.getByText('Er ist nicht angesteckt.').waitFor()
    assert.equal(await page.getByText('It is unplugged.').count(), 0)
    expectClean()
  })

  it('highlights nobody else beside the sheet of a guest who has left the list', async () => {
    const { page, stayId } = await inHouse()
    await page.locator(`#row-${stayId}`).waitFor({ state: 'detached' })
    assert.equal(await page.locator('tr.chosen').count(), 0)
    await page.keyboard.press('o')
    await page.keyboard.press('Enter')
    await page.locator('#sheet').getByText('Checked out').first().waitFor()
    // The card has ended with the stay.
    await page.getByText('In hand').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close the sheet' }).click()
    await page.locator('tr.chosen').waitFor()
    await page.getByRole('link', { name: 'Cards that may still open', exact: true }).click()
    await sees(page, 'If the room is empty, the first card of its next guest ends the old ones.')
    expectClean(/412/)
  })

  it('leaves a guest the cards when the other room was taken meanwhile', async () => {
    const { page, stayId } = await inHouse()
    await page.keyboard.press('m')
    const room = page.getByRole('dialog').getByLabel('Room', { exact: true })
    const name = (await room.locator('option:checked').innerText()).split(' ')[0] ?? ''
    await page.route('**/availability/**', (route) => route.abort())
    const other = await house.ask('POST', '/api/v2/reservations', {
      body: { stays: [await stayIn(name, (await stayOf(stayId)).attributes.units[0].unitTypeId)] },
    })
    assert.equal(other.status, 201, other.text)
    await page.unroute('**/availability/**')
    await page.keyboard.press('Control+Enter')
    await sees(page, 'The guest keeps the old room and the cards')
    assert.deepEqual(
      (await keysOf(`[stayId]=${stayId}`)).map(({ status }: { status: string }) => status),
      ['live'],
    )
    expectClean(/ERR_FAILED|409/)
  })

  const stayIn = async (unitName: string, unitTypeId: string) => ({
    startDate: '2026-06-01',
    endDate: '2026-06-03',
    status: 'Confirmed',
    personCount: { adults: 1 },
    reservationIds: [{ type: 'Confirmation', value: `OTHER-${unitName}` }],
    units: [{ unitTypeId, unitId: (await unitNamed(unitName)).id }],
    profiles: [{ role: 'PrimaryGuest', firstName: 'Other', lastName: 'Guest' }],
  })

  it('makes the new card also when the first attempt to move failed after the old card had ended', async () => {
    const { page, stayId } = await inHouse()
    await page.route('**/stays/*', async (route) => {
      // The page asks first what is in the way, as a trial.
      const isTrial = route.request().url().includes('dryRun')
      if (route.request().method() !== 'PATCH' || isTrial) return route.continue()
      const body = JSON.stringify({
        errors: [{ status: '503', code: 'busy', title: 'Busy', detail: 'Busy.' }],
      })
      await route.fulfill({ status: 503, contentType: 'application/vnd.api+json', body })
    })
    await page.keyboard.press('m')
    await page.getByRole('dialog').getByLabel('Room', { exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await sees(page, 'They open the old door until a newer first card is used there')
    const [old] = await keysOf(`[stayId]=${stayId}`)
    assert.deepEqual([old.status, old.mayOpen], ['revocationPending', true], 'the guest is not shut out')
    await page.unroute('**/stays/*')
    await page.keyboard.press('Control+Enter')
    const live = async () =>
      (await keysOf(`[stayId]=${stayId}`)).some(({ status }: { status: string }) => status === 'live')
    while (!(await live())) await house.during(page.waitForTimeout(50))
    await sees(page, 'In hand')
    const keys = await keysOf(`[stayId]=${stayId}`)
    assert.deepEqual([keys.length, keys[1].status], [2, 'live'])
    assert.notEqual(keys[1].unitName, old.unitName)
    expectClean(/503|409|412/)
  })

  it('extends a stay of two rooms, keeps a refusal on the screen, and moves the room that is chosen', async () => {
    const [{ id: unitTypeId }] = (await house.ask('GET', '/api/v2/unit-types?filter[code]=DBL')).body.data
    const { page, stayId } = await inHouse({ units: [{ unitTypeId }, { unitTypeId }] })
    const live = async () =>
      (await keysOf(`[stayId]=${stayId}`)).filter(({ status }: { status: string }) => status === 'live')
    const rooms = async () => (await live()).map(({ unitName }: { unitName: string }) => unitName).toSorted()
    const own = async (): Promise<string[]> =>
      (await stayOf(stayId)).attributes.units.map(({ unitName }: { unitName: string }) => unitName)
    const until = async (isTrue: () => Promise<boolean>) => {
      while (!(await isTrue())) await house.during(page.waitForTimeout(50))
    }
    await until(async () => (await live()).length === 2)
    const body = JSON.stringify({
      errors: [{ status: '502', code: 'lock-system', title: 'Away', detail: 'The lock system is away.' }],
    })
    let extensions = 0
    await page.route('**/actions/extend', (route) =>
      ++extensions === 1
        ? route.fulfill({ status: 502, contentType: 'application/vnd.api+json', body })
        : route.continue(),
    )
    await page.keyboard.press('e')
    await page.getByLabel('Departure', { exact: true }).fill('2026-06-04')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The lock system is away.').waitFor()
    await dialog.getByText('These keys still end on the old day').waitFor()
    assert.equal((await stayOf(stayId)).attributes.endDate, '2026-06-04')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.waitFor({ state: 'detached' })
    // While a new card is made, its room has no live key.
    const isExtended = ({ endDate }: { endDate: string }) => endDate === '2026-06-04'
    await until(async () => (await live()).filter(isExtended).length === 2)
    assert.deepEqual(await rooms(), (await own()).toSorted())
    await sees(page, 'In hand')
    const [first = '', second = ''] = await own()
    await page.keyboard.press('m')
    await dialog.getByLabel('Room that the guest leaves').selectOption({ label: second })
    await dialog.getByLabel('Room', { exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await until(async () => (await live()).length === 2)
    const now = await own()
    assert.equal(now[0], first)
    assert.notEqual(now[1], second)
    assert.deepEqual(await rooms(), now.toSorted())
    // The next guest finds an empty gate.
    await sees(page, 'In hand')
    expectClean(/409|412|502/)
  })

  it('records the payment of a walk-in once, and doubts it only when its answer is lost', async () => {
    const page = await open('walk-in')
    let sent = 0
    await page.route('**/actions/record-payment', async (route) => {
      sent++
      // Longer than the page waits before it asks for a lost answer.
      await page.waitForTimeout(3_000)
      await route.continue()
    })
    await page.getByLabel('Last name').fill('Okoro')
    await page.getByLabel('First name').fill('Ben')
    await page.getByLabel('Price of the stay (EUR)').fill('90.00')
    await page.getByLabel('Paid with').selectOption('Cash')
    await page.getByLabel('Card at').last().selectOption('')
    await page.getByRole('button', { name: /^Book/ }).click()
    await page.locator('#sheet').getByText('In house').waitFor()
    await page.getByText('The payment of €90.00 is recorded.').waitFor()
    assert.equal(sent, 1)
    await page.getByText('Paid in full').waitFor()
    expectClean()
  })

  it('decides a conflict with the PMS by the keyboard', async () => {
    const { stayId, reservationId } = await house.arrival({ comment: 'There.' })
    const pms = await house.ask('POST', '/api/config/v1/pms-configurations', {
      body: { name: 'Our PMS', adapter: 'standalone' },
    })
    assert.equal(pms.status, 201, pms.text)
    const id = keptConflict(house.data, { configurationId: pms.body.data.id, reservationId, stayId })
    const page = await open('conflicts')
    await page.getByText('The PMS changed the comment.').waitFor()
    await page.getByText('Here.', { exact: true }).waitFor()
    await page.getByText('There.', { exact: true }).waitFor()
    await page.keyboard.press('s')
    await page.getByText('No conflict is open.').waitFor()
    const { attributes } = (await house.ask('GET', `/api/config/v1/sync-conflicts/${id}`)).body.data
    assert.equal(attributes.state, 'reversed')
    assert.equal((await stayOf(stayId)).attributes.comment, 'Here.')
    expectClean()
  })

  it('says what PMS and hotel have as a clerk reads it, and what a button does', async () => {
    const { stayId, reservationId } = await house.arrival()
    const pms = await house.ask('POST', '/api/config/v1/pms-configurations', {
      body: { name: 'Another PMS', adapter: 'standalone' },
    })
    const of = { configurationId: pms.body.data.id, reservationId }
    const at = `/stays/${stayId}`
    const both = (
      fieldGroup: string,
      values: Record<string, [pms: unknown, hotel: unknown]>,
      more: { stayId?: string; counts?: 'Local' } = {},
    ) =>
      conflictAbout(
        house.data,
        { ...of, ...(more.stayId && { stayId: more.stayId }) },
        {
          ...(more.counts && { counts: more.counts }),
          fieldGroup,
          upstream: Object.fromEntries(Object.entries(values).map(([path, [value]]) => [path, value])),
          local: Object.fromEntries(Object.entries(values).map(([path, [, value]]) => [path, value])),
        },
      )
    both('dates', { [`${at}/endDate`]: ['2026-06-04', '2026-06-03'], [`${at}/endTime`]: ['12:00', null] })
    const room = (unitName: string | null) => [{ unitTypeCode: 'DBL', unitName }]
    both('units', { [`${at}/units`]: [room('212'), room(null)] })
    const amount = (amountWithTax: number) => ({ currency: 'EUR', amountWithTax })
    both('rates', { [`${at}/amount`]: [amount(109.5), null] })
    both('status', { [`${at}/status`]: ['Canceled', 'InHouse'] })
    both('guests', { [`${at}/personCount`]: [{ adults: 2, children: 1 }, { adults: 1 }] })
    both('services', { [`${at}/services/BRK`]: [null, { serviceCode: 'BRK', count: 2 }] })
    both('comments', { '/comment': ['A'.repeat(70), null] })
    const payment = { id: stayId, currency: 'EUR', amount: 5_000, brand: 'Visa', recordedAt: monday }
    both('payments', { [`/payments/${stayId}`]: [null, payment] }, { counts: 'Local' })
    const gone = '01a206c0-9fad-7038-93e4-2a41233f9617'
    const guests = [{ role: 'PrimaryGuest', firstName: 'Anna', lastName: 'Kern' }]
    const whole = { startDate: '2026-06-01', endDate: '2026-06-04', units: room('212'), guests }
    both('dates', { [`/stays/${gone}`]: [whole, null] }, { stayId: gone })

    const page = await open('conflicts')
    await page.getByText('Choose the right one: it then counts in the hotel.').waitFor()
    const cases = page.locator('.case')
    const cells = async (row: string) =>
      (await cases.locator('tbody tr').filter({ hasText: row }).first().locator('td').allInnerTexts()).map(
        (each) => each.replaceAll('\u00a0', ' '),
      )
    assert.deepEqual(await cells('Departure'), ['4 Jun', '3 Jun'])
    assert.deepEqual(await cells('Time of departure'), ['12:00', 'usual time'])
    assert.deepEqual(await cells('Room'), ['212 (DBL)', 'no room yet (DBL)'])
    assert.deepEqual(await cells('Price'), ['€109.50', 'no price'])
    assert.deepEqual(await cells('Status'), ['Canceled', 'In house'])
    assert.deepEqual(await cells('Persons'), ['2 adults, 1 child', '1 adult'])
    assert.deepEqual(await cells('Service'), ['not booked', '2 × BRK'])
    assert.deepEqual(await cells('Payment'), ['not recorded', '€50.00, Visa'])
    assert.deepEqual(await cells('Stay'), ['1 Jun – 4 Jun, Room 212', 'no such stay'])
    const press = (name: string) => page.getByRole('button', { name, exact: true })
    await press("Keep the PMS's value: Departure 4 Jun, Time of departure 12:00").waitFor()
    await press("Use the hotel's value: no room yet (DBL)").waitFor()
    await press(`Keep the PMS's value: ${'A'.repeat(60)}…`).waitFor()
    const ofPayment = cases.filter({ hasText: 'not recorded' }).getByRole('button')
    assert.deepEqual(await ofPayment.allInnerTexts(), ["Keep the hotel's value: €50.00, Visa\na"])
    await cases.filter({ hasText: 'Kern, Anna' }).getByText('Stay that is no longer here').waitFor()
    expectClean()
  })

  it('checks a guest in when the clerk says that the room is clean now', async () => {
    const room = await unitNamed('105')
    assert.equal(room.attributes.status, 'Dirty')
    const { stayId } = await house.arrival({ units: [{ unitTypeId: room.attributes.unitTypeId }] })
    const page = await open(`stay/${stayId}/c`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Room', { exact: true }).selectOption(room.id)
    await dialog.getByText('Room 105 is dirty. Choose another room, or wait.').waitFor()
    await dialog.getByRole('button', { name: 'Room 105 is clean now' }).click()
    await dialog.getByText('is dirty').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'In hand')
    assert.equal((await stayOf(stayId)).attributes.units[0].unitName, '105')
    assert.equal((await unitNamed('105')).attributes.status, 'Clean')
    expectClean()
  })

  it('shows a colleague who takes over the first screen of his role', async () => {
    const page = await open('today')
    await page.getByRole('button', { name: /^Lock/ }).click()
    await page.getByRole('button', { name: 'Unlock' }).waitFor()
    await page.getByRole('button', { name: 'Someone else' }).click()
    await page.getByRole('button', { name: 'Ben' }).click()
    await page.getByRole('heading', { name: 'Rooms' }).waitFor()
    expectClean(/403/)
  })

  it('leaves desk and kiosk of one browser their own sessions', async () => {
    const page = await open('today')
    const kiosk = await page.context().newPage()
    await kiosk.goto(`${house.appliance.url}/kiosk`)
    await kiosk.getByRole('button', { name: 'Touch to check in' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Ana' }).waitFor()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    expectClean()
  })
})
