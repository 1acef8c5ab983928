import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestAppliance } from '../../appliance.ts'
import type { browserForSuite, Tab } from '../../console/browser.ts'

export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]

export const sizes: Record<string, BrowserContextOptions> = {
  'a desk': { viewport: { width: 1280, height: 800 } },
  'a tall kiosk': { viewport: { width: 1080, height: 1920 } },
  'a tablet': { viewport: { width: 1024, height: 768 }, hasTouch: true },
}

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
    await tab.page.route(/\/texts\/(\w+-)?en\.ts$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: longer(await response.text()) })
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
