import type { Document } from '../resource/command.ts'
import type { PageOfDocuments, WhenGone } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import type { Projection } from '../resource/projection.ts'
import type { Filter, Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { finder, ScanRequest } from './at-once.ts'
import { type documentTexts, idIn } from './rows/document-texts.ts'
import { recentReads } from './rows/recent-reads.ts'
import { withHyphens } from './rows/template.ts'
import { type Scan, type Scanned, scanOf } from './scan/scan.ts'
import type { Scanning, Scans } from './scan/scans.ts'

interface PageReaderOptions {
  resources: Resources
  /** The writer's version number; it changes with every write. */
  version(): number
  scans: Pick<Scans, 'take'>
  texts: ReturnType<typeof documentTexts>
  cursorOf(resource: Resource, query: Query): ScanRequest['cursor']
  atOnce: ReturnType<typeof finder>['atOnce']
}

/** A scan that is running for a page. */
interface UnderWay {
  since: number
  page: Promise<PageOfDocuments>
  join: Scanning['join']
}

/** Reads the pages that an index serves, and passes all others to the scan thread. */
export class PageReader {
  readonly #options: PageReaderOptions
  readonly #recent
  /** By the scan's statements as JSON. The queue of the scan thread bounds its size. */
  readonly #underWay = new Map<string, UnderWay>()

  constructor(options: PageReaderOptions) {
    this.#options = options
    this.#recent = recentReads<PageOfDocuments>(options.version, ({ documents }) => documents.length)
  }

  page(
    resource: Resource,
    query: Query,
    shape: Projection,
    whenGone?: WhenGone,
  ): PageOfDocuments | Promise<PageOfDocuments> {
    const { resources, texts, cursorOf, atOnce } = this.#options
    const key = JSON.stringify(query)
    const kept = this.#recent.get(shape, key)
    if (kept) return kept
    const request = { resource, query, cursor: cursorOf(resource, query) }
    const found = atOnce(request)
    if (found) {
      const documents = texts.of(resource, found.slice(0, query.page.size), shape)
      const page = { documents: inOrder(query, documents), more: found.length > query.page.size }
      this.#recent.set(shape, key, page)
      return page
    }
    const scan = scanOf(resources, request, texts.sqlOf(resource, shape))
    const { page, join } = this.#underWayOf(query, scan)
    join(whenGone)
    return page
  }

  /** Returns how many rows pass the filters, at most `most`. */
  total(resource: Resource, filters: Filter[], most: number, whenGone?: WhenGone): number | Promise<number> {
    const { resources, atOnce, scans } = this.#options
    const request = { resource, query: { filters, sort: [], page: { size: most } }, cursor: null }
    const found = atOnce(request)
    if (found) return found.length
    const scanning = scans.take(scanOf(resources, request, null))
    scanning.join(whenGone)
    return scanning.found.then(({ rows }) => rows)
  }

  /** Forgets the pages that were read. */
  forget(): void {
    this.#recent.forget()
  }

  /** Requests for the same page share one scan while nothing is written. */
  #underWayOf(query: Query, scan: Scan): UnderWay {
    const { version, scans } = this.#options
    const key = JSON.stringify(scan)
    const known = this.#underWay.get(key)
    if (known?.since === version()) return known
    const { found, join } = scans.take(scan)
    const begun = { since: version(), page: found.then((rows) => scannedPage(query, rows)), join }
    this.#underWay.set(key, begun)
    const end = () => this.#underWay.get(key) === begun && this.#underWay.delete(key)
    begun.page.then(end, end)
    return begun
  }
}

function scannedPage(query: Query, { documents, more }: Scanned): PageOfDocuments {
  const shown = documents.map(([revision, built]) => {
    const text = withHyphens(built)
    return { id: idIn(text), revision, text }
  })
  return { documents: inOrder(query, shown), more }
}

/** The query for a page before a cursor yields its rows in reverse order. */
function inOrder({ page }: Query, documents: Document[]): Document[] {
  return page.before === undefined ? documents : documents.reverse()
}
