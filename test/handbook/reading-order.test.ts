import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changelogHtml, indexHtml, pageHtml } from '../../src/handbook/handbook-page.ts'
import { readChangelog, readPage } from '../../src/handbook/pages.ts'
import { nextPages, readingOrders } from '../../src/handbook/reading-order.ts'
import fc from '../seed.ts'
import { handbook } from './documents.ts'

const names = handbook.map(({ name }) => name)

describe('the order in which the handbook is read', () => {
  it('has every page, and no page that there is not', () => {
    const ordered = new Set(readingOrders.flatMap(({ pages }) => pages))
    assert.deepEqual([...ordered].sort(), [...names].sort())
    for (const { reader, pages } of readingOrders) assert.equal(new Set(pages).size, pages.length, reader)
  })

  it('begins for each reader with the first work, and goes on from page to page', async () => {
    const index = await indexHtml()
    const places = readingOrders.map(({ id }) => index.indexOf(`<h2 id="${id}">`))
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...readingOrders), async ({ id, reader, pages }) => {
        const own = index.slice(index.indexOf(`<h2 id="${id}">`)).split('</ol>')[0]!
        const linked = [...own.matchAll(/<li><a href="\/handbook\/([\w-]+)">/g)].map(([, name]) => name)
        assert.deepEqual(linked, pages)
        for (const [at, name] of pages.entries()) {
          const next = nextPages(name).find((each) => each.reader === reader)?.name
          assert.equal(next, pages[at + 1], name)
          const html = await pageHtml(await readPage(name))
          if (next) assert.match(html, new RegExp(`${reader}, next: <a href="/handbook/${next}">`))
          assert.match(html, /<title>[^<]+ - Handbook - nightporter<\/title>/)
        }
      }),
      { numRuns: 8 },
    )
  })

  it('has the changelog at its end', async () => {
    assert.match(await indexHtml(), /<a href="\/handbook\/changelog">Changelog<\/a>/)
    const html = changelogHtml(await readChangelog())
    assert.match(html, /<h1 id="changelog">Changelog<\/h1>/)
    assert.match(html, /<h2 id="unreleased">/)
  })
})
