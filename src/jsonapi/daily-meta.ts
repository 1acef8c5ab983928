import type { Document } from '../resource/command.ts'
import type { PageOfDocuments } from '../resource/keeper.ts'
import type { Resource } from '../resource/resource.ts'

/** A document with the `meta` of the day. */
export interface SerializedDocument {
  text: string
  /** Whether a client may have received the same revision with other content. */
  hasChanged: boolean
}

/**
 * Adds to a document the `meta` that depends on the day. `whole` returns the document with all its
 * attributes; `document` may have only some.
 */
export type AddDailyMeta = (
  resource: Resource,
  document: Document,
  whole: () => Document,
) => SerializedDocument

/**
 * Returns the function that adds the day's meta. `today` is the property's date, YYYY-MM-DD. The result is remembered as
 * long as the reader keeps the document: without that, a GET of one reservation takes 1 us more, and a page of ten 8 us.
 */
export function moments(today: () => string): AddDailyMeta {
  const remembered = new WeakMap<Document, { facts: unknown; on: string; result: SerializedDocument }>()

  return ({ moment }, document, whole) => {
    const { text } = document
    if (!moment) return { text, hasChanged: false }
    const known = remembered.get(document)
    const on = today()
    if (known?.on === on) return known.result
    const facts = known ? known.facts : moment.facts(whole().text)
    const { meta, hasChanged } = moment.on(facts, on)
    const result = { text: `${text.slice(0, -1)},"meta":${JSON.stringify(meta)}}`, hasChanged }
    remembered.set(document, { facts, on, result })
    return result
  }
}

/**
 * Returns the function that gives the text of a page's documents on this day. `join` builds it, once as long as the reader
 * keeps the page: without that, a page of ten takes 15 us more.
 */
export function pageTexts(today: () => string) {
  const remembered = new WeakMap<PageOfDocuments, { on: string; text: string }>()

  return (page: PageOfDocuments, join: () => string): string => {
    const on = today()
    const known = remembered.get(page)
    if (known?.on === on) return known.text
    const text = join()
    remembered.set(page, { on, text })
    return text
  }
}
