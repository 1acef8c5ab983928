import { type HandbookPage, pageNames, readers, readPage } from './pages.ts'
import { escaped, render } from './render.ts'

/** Returns the HTML document of a page. */
export function pageHtml({ title, name, markdown }: HandbookPage): string {
  const source = `<p class="source"><a href="/handbook/${name}.md">This page as Markdown</a></p>`
  return documentHtml(title, `${render(markdown)}${source}`)
}

/** Returns the HTML document that lists all pages by their readers. */
export async function indexHtml(): Promise<string> {
  const pages = await Promise.all((await pageNames()).map(readPage))
  const sections = readers.flatMap((reader) => {
    const own = pages.filter((page) => page.reader === reader)
    const items = own.map(({ name, title, summary }) => {
      const link = `<a href="/handbook/${name}">${render(title).replace(/^<p>|<\/p>\s*$/g, '')}</a>`
      return `<li>${link}<br>${render(summary).replace(/^<p>|<\/p>\s*$/g, '')}</li>`
    })
    return own.length > 0 ? [`<h2>For ${reader}</h2>\n<ul>\n${items.join('\n')}\n</ul>`] : []
  })
  return documentHtml('Handbook', `<h1>Handbook</h1>\n${sections.join('\n')}`)
}

/** Returns the HTML document for an unknown page name; `near` is the page with the most similar name. */
export function missingHtml(name: string, near: HandbookPage): string {
  const asked = `<p>The handbook has no page named <code>${escaped(name.slice(0, 100))}</code>.</p>`
  const nearest = `<p>The nearest is <a href="/handbook/${near.name}">${escaped(near.title)}</a>.</p>`
  return documentHtml('No such page', `<h1>No such page</h1>\n${asked}\n${nearest}`)
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
  const intro = `<p>Reservations, keys and card dispensers of this hotel. Version ${escaped(version)}.</p>`
  return documentHtml(
    'nightporter',
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
