import { batch } from '@preact/signals'
import { allTexts, type Language, language } from './language.ts'

/**
 * Draws something in another language than that of the page, such as a paper for a guest. `draw` returns what is drawn at once; what
 * it leaves to a component is in the language of the page. The page itself is not drawn anew. A file whose texts do not come keeps
 * those of the page.
 */
export async function inLanguage<T>(to: Language, draw: () => T): Promise<T> {
  const found = await Promise.all(allTexts.map(async ({ texts, read }) => ({ texts, other: await read(to) })))
  return batch(() => {
    const own = language.peek()
    const before = found.map(({ texts }) => texts.peek())
    for (const { texts, other } of found) texts.value = other ?? texts.peek()
    language.value = to
    try {
      return draw()
    } finally {
      language.value = own
      for (const [at, { texts }] of found.entries()) texts.value = before[at]
    }
  })
}
