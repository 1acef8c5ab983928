import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'
import type { Wrongs } from './page-checks.ts'
import { wrongInWindows } from './screen-checks.ts'
import { goTo, languages, openPages, sharedWindows, sizes, speak, type Window } from './visit.ts'

const parts = ['health', 'log', 'backups', 'update', 'network', 'certificate', 'people', 'files']

/** The pages before the work: the claim of a box, its set-up, and the ways in; and what opens over a page. */
describe('the pages of whoever comes in', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let fresh: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
    fresh = await startAppliance({ sample: false, clock: settableClock(monday) })
  })
  after(async () => {
    await house?.stop()
    await fresh?.stop()
  })

  for (const language of languages)
    for (const windows of sharedWindows) {
      const options = { ...sizes[windows[0]!], language, windows }
      const where = `on ${windows.join(' and ')}, in ${language}`
      it(`are whole for the installer ${where}`, async () => {
        await speak(house, language)
        await inSetup(options)
      })
      it(`are whole for whoever has a new box, or restores one, ${where}`, async () => {
        await atClaim(options)
        await inRestore(options)
      })
      it(`are whole at the entrance ${where}`, async () => {
        await speak(house, language)
        await atEntrance(options)
      })
    }

  type Options = Parameters<typeof openPages>[2] & { windows: readonly Window[] }

  /** The pages, and what looks at each screen of them and collects what is wrong. */
  async function opened(url: string, options: Options) {
    const { windows, ...more } = options
    const tab = await openPages(browser, url, more)
    const wrongs: Wrongs = []
    const look = async (name: string) => void wrongs.push(...(await wrongInWindows(tab.page, options, name)))
    return { tab, page: tab.page, look, ended: () => ended(tab, wrongs) }
  }

  /** What a page asks for while it is being locked is refused. */
  async function ended(tab: Tab, wrongs: Wrongs): Promise<void> {
    tab.expectClean(/foreign request|status of 40[13]/)
    await tab.close()
    assert.deepEqual(wrongs, [])
  }

  async function atClaim(options: Options): Promise<void> {
    const { page, look, ended } = await opened(`${fresh.appliance.url}/setup`, options)
    await page.locator('.claim input').first().waitFor()
    await look('claim')
    await page.locator('.claim .tabs button').last().click()
    await page.locator('.claim input[type=file]').waitFor()
    await look('restore on a new box')
    await ended()
  }

  /** The box would be in each state for a moment only; a whole restore is tried elsewhere. */
  async function inRestore(options: Options): Promise<void> {
    const { page, look, ended } = await opened(`${fresh.appliance.url}/setup`, options)
    let shown: object = {}
    await page.route('**/api/config/v1/restores/*', (route) =>
      route.fulfill({ json: { data: { type: 'restore', id: 'R', attributes: { ...restoring, ...shown } } } }),
    )
    await page.evaluate("localStorage.setItem('nightporter.restore', 'R')")
    await page.reload()
    for (const state of restoreStates) {
      const name = `${state.state}.tar.gz.age`
      shown = { ...state, name }
      await page.getByText(name).first().waitFor()
      await look(`restore ${state.state}`)
    }
    await ended()
  }

  async function inSetup(options: Options): Promise<void> {
    const { page, look, ended } = await opened(`${house.appliance.url}/setup`, options)
    const administrator = page.getByRole('button', { name: 'Ida' })
    await administrator.waitFor()
    await look('not allowed')
    await administrator.click()
    await page.locator('.side a').first().waitFor()
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.side a')].map((each) => each.hash).filter((each) => each !== '')",
    )
    assert.ok(links.length >= 10, `${links.length} links`)
    for (const hash of [...links, ...parts.map((part) => `#/system/${part}`)]) {
      await goTo(page, hash)
      // What is folded is looked at as well.
      await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
      await look(hash)
    }
    await inRecovery(page, look)
    await inNetwork(page, look)
    await ended()
  }

  /** The sheet, and the form in which its words are typed back. Nothing is kept. */
  async function inRecovery(page: Page, look: (name: string) => Promise<void>): Promise<void> {
    await goTo(page, '#/system/backups')
    await page.locator('section > p.no-print > .button').click()
    await page.locator('.recovery .words li').first().waitFor()
    await look('recovery sheet')
    await page.locator('.recovery .row .button').last().click()
    await page.locator('form input[maxlength="20"]').first().waitFor()
    await look('recovery words')
  }

  /** The network of a box from an image: its form, and a change on trial. */
  async function inNetwork(page: Page, look: (name: string) => Promise<void>): Promise<void> {
    const trial = { id: 'T', endsAt: new Date(monday + 120_000).toISOString() }
    for (const [name, state] of Object.entries({
      form: {},
      trial: { trial },
      undone: { last: { id: 'T', result: 'undone' } },
    })) {
      await page.route('**/api/config/v1/network', (route) =>
        route.fulfill({
          json: { data: { type: 'network', id: 'network', attributes: { ...network, ...state } } },
        }),
      )
      await goTo(page, '#/system/health')
      await goTo(page, '#/system/network')
      await look(`network ${name}`)
      await page.unroute('**/api/config/v1/network')
    }
  }

  /** Buttons are found by their places, so that each step is the same in every language. */
  async function atEntrance(options: Options): Promise<void> {
    const { page, look, ended } = await opened(`${house.appliance.url}/desk`, options)
    const topButton = (place: number) => page.locator('.top > .button').nth(place).click()
    await page.locator('.side a').first().waitFor()
    await page.evaluate("document.querySelector('.frame').classList.add('no-line')")
    await look('without a line')
    await page.evaluate("document.querySelector('.frame').classList.remove('no-line')")
    await topButton(-2)
    await page.locator('dialog[open]').waitFor()
    await look('dialogue')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await topButton(-1)
    await page.locator('.sign-in input').waitFor()
    await look('locked')
    await page.locator('.sign-in > .button').last().click()
    await page.locator('.sign-in .tiles').waitFor()
    await look('people')
    await page.locator('.sign-in > .button').first().click()
    await page.locator('.sign-in input').nth(1).waitFor()
    await look('name and password')
    await page.locator('.sign-in > .button').first().click()
    await page.locator('.sign-in form').waitFor()
    await look('one-time code')
    await page.locator('.sign-in form .button').last().click()
    await page.locator('.sign-in > .button').last().click()
    await page.locator('.sign-in form').waitFor()
    await look('station')
    await ended()
  }
})

