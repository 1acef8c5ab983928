import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { render } from '../../src/handbook/render.ts'
import { folder, type Served, served } from '../cli/command-line.ts'
import { handbook } from './documents.ts'

/** The bundle where the tests run beside one, which has its pages beside it. */
describe('the handbook that the program serves', () => {
  const data = folder()
  let house: Served
  before(async () => {
    house = await served(data.path, '--empty')
  })
  after(async () => {
    await house.stop()
    data.remove()
  })

  const asked = (path: string, Accept = 'text/html,*/*;q=0.8') =>
    fetch(house.url + path, { headers: { Accept } })

  it('has every page, as HTML that loads nothing from elsewhere and runs nothing', async () => {
    const index = await (await asked('/handbook')).text()
    for (const { name } of handbook) {
      assert.match(index, new RegExp(`<a href="/handbook/${name}">`))
      const page = await asked(`/handbook/${name}`)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src 'self';/,
      )
      const html = await page.text()
      assert.doesNotMatch(html, /<script|<iframe|<object|\son\w+=|style=/)
      for (const [tag] of html.matchAll(/<img[^>]*/g))
        assert.match(tag, /^<img src="\/handbook\/pictures\/[\w-]+\.webp" alt="[^"]{10,}"$/)
      const loaded = [...html.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href]) => href)
      assert.deepEqual(loaded, ['data:,', '/handbook/handbook.css'])
      for (const [, href = ''] of html.matchAll(/<a href="(\/[^"#]*)/g))
        assert.equal((await asked(href)).status, 200)
    }
    const { headers } = await asked('/handbook')
    assert.match(headers.get('content-security-policy') ?? '', /; script-src 'self'; connect-src 'self'$/)
    assert.deepEqual(
      [...index.matchAll(/<script[^>]*>/g)].map(([tag]) => tag),
      ['<script src="/handbook/search.js" defer>'],
    )
    for (const [path, type] of [
      ['search.js', 'text/javascript'],
      ['changelog', 'text/html'],
      ['changelog.md', 'text/markdown'],
    ])
      assert.equal((await asked(`/handbook/${path}`)).headers.get('content-type'), `${type}; charset=utf-8`)
    assert.match(await (await asked('/doors')).text(), /<title>Overview - nightporter<\/title>/)
    const css = await asked('/handbook/handbook.css')
    assert.equal(css.headers.get('content-type'), 'text/css; charset=utf-8')
    assert.doesNotMatch(await css.text(), /url\(|@import/)
  })

  it('shows each of its at most twelve pictures, in less than 60 kB each', async () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/handbook/pictures'))
    const shown = await Promise.all(
      handbook.map(async ({ name }) => {
        const html = await (await asked(`/handbook/${name}`)).text()
        return [...html.matchAll(/<img src="\/handbook\/pictures\/([^"]+)"/g)].map(([, file]) => file)
      }),
    )
    const named = handbook.flatMap(({ markdown }) =>
      [...markdown.matchAll(/!\[[^\]]*\]\(pictures\/([^)]+)\)/g)].map(([, file]) => file),
    )
    assert.deepEqual(shown.flat(), named)
    assert.deepEqual([...new Set(named)].sort(), files.sort())
    assert.ok(files.length > 0 && files.length <= 12, `${files.length} pictures`)
    for (const file of files) {
      const picture = await asked(`/handbook/pictures/${file}`)
      assert.equal(picture.status, 200, file)
      assert.equal(picture.headers.get('content-type'), 'image/webp')
      const bytes = Buffer.from(await picture.arrayBuffer())
      assert.equal(bytes.toString('latin1', 8, 12), 'WEBP')
      assert.ok(bytes.length < 60_000, `${file} has ${bytes.length} bytes`)
      const headers = { 'If-None-Match': picture.headers.get('etag')! }
      assert.equal((await fetch(`${house.url}/handbook/pictures/${file}`, { headers })).status, 304)
    }
    for (const path of ['nothing.webp', '..%2fstart.md', 'start.md'])
      assert.equal((await asked(`/handbook/pictures/${path}`)).status, 404)
  })

  it('loads no picture from elsewhere', () => {
    for (const place of [
      'https://example.com/a.webp',
      '../a.webp',
      '/a.webp',
      'pictures/a.svg',
      'pictures/../a.webp',
    ])
      assert.equal(render(`![A "door"](${place})`), '<p>A &#34;door&#34;</p>\n')
  })

  it('has the Markdown of every page, and 304 while it is the same', async () => {
    for (const { name, markdown } of handbook) {
      const page = await asked(`/handbook/${name}.md`)
      assert.equal(await page.text(), markdown)
      const headers = { 'If-None-Match': page.headers.get('etag')! }
      assert.equal((await fetch(`${house.url}/handbook/${name}.md`, { headers })).status, 304)
    }
  })

  it('answers a wrong name with the nearest page, to people and to programs', async () => {
    const page = await asked('/handbook/strat')
    assert.equal(page.status, 404)
    assert.match(await page.text(), /<a href="\/handbook\/start">Start here<\/a>/)
    const document = await asked('/handbook/Start.md', 'application/vnd.api+json')
    assert.equal(document.status, 404)
    const [{ detail }] = ((await document.json()) as { errors: { detail: string }[] }).errors as [
      { detail: string },
    ]
    assert.equal(detail, 'The handbook has no page of this name. The nearest is /handbook/start.')
    assert.equal((await asked('/handbook/..%2f..%2fpackage')).status, 404)
    assert.equal((await asked('/handbook/%3Cscript%3E')).status, 404)
    assert.doesNotMatch(await (await asked('/handbook/%3Cscript%3E')).text(), /<script>/)
  })

  it('is linked from /doors for browsers, and from / for programs', async () => {
    const page = await asked('/doors')
    const html = await page.text()
    for (const path of ['/handbook', '/docs', '/openapi.json', '/asyncapi.json', '/readyz']) {
      assert.match(html, new RegExp(`<a href="${path}">`))
      assert.equal((await asked(path)).status, 200, path)
    }
    const entrance = await fetch(`${house.url}/`, { headers: { Accept: 'text/html' }, redirect: 'manual' })
    assert.equal(entrance.status, 302)
    assert.equal(entrance.headers.get('location'), '/setup')
    const document = await asked('/', 'application/vnd.api+json')
    assert.equal(document.headers.get('content-type'), 'application/vnd.api+json')
    assert.equal(document.headers.get('vary'), 'Accept')
    const { links } = (await document.json()) as { links: Record<string, string> }
    assert.equal(links.handbook, '/handbook')
    assert.equal(links.status, '/api/v2/status')
  })
})
