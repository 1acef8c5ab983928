import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The readers that the first lines of the pages name. Each page has one of them. */
export const readers = [
  'newcomers',
  'kiosk makers',
  'the front desk',
  'installers',
  'operators',
  'PMS vendors',
  'contributors',
] as const
type PageReader = (typeof readers)[number]

export interface HandbookPage {
  /** The name of the file without `.md`, such as `start`. */
  name: string
  /** The heading of the first line. */
  title: string
  reader: PageReader
  /** The first sentence, which follows the reader: what the page is for. */
  summary: string
  markdown: string
}

/** The folder `handbook` is beside the bundle. */
const bundled = new URL('./handbook/', import.meta.url)
const folder = existsSync(bundled) ? bundled : new URL('./', import.meta.url)
const pictures = new URL('pictures/', folder)

/** Returns the names of all pages, in alphabetical order. */
export async function pageNames(): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .sort()
}

/** Returns a page by one of the names that `pageNames` returns. Throws when its first lines are not those of a page. */
export async function readPage(name: string): Promise<HandbookPage> {
  const markdown = await readFile(new URL(`${name}.md`, folder), 'utf8')
  const [, title = '', reader = '', summary = ''] = firstLines.exec(markdown) ?? []
  if (!readers.some((each) => each === reader))
    throw new Error(
      `${name}.md must begin with "# Title", an empty line and "For READER: ", with one of ${readers.join(', ')}.`,
    )
  return { name, title, reader: reader as PageReader, summary, markdown }
}

/** The first lines of a page: `# Title`, an empty line, and `For kiosk makers: what the page is for.` */
const firstLines = /^# ([^\n]+)\n\nFor ([\w ]+): ([^\n]+?[.:])(?:\s|$)/

/** Returns the names of all pictures of the pages, such as `today.webp`. */
export async function pictureNames(): Promise<string[]> {
  const files = await readdir(pictures)
  return files.filter((file) => file.endsWith('.webp')).sort()
}

/** Returns a picture by one of the names that `pictureNames` returns. */
export function readPicture(name: string): Promise<Buffer> {
  return readFile(new URL(name, pictures))
}

/** Beside the bundle, or in the folder of the source. */
const changelog = existsSync(bundled)
  ? new URL('./CHANGELOG.md', import.meta.url)
  : new URL('../../CHANGELOG.md', import.meta.url)

/** Returns what is new in this version and was in those before, as Markdown. */
export function readChangelog(): Promise<string> {
  return readFile(changelog, 'utf8')
}

/** Returns the script that searches the pages. */
export function searchScript(): Promise<string> {
  return readFile(new URL('search.js', folder), 'utf8')
}

/** Returns the style sheet of all pages. */
export function styleSheet(): Promise<string> {
  return readFile(new URL('handbook.css', folder), 'utf8')
}
