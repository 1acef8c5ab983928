import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import type { BackupFile } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { BackupSource } from '../source.ts'
import type { TargetSettings } from '../targets/target.ts'
import { targetSource } from '../targets/target-source.ts'
import { givenPlace, uploadIn } from './restore-record.ts'

/** The places from which a backup can be restored: `known` returns the box's folders and its targets. */
export function restorePlaces(data: string, known: () => readonly BackupSource[]) {
  /** A target with its secret, which is not stored: a start of the appliance forgets it. */
  let given: BackupSource | null = null

  const all = (): readonly BackupSource[] => (given ? [...known(), given] : known())

  function of(place: string): BackupSource {
    const source = all().find(({ id }) => id === place)
    if (!source) throw new BackupRefused(`There is no place ${place}. List the backups again.`)
    return source
  }

  return {
    all,

    /** Adds a target to the places of this restore. Returns it as a source. */
    give(settings: TargetSettings): BackupSource {
      given = targetSource(givenPlace, settings.kind, () => settings)
      return given
    },

    /** Resolves with the backup of a place. Rejects with BackupRefused when there is none any more. */
    async backup(place: string, id: string): Promise<BackupFile> {
      const file = (await of(place).list()).find((each) => each.id === id)
      if (!file) throw new BackupRefused(`There is no backup ${id} any more. List the backups again.`)
      return file
    },

    /** Fetches the backup with this name, and resolves with its path on this box. Rejects with BackupRefused. */
    async fetch(
      place: string,
      name: string,
      how: { signal: AbortSignal; fetched(bytes: number): void },
    ): Promise<string> {
      const source = of(place)
      const file = (await source.list()).find((each) => each.name === name)
      if (!file) throw new BackupRefused(`The backup ${name} is not there any more.`)
      return source.fetch(file, { into: uploadIn(data), ...how })
    },

    /**
     * Resolves with the folders with segments of keys: those of the box and its stick, and of the backup's place. A
     * place that does not answer has none, because the backup can be restored without them.
     */
    async segmentFolders(place: string, signal: AbortSignal): Promise<string[]> {
      const into = join(data, dataFiles.restoreSegments)
      await rm(into, { recursive: true, force: true })
      const places = all().filter(({ id, isFolder }) => isFolder || id === place)
      const found = await Promise.allSettled(places.map((each) => each.segments(join(into, each.id), signal)))
      return found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    },
  }
}
