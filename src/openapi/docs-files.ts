import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Problem } from '../resource/problem.ts'

const folder = new URL('./docs/', import.meta.url)

/** The files that the page loads, each with its media type. */
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

/** Returns the page that shows the OpenAPI document. */
export async function docsPage(): Promise<DocsFile> {
  return { text: await readFile(new URL('index.html', folder), 'utf8'), type: 'text/html; charset=utf-8' }
}

/** Returns a file of the page. Throws not-found for any other name. */
export async function docsFile(name: string): Promise<DocsFile> {
  const type = Object.hasOwn(files, name) ? files[name] : undefined
  if (type === undefined) throw new Problem('not-found', 'There is no file with this name.')
  return { text: await readFile(placeOf(name), 'utf8'), type }
}

/**
 * A bundle has all files in the folder beside it. From source, the files of swagger-ui-dist are in that
 * package.
 */
function placeOf(name: string): URL {
  const beside = new URL(name, folder)
  return existsSync(beside) ? beside : new URL(import.meta.resolve(`swagger-ui-dist/${name}`))
}
