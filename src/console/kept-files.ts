import { hash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeFolders } from '../host/files/make-folders.ts'

/** The number of releases whose files are kept: this release and the previous one. */
const keptReleases = 2

/**
 * Copies the page files of this release to `kept`, and returns the folders of the previous release. A tab that was open
 * during an update can then still load files of the previous release. `built` is the folder of the build, `kept` a
 * folder among the data. Without a build, or when the disk refuses the copy, there are no kept files.
 */
export function keepFiles(built: string, kept: string): URL[] {
  try {
    return keptBeside(built, kept)
  } catch {
    return []
  }
}

function keptBeside(built: string, kept: string): URL[] {
  makeFolders(kept)
  const current = hash('sha256', readFileSync(join(built, 'manifest.json')), 'hex').slice(0, 16)
  if (!existsSync(join(kept, current))) {
    const unfinished = join(kept, `${current}.part`)
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(built, unfinished, { recursive: true })
    renameSync(unfinished, join(kept, current))
  }
  const names = readdirSync(kept)
  for (const name of names.filter((each) => each.endsWith('.part')))
    rmSync(join(kept, name), { recursive: true })
  const newestFirst = names
    .filter((each) => !each.endsWith('.part'))
    .map((name) => ({ name, at: statSync(join(kept, name)).ctimeMs }))
    .sort((a, b) => Number(b.name === current) - Number(a.name === current) || b.at - a.at)
  for (const { name } of newestFirst.slice(keptReleases)) rmSync(join(kept, name), { recursive: true })
  return newestFirst.slice(1, keptReleases).map(({ name }) => pathToFileURL(`${join(kept, name)}/`))
}
