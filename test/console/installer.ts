import { setTimeout as realPause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { TestAppliance } from '../appliance.ts'
import type { Tab } from './browser.ts'

export const password = 'quiet rivers carry old boats'

/** What a person has done with the mouse and the keyboard. */
export interface Effort {
  clicks: number
  /** Without names and passwords. */
  keystrokes: number
  /** The time that the person has taken. */
  seconds: number
}

/**
 * The seconds of a person's acts. The first five are of the Keystroke-Level Model (Card, Moran and Newell, Communications of the
 * ACM 23/7, 1980): a key of an average typist who is no secretary, pointing with a mouse, its button down and up, a hand between
 * mouse and keyboard, and the thought before the act. A page of 100 words is read at 250 words a minute; the walk is to the door
 * with the test card, and back.
 */
const takes = { key: 0.28, point: 1.1, button: 0.2, hand: 0.4, thought: 1.35, page: 24, walk: 60 }

/** Somebody who sets a box up through its pages, and whose clicks and keystrokes are counted. */
export interface Installer {
  tab: Tab
  page: Page
  effort: Effort
  /** Called after each step that was saved. */
  claims(): Promise<void>
  describesHouse(): Promise<void>
  makesRooms(): Promise<void>
  choosesLocks(): Promise<void>
  usesDevices(): Promise<void>
  skips(): Promise<void>
  addsStaff(): Promise<void>
  makesTestCard(): Promise<void>
  saysItOpened(): Promise<void>
  /** Makes the recovery sheet of the last step, and types words of it back. `typed` is called before they are sent. */
  keepsSheet(typed: () => Promise<void>): Promise<void>
  /** Adds a folder as a place for backups, and makes the first one. */
  backsUpTo(url: string): Promise<void>
}

/** A property of 120 rooms, with simulated devices. */
const rooms = '101-130,201-230,301-330 DBL; 401-430 SUI'

/** The box that an installer sets up. */
type Box = Pick<TestAppliance, 'during'> & { appliance: Pick<TestAppliance['appliance'], 'pairingCode'> }

/** `pause` lets the time go by that the person takes for each act; without it the person is infinitely fast. */
export function installerAt(house: Box, tab: Tab, pause?: (seconds: number) => Promise<void>): Installer {
  const { page } = tab
  const effort: Effort = { clicks: 0, keystrokes: 0, seconds: 0 }

  async function take(...seconds: number[]): Promise<void> {
    const sum = seconds.reduce((one, other) => one + other)
    effort.seconds += sum
    await pause?.(sum)
  }

  /** Waits for something on the page. Time goes by meanwhile, also for a page that looks again a moment after an event. */
  async function shown(what: Locator): Promise<void> {
    for (let tries = 0; pause && tries < 500 && !(await what.isVisible()); tries++) {
      await realPause(20)
      await pause(0.1)
    }
    try {
      await house.during(what.waitFor())
    } catch (cause) {
      throw new Error(`The page shows instead: ${await page.innerText('body')}`, { cause })
    }
  }

  /** The hand goes to the mouse, and the button is pressed at the right place. */
  async function aim(): Promise<void> {
    effort.clicks++
    await take(takes.thought, takes.hand, takes.point, takes.button)
  }

  async function click(name: string | RegExp): Promise<void> {
    await aim()
    const button = page.getByRole('button', { name, exact: typeof name === 'string' }).first()
    await shown(button)
    await house.during(button.click())
  }

  /** Clicks into a field and types; a field that has the focus already needs no click. */
  async function type(label: string, text: string, isName = false): Promise<void> {
    const field = page.getByLabel(label, { exact: true }).first()
    await field.waitFor()
    if (!(await field.evaluate((each: { matches(selector: string): boolean }) => each.matches(':focus')))) {
      await aim()
      await field.click()
    }
    if (!isName) effort.keystrokes += text.length
    await take(takes.thought, takes.hand, text.length * takes.key)
    await field.fill(text)
  }

  /** A choice is two clicks: to open the list, and on the line. */
  async function choose(label: string, option: string): Promise<void> {
    await aim()
    await aim()
    await page.getByLabel(label, { exact: true }).first().selectOption({ label: option })
  }

  /** A new page is read before anything is done. */
  async function heading(name: string): Promise<void> {
    await shown(page.getByRole('heading', { name, level: 1 }))
    await take(takes.page)
  }

  return {
    tab,
    page,
    effort,
    async claims() {
      await take(takes.page)
      await type('Pairing code', String(house.appliance.pairingCode))
      await type('Your name', 'Ida Installer', true)
      await type('Password', password, true)
      await click('Take over this box')
      await heading('House')
    },
    async describesHouse() {
      await type('Name of the house', 'Hotel do Porto', true)
      await type('Street and number', 'Rua do Porto 1', true)
      await type('Postal code', '1100-001')
      await type('City', 'Lisboa', true)
      await choose('Country', 'Portugal')
      await choose('Time zone', 'Europe/Lisbon')
      await click('Save and go on')
      await heading('Rooms')
    },
    async makesRooms() {
      await type('Rooms and their types', rooms)
      await click('Save 120 rooms and go on')
      await heading('Key system')
    },
    async choosesLocks() {
      await click('Save the key system')
      await shown(page.getByText('120 rooms have a lock'))
      await click('Next')
      await heading('Devices')
    },
    async usesDevices() {
      await choose('What is it?', 'CREATOR crt571 (card dispenser)')
      await type('Address', 'simulated:dispenser')
      await click('Use this device')
      await shown(page.getByRole('heading', { name: 'simulated:dispenser' }))
      if (!(await page.getByLabel('Address', { exact: true }).isVisible())) {
        await aim()
        await page.getByText('Add a device by its address').click()
      }
      await choose('What is it?', 'Elatec twn4 (card encoder)')
      await type('Address', 'simulated:encoder')
      await click('Use this device')
      await shown(page.getByRole('heading', { name: 'simulated:encoder' }))
      await click('Next')
      await heading('PMS')
    },
    async skips() {
      const title = page.getByRole('heading', { level: 1 })
      const before = await title.textContent()
      await click('Skip for now')
      await title.filter({ hasNotText: before! }).waitFor()
    },
    async addsStaff() {
      await heading('Staff')
      await page.getByLabel('People', { exact: true }).getByLabel('Name', { exact: true }).waitFor()
      await type('Name', 'Ana', true)
      await click('Add the person')
      await shown(page.getByText(/^Ana: \w{5}-\w{5}$/))
      await click('Next')
      await heading('Test card')
    },
    async makesTestCard() {
      await click('Make a card for the door')
      await shown(page.getByText('Did the door open?'))
    },
    async saysItOpened() {
      await take(takes.walk)
      await click('Yes, it opened')
      await heading('Backup')
    },
    async keepsSheet(typed) {
      await click('Make the recovery sheet')
      const words = page.locator('.words li')
      const asked = page.getByText('Confirm that it is you')
      await shown(words.first().or(asked))
      if (await asked.isVisible()) {
        await type('Password', password, true)
        await click('Confirm')
        await shown(words.first())
      }
      const all = await words.allTextContents()
      await click('I have it on paper')
      const sheet = page.getByRole('region', { name: 'Recovery sheet' })
      await shown(sheet.getByLabel(/^Word \d+$/).first())
      for (const label of (await sheet.innerText()).match(/Word \d+/g) ?? [])
        await type(label, all[Number(label.slice('Word '.length)) - 1]!, true)
      await typed()
      await click('Keep this sheet')
      await shown(page.getByText(/^The recovery sheet of .* opens each backup/))
    },
    async backsUpTo(url) {
      await aim()
      await page.getByText('Add a place').click()
      await type('Name of the place', 'Stick', true)
      await type('Address of the place', url, true)
      await click('Add')
      await shown(page.getByText('nothing verified yet'))
      await click('Back up now')
      await shown(page.getByText(/^The backup is set up/))
    },
  }
}
