import type { Page } from 'playwright-core'
import { againstRules, inTexts, type Wrongs } from './page-checks.ts'
import { type Language, schemes, settled, sizes, type Window } from './visit.ts'

/** In this language every window is judged in both colours: its texts are the longest, and no rule looks at the words. */
const fullLanguage: Language = 'de'

/**
 * What is wrong on a screen as it is now, in windows of several sizes. Its texts are measured in each of them. The rules of
 * accessibility are tried in each of them in light and dark in German, and once in each other language.
 */
export async function wrongInWindows(
  page: Page,
  { language, windows }: { language: Language; windows: readonly Window[] },
  name: string,
): Promise<Wrongs> {
  await settled(page)
  const spoken = await page.evaluate<string>('document.documentElement.lang')
  const wrongs: Wrongs = spoken === language ? [] : [`speaks ${spoken}`]
  for (const window of windows) {
    await page.setViewportSize(sizes[window].viewport)
    wrongs.push(...(await inTexts(page)).map((each) => `${window}: ${each}`))
    for (const colorScheme of schemesOf(language, window)) {
      await page.emulateMedia({ colorScheme })
      wrongs.push(...(await againstRules(page)).map((each) => `${window}, ${colorScheme}: ${each}`))
    }
  }
  return wrongs.map((each) => `${name} ${each}`)
}

function schemesOf(language: Language, window: Window): readonly ('light' | 'dark')[] {
  if (language === fullLanguage) return schemes
  return window === 'a desk' ? ['light'] : window === 'a tablet' ? ['dark'] : []
}
