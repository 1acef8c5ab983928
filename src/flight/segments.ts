import { createReadStream } from 'node:fs'
import { readdir, readFile, stat, truncate, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

const isSegment = (file: string) => /^\d{15}\.jsonl$/.test(file)

/** The path of the segment that begins with the line of this number: by their names the oldest comes first. */
export function segmentPath(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(15, '0')}.jsonl`)
}

/**
 * Where an earlier life left off: a number greater than any it gave. The last line of a segment may be torn, and is cut off.
 * Zero when nothing can be read.
 */
export async function leftOff(folder: string): Promise<number> {
  try {
    const path = (await segmentsIn(folder)).at(-1)
    if (path === undefined) return 0
    const text = await readFile(path)
    await truncate(path, text.lastIndexOf(0x0a) + 1)
    // Every entry has a line, and every line a byte.
    return Number.parseInt(basename(path), 10) + text.length + 1
  } catch {
    return 0
  }
}

/** The oldest segments go until the others take no more than `most` bytes. */
export async function makeRoom(folder: string, most: number): Promise<void> {
  let total = 0
  for (const path of (await segmentsIn(folder)).reverse()) {
    total += (await stat(path)).size
    if (total > most) await unlink(path)
  }
}

/** Everything there is, the oldest first, as it was when it was asked for. */
export async function* readSegments(folder: string): AsyncGenerator<Uint8Array> {
  const paths = await segmentsIn(folder).catch(() => [])
  const sizes = await Promise.all(paths.map(sizeOf))
  for (const [index, path] of paths.entries()) {
    const size = sizes[index] ?? 0
    if (size === 0) continue
    // A segment that made room meanwhile is left out.
    const stream = createReadStream(path, { end: size - 1 })
    try {
      for await (const chunk of stream) yield chunk as Uint8Array
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** The paths of all segments, the oldest first. Rejects where there is no folder. */
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
