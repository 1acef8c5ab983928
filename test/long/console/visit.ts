import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestAppliance } from '../../appliance.ts'
import type { browserForSuite, Tab } from '../../console/browser.ts'

export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]

export const sizes = {
  'a desk': { viewport: { width: 1280, height: 800 } },
  'a tall kiosk': { viewport: { width: 1080, height: 1920 } },
  'a tablet': { viewport: { width: 1024, height: 768 }, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>
export type Window = keyof typeof sizes

/** The windows that one page can have in turn. Whether it is touched is decided when it is opened. */
export const sharedWindows: readonly (readonly Window[])[] = [['a desk', 'a tall kiosk'], ['a tablet']]

export const schemes = ['light', 'dark'] as const

type BrowserOfSuite = ReturnType<typeof browserForSuite>

/** Sets the language of the demo staff, which their pages have from then on. */
export async function speak(house: TestAppliance, language: Language): Promise<void> {
  for (const { id } of (await house.ask('GET', '/api/config/v1/accounts')).body.data)
    await house.ask('PATCH', `/api/config/v1/accounts/${id}`, { body: { language } })
}

/** Opens a page set in a language, which may be longer than people write: each text of it grows by two fifths. */
export async function openPages(
  browser: BrowserOfSuite,
  url: string,
  {
    language,
    isLonger = false,
    ...options
  }: BrowserContextOptions & { language: Language; isLonger?: boolean },
): Promise<Tab> {
  const tab = await browser.open('about:blank', { ...options, locale: language })
  if (isLonger)
    await tab.page.route(/\/(\w+-)?texts\.ts$/, async (route) => {
      const response = await route.fetch()
      const source = await response.text()
      const grown = longer(source)
      assert.notEqual(grown, source, `${route.request().url()} has texts`)
      await route.fulfill({ response, body: grown })
    })
  await tab.page.goto(url)
  return tab
}

/** The source of texts, each of which has become longer by two fifths. */
function longer(source: string): string {
  const more = (text: string) =>
    text + '~'.repeat(Math.ceil(text.length * 0.4)).replaceAll('~~~~~~', '~~~~~ ')
  return source
    .replaceAll(/((?::|=>|\?)\s*)'((?:[^'\\]|\\.)+)'/g, (_, before, text) => `${before}'${more(text)}'`)
    .replaceAll(
      /`((?:[^`\\])+)`/g,
      (_, text) => `\`${text}${'~'.repeat(Math.ceil(text.replaceAll(/\$\{[^}]*\}/g, '').length * 0.4))}\``,
    )
}

/** Looks at a page in windows of several sizes, each in light and dark colours. Its scripts take no notice of either. */
export async function inEach(
  page: Page,
  windows: readonly Window[],
  look: () => Promise<readonly string[]>,
): Promise<string[]> {
  const wrongs: string[] = []
  for (const window of windows) {
    await page.setViewportSize(sizes[window].viewport)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      wrongs.push(...(await look()).map((each) => `${window}, ${colorScheme}: ${each}`))
    }
  }
  return wrongs
}

/** The screens of the desk by their addresses, from its navigation, and the page of one guest. */
export async function screensOf(page: Page): Promise<string[]> {
  await page.locator('.side a').first().waitFor()
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.side a')].map((each) => each.hash)",
  )
  const stay = await page.evaluate<string | null>(
    "fetch('/api/v2/stays?page[size]=1').then((answer) => answer.json()).then(({ data }) => data[0]?.id ?? null)",
  )
  return stay === null ? links : [...links, `#/stay/${stay}`]
}

/** Goes to a screen, and waits until nothing on it is being read. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await settled(page)
}

export async function settled(page: Page): Promise<void> {
  await page.locator('main').first().waitFor()
  await page.locator('[role=progressbar]').first().waitFor({ state: 'detached' })
}
