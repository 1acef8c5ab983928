import type { Document } from '../resource/change.ts'
import type { Resource } from '../resource/resource.ts'

/** A document with what is true of it today. */
export interface Said {
  text: string
  /** What is said may have been otherwise when a client last read the same revision. */
  hasChanged: boolean
}

/** Says of documents what depends on the day. `whole` gives the document with all its attributes, where `document` has some. */
export type Moments = (resource: Resource, document: Document, whole: () => Document) => Said

const mostRemembered = 2_000

/** `today` is the property's date, YYYY-MM-DD. What a revision says once is not read out of its text again. */
export function moments(today: () => string): Moments {
  const remembered = new Map<string, { revision: number; facts: unknown }>()

  function factsOf(resource: Resource, { id, revision }: Document, whole: () => Document): unknown {
    const key = `${resource.type}/${id}`
    const known = remembered.get(key)
    if (known?.revision === revision) return known.facts
    const { attributes } = JSON.parse(whole().text) as { attributes: Record<string, unknown> }
    const facts = resource.moment?.facts(attributes)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, { revision, facts })
    return facts
  }

  return (resource, document, whole) => {
    if (!resource.moment) return { text: document.text, hasChanged: false }
    const { meta, hasChanged } = resource.moment.on(factsOf(resource, document, whole), today())
    return { text: `${document.text.slice(0, -1)},"meta":${JSON.stringify(meta)}}`, hasChanged }
  }
}
