import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type Booking, type KioskHouse, kioskHouse, tall } from '../../console/kiosk-house.ts'
import { passTime } from '../../test-clock.ts'
import { faults, injector } from './answers.ts'

type Kind = readonly [method: string, path: RegExp]

/** The requests of the kiosk itself. */
const own: readonly Kind[] = [
  ['GET', /\/session$/],
  ['GET', /\/status$/],
  ['GET', /\/properties$/],
  ['GET', /\/settings$/],
  ['GET', /\/controllers$/],
  ['GET', /\/dispensers\/[^/]+$/],
  ['GET', /\/payment-terminals$/],
]

/** A guest, and all requests of the visit. */
interface Walk {
  name: string
  requests: readonly Kind[]
  /** The button of the first page. */
  begins: string
  booked(house: KioskHouse): Promise<Booking>
  /** What is true after the visit, whatever was lost. */
  holds(house: KioskHouse, booking: Booking): Promise<void>
}

const arrival: Walk = {
  name: 'an arrival',
  requests: [
    ['GET', /\/reservations$/],
    ['POST', /\/unit-assignment$/],
    ['POST', /\/pay-at-terminal$/],
    ['GET', /\/stays\/[^/]+$/],
    ['PUT', /\/stays\/[^/]+$/],
    ['POST', /\/key$/],
    ['GET', /\/card-runs$/],
    ['GET', /\/dispensers\/[^/]+\/status$/],
    ['GET', /\/units\/[^/]+$/],
  ],
  begins: 'Touch to check in',
  booked: (house) => house.arrival({ amount: { currency: 'EUR', amountWithTax: 109 } }),
  async holds(house, { stayId }) {
    const keys = await keysOf(house, stayId)
    assert.ok(keys.length <= 1, `${keys.length} cards`)
  },
}

const departure: Walk = {
  name: 'a departure',
  requests: [
    ['GET', /\/reservations$/],
    ['GET', /\/stays\/[^/]+$/],
    ['PATCH', /\/stays\/[^/]+$/],
    ['GET', /\/dispensers\/[^/]+\/status$/],
    ['PUT', /\/status\/accepting$/],
  ],
  begins: 'Check out',
  async booked(house) {
    const booking = await house.arrival()
    const path = `/api/v2/reservations/${booking.reservationId}/stays/${booking.stayId}`
    const { body } = await house.ask('POST', `${path}/unit-assignment`)
    assert.equal((await house.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
    const [controller] = (await house.ask('GET', '/api/v2/access/controllers')).body.data
    const { startDate, endDate, units } = body.data.attributes
    const order = { type: 'keyCard', original: true, startDate, endDate, externalId: booking.stayId }
    const [{ unitName }] = units
    const made = await house.during(
      house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, { body: { ...order, unitName } }),
    )
    assert.equal(made.status, 201, made.text)
    for (;;) {
      const [run] = (await house.ask('GET', `/api/v2/access/card-runs/by-stay/${booking.stayId}`)).body.data
      if (run.attributes.step === 'ended') return booking
      await passTime(200)
    }
  },
  async holds(house, { stayId }) {
    const { status } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    const keys = await keysOf(house, stayId)
    const isInHand = (await house.ask('GET', '/api/config/v1/simulated-cards')).body.data.length > 0
    const opens = keys.some(({ attributes }) => attributes.status === 'live')
    assert.ok(status === 'CheckedOut' ? !opens : opens === isInHand, `${status}, ${opens}, ${isInHand}`)
    // The next guest hands the newest card back.
    if (isInHand) await handBack(house)
  },
}

const keysOf = async (house: KioskHouse, stayId: string): Promise<{ attributes: { status: string } }[]> =>
  (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)).body.data

/** A person of the house puts the card of a guest away. */
async function handBack(house: KioskHouse): Promise<void> {
  const [{ id }] = (await house.ask('GET', '/api/v2/access/dispensers')).body.data
  for (;;) {
    await house.ask('PUT', `/api/v2/access/dispensers/${id}/status/accepting`)
    const reply = await act(house, 'return-card')
    for (let passed = 0; passed < 10; passed++) await passTime(200)
    if (reply.status === 200) return
  }
}

const act = (house: KioskHouse, does: string) =>
  house.ask('POST', '/api/config/v1/simulated-devices/dispenser/actions/act', { body: { does } })

/** The time of the page within which the start page works again, in seconds. */
const most = 120

