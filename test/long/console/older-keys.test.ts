import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { blank, type HouseWithDesk, houseWithDesk } from '../../access/house-with-desk.ts'
import { until } from '../../access/house-with-doors.ts'
import { type PinLocks, pinLocks } from '../../access/pin-locks.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'

interface Listed {
  keyId: string
  attempts: number | null
  nextAttemptAt: string | null
}

/** The page of the cards that may still open, at the encoder of a desk and with a PIN lock that confirms nothing. */
describe('the cards that may still open', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: HouseWithDesk
  let pins: PinLocks
  const tabs: Tab[] = []

  before(async () => {
    house = await houseWithDesk()
    pins = await pinLocks(house, ['302'])
  })
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })
  after(async () => {
    await house?.stop()
    pins?.unplug()
  })

  async function open(): Promise<Page> {
    const tab = await browser.open(`${house.appliance.url}/desk#/keys`)
    tabs.push(tab)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const sees = (page: Page, text: string | RegExp) => house.during(page.getByText(text).first().waitFor())
  const attempts = async (id: string): Promise<Listed | undefined> => {
    const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
    const keys: Listed[] = body.data.flatMap(
      ({ attributes }: { attributes: { keys: Listed[] } }) => attributes.keys,
    )
    return keys.find(({ keyId }) => keyId === id)
  }

  it('shows how often a lock system was asked about a PIN, and asks it now', async () => {
    const path = `/api/v2/access/controllers/${pins.controllerId}/key`
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const made = await house.ask('POST', path, {
      body: { type: 'pinCode', unitName: '302', original: true, ...dates },
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    const gateway = pins.cloud.gateways.get('first')!
    gateway.online = false
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    for (let time = 1; time <= 6; time++) {
      await until(
        `attempt ${time}`,
        () => attempts(id),
        (key) => key?.attempts === time,
      )
      if (time < 6) house.clock.advance(600_000)
    }
    const page = await open()
    await page.getByText(/^asked 6 times, not confirmed; asked next at \d\d:\d\d$/).waitFor()
    gateway.online = true
    house.clock.advance(5_000)
    const nextAt = Date.parse((await attempts(id))?.nextAttemptAt ?? '')
    await page.getByRole('button', { name: 'Ask now: 302, PIN' }).click()
    const row = await until(
      'the proof',
      () => house.key(id),
      ({ proof }) => proof !== null,
    )
    assert.ok(house.clock.now() < nextAt, 'the pause was over')
    assert.deepEqual([row.status, row.proof], ['removed', 'lock-acknowledged'])
    await sees(page, '302: the lock system has confirmed that it no longer opens this door.')
    for (const tab of tabs) tab.expectClean()
  })

  it('erases a card of its list, and no other', async () => {
    const made = async (unitName: string): Promise<[string, SimulatedCard]> => {
      const card = blank()
      house.desk.card = card
      const { status, body, text } = await house.desk.make(unitName)
      assert.equal(status, 201, text)
      return [body.data.id, card]
    }
    const [oldId, old] = await made('201')
    const [, other] = await made('202')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${oldId}`)).status, 204)
    const page = await open()
    const reads = async (card: SimulatedCard) => {
      house.desk.card = card
      await page.getByRole('button', { name: 'Read the card at Desk' }).click()
    }
    const erase = page.getByRole('button', { name: 'Erase it' })

    await reads(other)
    await sees(page, 'This card is for 202. It is not one of the cards of this list, and stays as it is.')
    assert.equal(await erase.count(), 0)

    await reads(old)
    await sees(page, 'This card is for 201 and may still open it.')
    // The clerk lays another card down before the button is pressed.
    house.desk.card = other
    await erase.click()
    await sees(page, 'This card is for 202.')
    assert.equal((await house.desk.read(other)).body.meta.matchesStore, true)

    await reads(old)
    await sees(page, 'This card is for 201 and may still open it.')
    await erase.click()
    await sees(page, '201: the card was erased.')
    assert.equal((await house.key(oldId)).proof, 'card-erased')
    // The search of every page reads a card in the same way.
    house.desk.card = other
    await page.keyboard.press('/')
    await page.locator('.results').getByRole('button', { name: 'Read the card at Desk' }).click()
    await sees(page, 'The card belongs to no stay. It is for 202.')
    for (const tab of tabs) tab.expectClean()
  })
})
