import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../access/house-with-doors.ts'
import { browserForSuite, type Tab } from '../../console/browser.ts'
import { type KioskHouse, tall } from '../../console/kiosk-house.ts'
import type { Language } from './visit.ts'

/** Guests who listen to the page, and who read no words: the buttons are found by their places, so that a test is the same in every language. */
export function guestsInLanguages() {
  const browser = browserForSuite()
  /** The pages of the running test. One that a failed test left open would keep its house from stopping. */
  const tabs: Tab[] = []
  return {
    async at(house: KioskHouse, language: Language, query = '') {
      const tab = await browser.open(`${house.appliance.url}/kiosk${query}`, { ...tall, locale: language })
      tabs.push(tab)
      await tab.page.addInitScript(listening)
      await tab.page.reload()
      return guestOf(house, tab, language)
    },
    async leave(): Promise<void> {
      for (const tab of tabs.splice(0)) await tab.close()
    },
  }
}

export type GuestInLanguage = ReturnType<typeof guestOf>

/** Notes the titles that were shown and the sentences that were spoken, by voices of the machine in each language. */
export const listening = `{
  window.titles = []
  window.spoken = []
  window.volumes = []
  new MutationObserver(() => titles.push(document.querySelector('h1')?.textContent ?? ''))
    .observe(document, { subtree: true, childList: true, characterData: true })
  const voices = ['en', 'de', 'es', 'fr', 'pt'].map((lang) => ({ localService: true, lang, name: lang }))
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices, cancel() {}, speak: ({ lang, text, volume }) => spoken.push(lang + ': ' + text) && volumes.push(volume),
  })
  Object.defineProperty(window, 'speechSynthesis', { value: synthesis })
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } }
}`

/** What was spoken until now, each with its language: `en: Please take your card.` */
export const heard = (page: Page): Promise<string[]> => page.evaluate('spoken')

function guestOf(house: KioskHouse, tab: Tab, language: Language) {
  const { page } = tab
  const press = (selector: string) => house.during(page.locator(selector).first().click())
  const main = () => press('.controls .button.main:not([type=submit])')
  const enter = async (text: string) => {
    for (const letter of text.toUpperCase()) await press(`.key[aria-label="${letter}"]`)
    await press('button[type=submit]')
  }
  const listens = () =>
    page.evaluate<void>("import('/ui/kiosk/speech.ts').then(({ readingHelp }) => readingHelp.begin())")
  const hears = (title: string) =>
    until(
      `${title} to be spoken`,
      () => heard(page),
      (spoken) => spoken.some((each) => each.startsWith(`${language}: ${title}`)),
    )
  return {
    page,
    tab,
    main,
    press,
    enter,
    listens,
    /** Finds nothing, or a stay that is not for today; otherwise the name is asked for. */
    async number(number: string) {
      await main()
      await listens()
      await enter(number)
    },
    /** From the start to the greeting. `name` is the last name of the guest, if it is not that of a booking of the house. */
    async finds(number: string, name = `GASTIN${number}`) {
      await main()
      await listens()
      await enter(number)
      const title = await sentence(page, 'enterName', '{}')
      await house.during(page.locator('h1', { hasText: title }).waitFor())
      await page.locator('.entry input').fill(name)
      await press('button[type=submit]')
    },
    /** By name and day; the number is asked for then. */
    async name(name: string) {
      await main()
      await press('.ways .button >> nth=1')
      await listens()
      await enter(name)
      await main()
    },
    /** From the greeting past the missing details. */
    async key() {
      await main()
      await press('.entry .choices .button:not(.main)')
      await press('.entry .choices .button:not(.main)')
    },
    /** Waits for a sentence of the language's file as the title, and until it is spoken. `said` is what it names, as JavaScript. */
    async reads(row: string, said = '{}') {
      const title = await sentence(page, row, said)
      await house.during(page.locator('h1', { hasText: title }).waitFor())
      await hears(title)
    },
    /** Whether a sentence was shown meanwhile, and spoken. */
    async hasRead(row: string) {
      const titles = (await page.evaluate('titles')) as string[]
      const title = await sentence(page, row, '{}')
      assert.ok(titles.includes(title), `${row} among ${[...new Set(titles)]}`)
      await hears(title)
    },
    async hasCode() {
      assert.match(await page.locator('.code').innerText(), /^\d{4}$/)
    },
    inRoom: () => house.during(page.locator('.rooms').waitFor()),
    async ends(allowed = /status of 4|status of 50/) {
      tab.expectClean(allowed)
      await tab.close()
    },
  }
}

function sentence(page: Page, row: string, said: string): Promise<string> {
  return page.evaluate(`(async () => {
    const { t } = await import('/ui/kiosk/texts.ts')
    const texts = t.value
    const { moneyText, longDate } = await import('/ui/lib/language/format.ts')
    const sentence = texts.sentences['${row}'] ?? texts['${row}']
    return typeof sentence === 'string' ? sentence : sentence(${said})
  })()`) as Promise<string>
}

/** A type with its own rooms, so that a test decides what is free. */
export async function ownType(house: Pick<KioskHouse, 'ask'>, code: string, count = 1) {
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await house.ask('POST', path, { body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.data.id
  }
  const unitTypeId = await made('/api/v2/unit-types', { code, name: code, maxOccupancy: 2 })
  const unitPaths: string[] = []
  for (let index = 1; index <= count; index++) {
    const body = { name: `9${code}${index}`, floor: '9', unitTypeId, status: 'Clean' }
    unitPaths.push(`/api/v2/units/${await made('/api/v2/units', body)}`)
  }
  return { units: [{ unitTypeId }], unitPath: unitPaths[0]!, unitPaths, unitTypeId }
}
