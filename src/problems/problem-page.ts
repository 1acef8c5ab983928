import { documentHtml } from '../handbook/handbook-page.ts'
import { escaped } from '../handbook/render.ts'
import type { ProblemEntry } from './problem-entries.ts'

/** Returns the HTML document of one code, for a person who follows the link of an error. */
export function problemHtml({ id, attributes }: ProblemEntry): string {
  const { status, title, cause, meaning, action, guestMeaning, guestText } = attributes
  const parts = [
    ['What happened', cause],
    ['What it means', meaning],
    ['What to do', action],
    ['What the guest is to do', guestMeaning],
    ['What to tell the guest', guestText],
  ]
  const sections = parts.map(([heading, text]) => (text ? `<h2>${heading}</h2>\n<p>${inline(text)}</p>` : ''))
  const head = `<h1>${escaped(title)}</h1>\n<p>Code <code>${id}</code>, status ${status}.</p>`
  return documentHtml(title, `${head}\n${sections.join('\n')}\n<p><a href="/problems">All codes</a></p>`)
}

/** Returns the HTML document that lists all codes. */
export function problemsHtml(entries: readonly ProblemEntry[]): string {
  const items = entries.map(
    ({ id, attributes: { status, title } }) =>
      `<li><a href="/problems/${id}"><code>${id}</code></a> ${status}: ${escaped(title)}</li>`,
  )
  return documentHtml('Problems', `<h1>Problems</h1>\n<ul>\n${items.join('\n')}\n</ul>`)
}

/** Shows text between backticks as code. */
function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
