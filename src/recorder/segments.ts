import { createReadStream } from 'node:fs'
import { readdir, readFile, stat, truncate, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

const isSegment = (file: string) => /^\d{15}\.jsonl$/.test(file)

/** Returns the path of the segment that starts with this entry number. The names sort by age. */
export function segmentPath(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(15, '0')}.jsonl`)
}

/**
 * Returns a number that is greater than every number of earlier runs. It truncates an incomplete last line.
 * Returns 0 when nothing can be read.
 */
export async function leftOff(folder: string): Promise<number> {
  try {
    const path = (await segmentsIn(folder)).at(-1)
    if (path === undefined) return 0
    const text = await readFile(path)
    await truncate(path, text.lastIndexOf(0x0a) + 1)
    // Every entry has a line, and every line has at least one byte.
    return Number.parseInt(basename(path), 10) + text.length + 1
  } catch {
    return 0
  }
}

/** Deletes the oldest segments until the others have at most `most` bytes. */
export async function makeRoom(folder: string, most: number): Promise<void> {
  let total = 0
  for (const path of (await segmentsIn(folder)).reverse()) {
    total += (await stat(path)).size
    if (total > most) await unlink(path)
  }
}

/** Returns the whole recording as it is at the call, oldest first. */
export async function* readSegments(folder: string): AsyncGenerator<Uint8Array> {
  const paths = await segmentsIn(folder).catch(() => [])
  const sizes = await Promise.all(paths.map(sizeOf))
  for (const [index, path] of paths.entries()) {
    const size = sizes[index] ?? 0
    if (size === 0) continue
    // A segment that was deleted meanwhile is left out.
    const stream = createReadStream(path, { end: size - 1 })
    try {
      for await (const chunk of stream) yield chunk as Uint8Array
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** Returns the paths of all segments, oldest first. Rejects when the folder is missing. */
async function segmentsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isSegment).sort()
  return names.map((name) => join(folder, name))
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
