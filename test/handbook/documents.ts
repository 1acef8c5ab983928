import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A document for readers, by its path in the repository. */
export interface ReaderDocument {
  path: string
  /** `start`, or `README`. */
  name: string
  markdown: string
}

const documentAt = (path: string): ReaderDocument => ({
  path,
  name: basename(path, '.md'),
  markdown: readFileSync(join(root, path), 'utf8'),
})

export const readme = documentAt('README.md')
export const changelog = documentAt('CHANGELOG.md')
export const handbook = globSync('src/handbook/*.md', { cwd: root }).sort().map(documentAt)
