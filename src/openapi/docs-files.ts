import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Problem } from '../resource/problem.ts'

const folder = new URL('./docs/', import.meta.url)

/** What the page is made of besides itself, each with its media type. */
const files: Record<string, string> = {
  'page.css': 'text/css; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

interface DocsFile {
  text: string
  type: string
}

/** The page on which the OpenAPI document is browsed. */
export async function docsPage(): Promise<DocsFile> {
  return { text: await readFile(new URL('index.html', folder), 'utf8'), type: 'text/html; charset=utf-8' }
}

/** A file that the page asks for. Throws not-found for any other. */
export async function docsFile(name: string): Promise<DocsFile> {
  const type = Object.hasOwn(files, name) ? files[name] : undefined
  if (type === undefined) throw new Problem('not-found', 'There is no such file.')
  return { text: await readFile(placeOf(name), 'utf8'), type }
}

/** In a bundle all of them lie in the folder beside it; from source, those of the package lie in the package. */
function placeOf(name: string): URL {
  const beside = new URL(name, folder)
  return existsSync(beside) ? beside : new URL(import.meta.resolve(`swagger-ui-dist/${name}`))
}