const network = {
  isImage: true,
  address: '192.168.1.10/24',
  gateway: '192.168.1.1',
  dns: ['192.168.1.1'],
  ntp: [],
  trial: null,
  last: null,
}

const restoring = {
  phase: null,
  name: 'nightporter-2026-06-01.tar.gz.age',
  place: 'upload',
  bytes: 40_000_000,
  totalBytes: 90_000_000,
  bytesPerSecond: 2_000_000,
  secondsLeft: 25,
  contents: null,
  losses: null,
  problem: null,
  unitsToCheck: null,
  log: [{ at: new Date(monday).toISOString(), step: 'begun' }],
}
const contents = {
  property: 'Hotel do Porto',
  takenAt: new Date(monday).toISOString(),
  version: '0.6.0',
  reason: 'nightly',
  keysUntil: new Date(monday).toISOString(),
}

const restoreStates: readonly { state: string; [member: string]: unknown }[] = [
  { state: 'receiving' },
  { state: 'waiting-for-key', problem: 'The key does not fit this backup.' },
  { state: 'opening', phase: 'checking' },
  { state: 'ready', contents, losses: { changes: { stays: 12, keys: 7 }, isAtLeast: true } },
  { state: 'replacing', contents },
  { state: 'done', contents, unitsToCheck: 40 },
  { state: 'failed', problem: 'The file is damaged.' },
]
