import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { syncPath } from '../../host/files/durable.ts'
import { addErasures } from '../../host/files/erasures.ts'
import { openVault } from '../../host/vault.ts'
import type { Manifest } from '../archive/manifest.ts'
import { segmentsAmong } from '../segment-name.ts'
import { openSegment } from './segment.ts'

/**
 * Collects the keys of all segments that continue the backup in the folder `into` without a gap, and writes them to a
 * file there. Completes the list of erased persons there by those of every segment. A segment of another property, or one that
 * cannot be decrypted, is left out. Returns the time until which every key is known, Unix milliseconds; null when no segment
 * continues the backup.
 */
export async function keysInto(
  into: string,
  folders: readonly string[],
  identity: string,
  backup: Pick<Manifest, 'sequence' | 'takenAt'>,
): Promise<number | null> {
  const house = openVault(join(into, dataFiles.key)).fingerprint
  const keys = new Map<string, unknown>()
  const erased: string[] = []
  let reach = backup.sequence
  let furthest = reach
  let until: number | null = null
  for (const { file, from, to } of await segmentsIn(folders)) {
    const segment = await openSegment(await readFile(file).catch(() => new Uint8Array()), identity)
    if (segment?.house !== house) continue
    erased.push(...(segment.erased ?? []))
    furthest = Math.max(furthest, to)
    if (from > reach || to < reach) continue
    for (const key of segment.keys as { id: string }[]) keys.set(key.id, key)
    reach = segment.to
    until = segment.at
  }
  addErasures(join(into, dataFiles.erasures), erased)
  if (until === null) return null
  // Segments behind a gap know of later keys: those between are missing.
  const areMissing = furthest > reach
  const found = { takenAt: Date.parse(backup.takenAt), until, keys: [...keys.values()], areMissing }
  const file = join(into, dataFiles.restoredKeys)
  await writeFile(file, JSON.stringify(found), { mode: 0o600 })
  syncPath(file)
  return until
}

/**
 * Returns the segments in all folders, in the order of the journal: the clock may have been set back between two of them. An
 * unreadable folder has none.
 */
async function segmentsIn(folders: readonly string[]) {
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      return segmentsAmong(names).map((each) => ({ ...each, file: join(folder, each.name) }))
    }),
  )
  return found.flat().sort((a, b) => a.to - b.to || a.from - b.from || a.at - b.at)
}
