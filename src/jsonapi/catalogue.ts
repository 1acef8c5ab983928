import { readFileSync } from 'node:fs'

/** In the bundle the files lie in a folder of the same name. */
const folder = new URL('./locales/', import.meta.url)
const known = new Map<string, unknown>()

/**
 * Returns the texts of a file in `locales/`. A file is read when the first text of it is needed: all have 240 kB, and main thread and
 * writer start without them. While the file cannot be read, it counts as empty, so that a failing disk does not take an answer away.
 */
export function catalogue<Texts extends object>(name: string): Texts {
  try {
    return known.getOrInsertComputed(name, read) as Texts
  } catch {
    return {} as Texts
  }
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
}
