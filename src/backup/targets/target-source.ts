import { open, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../host/files/make-folders.ts'
import { expectRoom } from '../archive/room.ts'
import { type BackupFile, backupNamed } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import { segmentsAmong } from '../segment-name.ts'
import type { BackupSource } from '../source.ts'
import { openTarget } from './open-target.ts'
import type { Target, TargetKind, TargetSettings } from './target.ts'

/** The largest number of downloaded segments of keys; a chain has fewer. */
const mostSegments = 200

/**
 * Returns a target as a source of restores. A backup is written to the disk while it arrives. An interrupted download
 * continues.
 */
export function targetSource(id: string, kind: TargetKind, settings: () => TargetSettings): BackupSource {
  async function within<T>(work: (target: Target) => Promise<T>): Promise<T> {
    const target = await openTarget(settings())
    try {
      return await work(target)
    } finally {
      target.close()
    }
  }

  async function list(): Promise<BackupFile[]> {
    const found = await within((target) => target.list())
    return found
      .flatMap(({ name, bytes }) => backupNamed(name, bytes) ?? [])
      .sort((one, other) => other.takenAt - one.takenAt)
  }

  /** Returns the size of an earlier interrupted download. */
  let begun: { name: string; into: string } | null = null

  const fetch: BackupSource['fetch'] = ({ name, bytes }, { into, signal, fetched }) =>
    within(async (target) => {
      const isBegun = begun?.name === name && begun.into === into
      const there = isBegun ? ((await stat(into).catch(() => null))?.size ?? 0) : 0
      begun = { name, into }
      const from = there <= bytes ? there : 0
      expectRoom(dirname(into), bytes - from)
      const file = await open(into, from > 0 ? 'r+' : 'w', 0o600)
      let done = from
      try {
        for await (const chunk of await target.read(name, from, signal)) {
          if (done + chunk.length > bytes)
            throw new BackupRefused(`${settings().name} sent more than the ${bytes} bytes of ${name}.`)
          await file.write(chunk, 0, chunk.length, done)
          done += chunk.length
          fetched(done)
        }
        await file.sync()
      } finally {
        await file.close()
      }
      if (done !== bytes)
        throw new BackupRefused(
          `${settings().name} sent ${done} of ${bytes} bytes of ${name}. Open it again: it goes on there.`,
        )
      return into
    })

  const segments: BackupSource['segments'] = (into, signal) =>
    within(async (target) => {
      makeFolders(into, 0o700)
      const there = segmentsAmong((await target.list()).map(({ name }) => name))
      for (const { name } of there.slice(-mostSegments))
        await writeFile(join(into, name), await target.read(name, 0, signal), { mode: 0o600 })
      return into
    })

  return { id, isFolder: kind === 'folder', list, fetch, segments }
}
