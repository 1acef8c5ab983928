import type { Document } from '../resource/command.ts'
import type { PageOfDocuments } from '../resource/keeper.ts'
import type { Resource } from '../resource/resource.ts'
import type { Answer } from './route.ts'

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
 * The result is stored on the document or the page itself. A WeakMap would cost a page of ten 80 of 140 us, because the
 * garbage collector must scan and rebuild its tables.
 */
const remembered = Symbol('remembered')
type Remembering<Of, What> = Of & { [remembered]?: What & { on: string } }

/**
 * Returns the function that adds the day's meta. `today` is the property's date, YYYY-MM-DD. The result is remembered as
 * long as the reader keeps the document: without that, a GET of one reservation takes 1 us more, and a page of ten 8 us.
 */
export function moments(today: () => string): AddDailyMeta {
  return (
    { moment },
    document: Remembering<Document, { facts: unknown; result: SerializedDocument }>,
    whole,
  ) => {
    const { text } = document
    if (!moment) return { text, hasChanged: false }
    const known = document[remembered]
    const on = today()
    if (known?.on === on) return known.result
    const facts = known ? known.facts : moment.facts(whole().text)
    const { meta, hasChanged } = moment.on(facts, on)
    const result = { text: `${text.slice(0, -1)},"meta":${JSON.stringify(meta)}}`, hasChanged }
    document[remembered] = { facts, on, result }
    return result
  }
}

type Body = Pick<Answer, 'text' | 'bytes'>

/**
 * Returns the function that gives the body of a page at this URL on this day. `build` makes its text, once as long as the reader
 * keeps the page. From the second time on it is bytes, because each time to encode a text takes 10 us for a page of ten.
 */
export function pageBodies(today: () => string) {
  return async (
    page: Remembering<PageOfDocuments, { url: string; body: Body }>,
    url: string,
    build: () => Promise<string>,
  ): Promise<Body> => {
    const on = today()
    const known = page[remembered]
    if (known?.on === on && known.url === url) {
      if (known.body.text !== undefined) known.body = { bytes: Buffer.from(known.body.text) }
      return known.body
    }
    const body = { text: await build() }
    page[remembered] = { on, url, body }
    return body
  }
}
