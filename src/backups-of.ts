import type { BackupTask } from './backup/backup-thread.ts'
import { backups } from './backup/backups.ts'
import { backupInThread } from './backup/in-thread.ts'
import { nightly } from './backup/nightly.ts'
import type { Config } from './config.ts'
import type { JudgedClock } from './host/judged-clock.ts'
import type { Log } from './host/log.ts'
import type { Store } from './jsonapi/resource-routes.ts'
import { zoneOf } from './reservation/property/house.ts'

interface Options {
  config: Config
  version: string
  clock: JudgedClock
  store: Store
  /** The program itself, which the backup thread runs. */
  entry: URL
  log: Log
}

/** Creates the backups of a running property, and the nightly schedule. */
export function backupsOf({ config, version, clock, store, entry, log }: Options) {
  const { reader, writer } = store
  const options = {
    ...config.backup,
    data: config.data,
    version,
    clock,
    writer,
    zone: () => zoneOf(reader),
    mayRemove: clock.mayForget,
    carryOut: (task: BackupTask, signal: AbortSignal) => backupInThread(task, { entry, clock, signal }),
    changed: (problem: string | null) =>
      log.warn({ problem }, problem ? 'backups fail' : 'backups are made again'),
  }
  const keptBackups = backups(options)
  return { keptBackups, nights: nightly(keptBackups, options) }
}
