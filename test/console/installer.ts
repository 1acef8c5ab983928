import type { Page } from 'playwright-core'
import type { TestAppliance } from '../appliance.ts'
import type { Tab } from './browser.ts'

export const password = 'quiet rivers carry old boats'

/** What a person has done with the mouse and the keyboard. */
export interface Effort {
  clicks: number
  /** Without names and passwords. */
  keystrokes: number
  /** In names and passwords. */
  namesAndPasswords: number
}

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
  triesCard(): Promise<void>
}

/** A property of 120 rooms, with simulated devices. */
const rooms = '101-130,201-230,301-330 DBL; 401-430 SUI'

export function installerAt(house: TestAppliance, tab: Tab): Installer {
  const { page } = tab
  const effort: Effort = { clicks: 0, keystrokes: 0, namesAndPasswords: 0 }

  async function click(name: string | RegExp): Promise<void> {
    effort.clicks++
    const button = page.getByRole('button', { name, exact: typeof name === 'string' })
    await house.during(button.first().click())
  }

  /** Clicks into a field and types; a field that has the focus already needs no click. */
  async function type(label: string, text: string, isName = false): Promise<void> {
    const field = page.getByLabel(label, { exact: true }).first()
    await field.waitFor()
    if (!(await field.evaluate((each: { matches(selector: string): boolean }) => each.matches(':focus')))) {
      effort.clicks++
      await field.click()
    }
    effort[isName ? 'namesAndPasswords' : 'keystrokes'] += text.length
    await field.fill(text)
  }

  /** A choice is two clicks: to open the list, and on the line. */
  async function choose(label: string, option: string): Promise<void> {
    effort.clicks += 2
    await page.getByLabel(label, { exact: true }).first().selectOption({ label: option })
  }

  const heading = (name: string) => house.during(page.getByRole('heading', { name, level: 1 }).waitFor())

  return {
    tab,
    page,
    effort,
    async claims() {
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
      await house.during(page.getByText('120 rooms have a lock').waitFor())
      await click('Next')
      await heading('Devices')
    },
    async usesDevices() {
      await choose('What is it?', 'CREATOR crt571 (card dispenser)')
      await type('Address', 'simulated:dispenser')
      await click('Use this device')
      await house.during(page.getByRole('heading', { name: 'simulated:dispenser' }).waitFor())
      if (!(await page.getByLabel('Address', { exact: true }).isVisible())) {
        effort.clicks++
        await page.getByText('Add a device by its address').click()
      }
      await choose('What is it?', 'Elatec twn4 (card encoder)')
      await type('Address', 'simulated:encoder')
      await click('Use this device')
      await house.during(page.getByRole('heading', { name: 'simulated:encoder' }).waitFor())
      await click('Next')
      await heading('PMS')
    },
    async skips() {
      await click('Skip for now')
    },
    async addsStaff() {
      await heading('Staff')
      await page.getByLabel('People', { exact: true }).getByLabel('Name', { exact: true }).waitFor()
      await type('Name', 'Ana', true)
      await click('Add the person')
      await house.during(page.getByText(/^Ana: \w{5}-\w{5}$/).waitFor())
      await click('Next')
      await heading('Test card')
    },
    async triesCard() {
      await click('Make a card for the door')
      await house.during(page.getByText('Did the door open?').waitFor())
      await click('Yes, it opened')
      await heading('Set-up of Hotel do Porto')
    },
  }
}