describe('a visit of which answers are lost', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()

  for (const walk of [arrival, departure]) {
    const all = [...own, ...walk.requests]
    for (const one of all)
      it(`${walk.name} ends at the start page with what is true, without ${named(one)}`, (t) =>
        visits(
          t,
          walk,
          Object.entries(everyFault()).map(([name, damage]) => ({ name, lost: [[one, damage]] })),
        ))

    // Each pair has two of the faults, in turn.
    for (const [at, first] of walk.requests.entries())
      it(`${walk.name} ends so too, without ${named(first)} and one other`, (t) =>
        visits(
          t,
          walk,
          all
            .filter((second) => second !== first)
            .map((second, turn) => {
              const [a, b] = [drawn(at + turn), drawn(at + 3 * turn + 1)]
              return {
                name: `${a[0]}; ${named(second)}: ${b[0]}`,
                lost: [
                  [first, a[1]],
                  [second, b[1]],
                ],
              }
            }),
        ))
  }

  async function visits(t: TestContext, walk: Walk, cases: readonly Case[]): Promise<void> {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const { page, close } = await browser.open('about:blank', tall)
    t.after(close)
    await page.clock.install()
    const injected = await injector(page)
    await page.goto(`${house.appliance.url}/kiosk`)
    const passes = async () => {
      await page.clock.runFor(1_000)
      await passTime(200)
    }
    while (!(await page.getByText('Touch to check in').isVisible())) await passes()
    const welcome = await page.locator('h1').innerText()

    for (const { name, lost } of cases) {
      const booking = await walk.booked(house)
      const late = Promise.withResolvers<void>()
      for (const [index, [[method, path], damage]] of lost.entries())
        injected[index === 0 ? 'next' : 'and'](method, path, (route) => damage(route, late.promise))
      const titles: string[] = []
      let since: number | null = null
      for (let loops = 0; ; loops++) {
        const title = await page.locator('h1').innerText()
        if (title !== titles.at(-1)) titles.push(title)
        const isAtStart = title === welcome
        // An answer may have been lost since the last look.
        if (injected.damaged > 0) since ??= await clockOf(page)
        if (isAtStart && injected.damaged > 0) break
        assert.ok(loops < 300, `${name}: ${titles.join(' | ')}`)
        if (isAtStart && since === null)
          await page
            .getByRole('button', { name: walk.begins })
            .click(quick)
            .catch(() => {})
        // The screen may change meanwhile.
        else await acts(house, page, title, booking).catch(() => {})
        await passes()
        if (since !== null && (await clockOf(page)) - since > 30) late.resolve()
      }
      late.resolve()
      const took = (await clockOf(page)) - since!
      assert.ok(took <= most, `${name}: after ${took} s: ${titles.join(' | ')}`)
      await walk.holds(house, booking).catch((error: Error) => assert.fail(`${name}: ${error.message}`))
    }
  }
})

/** Damages an answer; `late` resolves after 30 s. */
type Damage = (route: Route, late: Promise<void>) => Promise<void>

interface Case {
  name: string
  lost: (readonly [Kind, Damage])[]
}

function named([method, path]: Kind): string {
  return `${method} ${path.source}`
}

function everyFault(): Record<string, Damage> {
  return {
    ...Object.fromEntries(
      Object.entries(faults).map(([name, { damage }]) => [name, (route: Route) => damage(route)] as const),
    ),
    'an answer after 30 s': async (route, late) => {
      await late
      await route.continue()
    },
  }
}

function drawn(turn: number): [name: string, damage: Damage] {
  const all = Object.entries(everyFault())
  return all[turn % all.length]!
}

const quick = { timeout: 1_000 }

const clockOf = async (page: Page) => (await page.evaluate<number>('performance.now()')) / 1_000

/** What a guest does on the screen that is shown. A guest who reads a sentence goes away. */
async function acts(house: KioskHouse, page: Page, title: string, { number }: Booking): Promise<void> {
  const enters = async (text: string) => {
    await page.locator('.entry input').fill(text, quick)
    await page.keyboard.press('Enter')
  }
  const presses = (button: string) => page.locator(button).first().click(quick)
  if (title === 'Please enter your booking number.') await enters(number)
  else if (title === 'Please enter your last name.') await enters(`GASTIN${number}`)
  else if (title === 'Please put your card into the slot.') await act(house, 'return-card')
  // What was typed for one screen may have reached the next one.
  else if (title.startsWith('We cannot find')) await presses('.button.main')
  else if (title.startsWith('The machine has no card') || title.startsWith('Do you want to check out'))
    await presses('.button.main')
  else if (title.includes('Lucia') || title.endsWith('is still to be paid.')) await presses('.button.main')
  else if (title.includes('is missing')) await presses('.entry .choices .button:not(.main)')
}
