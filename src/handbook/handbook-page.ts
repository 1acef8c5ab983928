import { type HandbookPage, pageNames, readPage } from './pages.ts'
import { nextPages, readingOrders } from './reading-order.ts'
import { escaped, render } from './render.ts'

/** Returns the HTML document of a page, with the pages that follow it. */
export async function pageHtml({ title, name, markdown }: HandbookPage): Promise<string> {
  const next = await Promise.all(
    nextPages(name).map(async ({ reader, name: other }) => {
      const page = await readPage(other)
      return `<p class="next">${escaped(reader)}, next: ${linkTo(page)}</p>`
    }),
  )
  return documentHtml(inHandbook(title), `${render(markdown)}${next.join('')}${sourceOf(name)}`)
}

/** Returns the HTML document of the changelog. */
export function changelogHtml(markdown: string): string {
  return documentHtml(inHandbook('Changelog'), `${render(markdown)}${sourceOf('changelog')}`)
}

/** Returns the HTML document that lists all pages, in the order of each reader's work, with a search over them. */
export async function indexHtml(): Promise<string> {
  const pages = new Map(
    (await Promise.all((await pageNames()).map(readPage))).map((page) => [page.name, page]),
  )
  const readers = readingOrders.map(({ id, reader }) => `<a href="#${id}">${escaped(reader)}</a>`)
  const sections = readingOrders.map(({ id, reader, pages: names }) => {
    const items = names.map((name) => {
      const page = pages.get(name)!
      return `<li>${linkTo(page)}<br>${inline(page.summary)}</li>`
    })
    return `<h2 id="${id}">${escaped(reader)}</h2>\n<ol>\n${items.join('\n')}\n</ol>`
  })
  const search = `<form id="search" role="search" hidden><label>Search all pages <input type="search" maxlength="100" autocomplete="off"></label></form>
<ul id="found" aria-live="polite"></ul>`
  const news = '<ul><li><a href="/handbook/changelog">Changelog</a><br>what is new in this version</li></ul>'
  return documentHtml(
    'Handbook',
    `<h1>Handbook</h1>\n${search}\n<p class="readers">${readers.join(' ')}</p>\n${sections.join('\n')}\n<h2>What is new</h2>\n${news}\n<script src="/handbook/search.js" defer></script>`,
  )
}

const inHandbook = (title: string) => `${title} - Handbook`
const inline = (markdown: string) => render(markdown).replace(/^<p>|<\/p>\s*$/g, '')
const linkTo = ({ name, title }: HandbookPage) => `<a href="/handbook/${name}">${inline(title)}</a>`
const sourceOf = (name: string) =>
  `<p class="source"><a href="/handbook/${name}.md">This page as Markdown</a></p>`

/** Returns the HTML document for an unknown page name; `near` is the page with the most similar name. */
export function missingHtml(name: string, near: HandbookPage): string {
  const asked = `<p>The handbook has no page named <code>${escaped(name.slice(0, 100))}</code>.</p>`
  const nearest = `<p>The nearest is <a href="/handbook/${near.name}">${escaped(near.title)}</a>.</p>`
  return documentHtml(inHandbook('No such page'), `<h1>No such page</h1>\n${asked}\n${nearest}`)
}

/** Returns the HTML document of `/doors`. */
export function doorsHtml(version: string): string {
  const doors = [
    ['/desk', 'Front desk', 'the pages for a day of work'],
    ['/kiosk', 'Kiosk', 'the pages for guests'],
    ['/setup', 'Setup', 'the pages of the installer, and the state of this box'],
    ['/handbook', 'Handbook', 'how to start, build on it, install it and run it'],
    ['/docs', 'Interfaces', 'every request and answer, to browse'],
    ['/openapi.json', 'OpenAPI document', 'the same for programs'],
    ['/asyncapi.json', 'AsyncAPI document', 'the messages on a broker'],
    ['/pms-openapi.json', 'OpenAPI document of a PMS', 'what a PMS serves to this appliance'],
    ['/readyz', 'Readiness', 'whether this appliance can do its work now'],
  ]
  const items = doors.map(([path, name, what]) => `<li><a href="${path}">${name}</a>: ${what}</li>`)
  const status = '<li><code>/api/v2/status</code>: the status in detail, for any token</li>'
  const intro = `<p>Reservations, keys and card dispensers of this hotel. Version <a href="/handbook/changelog">${escaped(version)}</a>.</p>`
  return documentHtml(
    'Overview',
    `<h1>nightporter</h1>\n${intro}\n<ul>\n${items.join('\n')}\n${status}\n</ul>`,
  )
}

/** Returns a whole HTML document around its main part, which is HTML. */
export function documentHtml(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - nightporter</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/handbook/handbook.css">
</head>
<body>
<nav><a href="/">nightporter</a> <a href="/handbook">Handbook</a> <a href="/docs">Interfaces</a></nav>
<main>
${main}
</main>
</body>
</html>
`
}
