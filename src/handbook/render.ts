import type { Tokens } from 'marked'
import { Marked } from 'marked'

/**
 * Renders Markdown as HTML. Headings have the anchors that GitHub gives them. A link to a page, `kiosk.md#cards`,
 * leads to the served page, `/handbook/kiosk#cards`. A link to any other file becomes its text, because the appliance
 * does not serve the repository, and so does a picture that is not of the handbook. HTML in the Markdown is shown as text.
 */
export function render(markdown: string): string {
  const anchors = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text, anchors)}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens)
        const target = servedAt(href)
        return target === null ? inner : `<a href="${escaped(target)}">${inner}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        const shown = pictureOf(href)
        return shown === null ? escaped(text) : `<img src="/handbook/${shown}" alt="${escaped(text)}">`
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        return escaped(text)
      },
      // On a phone, a wide table scrolls inside its own box.
      table(token: Tokens.Table): string {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`
        const body = token.rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

/** The address of a link on the appliance, or null for a file that the appliance does not serve. */
function servedAt(href: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [, name, anchor = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name === undefined ? null : `/handbook/${name}${anchor}`
}

/** Returns the path of a picture of the handbook; null for any other picture, which is not loaded. */
const pictureOf = (href: string) => (/^pictures\/[a-z][\w-]*\.webp$/.test(href) ? href : null)

/** The anchor of a heading: `Where ids come from` has `where-ids-come-from`, a second one ends in `-1`. */
function anchorOf(heading: string, used: Map<string, number>): string {
  const words = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const count = used.get(words) ?? 0
  used.set(words, count + 1)
  return count === 0 ? words : `${words}-${count}`
}

/** Escapes a text for HTML, including attribute values. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
