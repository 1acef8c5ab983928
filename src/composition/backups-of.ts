import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { keysChanged } from '../access/keys/known-keys.ts'
import { digestOfSubject } from '../backup/archive/erased.ts'
import type { BackupFile } from '../backup/backup-files.ts'
import type { BackupTask } from '../backup/backup-thread.ts'
import { Backups, backupFolder } from '../backup/backups.ts'
import { backupInThread } from '../backup/in-thread.ts'
import { keySegments } from '../backup/keys/key-segments.ts'
import { segmentInThread } from '../backup/keys/segment-in-thread.ts'
import { nightly } from '../backup/nightly.ts'
import type { Watch } from '../backup/progress.ts'
import { openInThread } from '../backup/restore/open-in-thread.ts'
import { Restores } from '../backup/restore/restores.ts'
import type { RecoverySheets } from '../backup/sheet/recovery-sheet.ts'
import type { Sheets } from '../backup/sheet/sheet-routes.ts'
import { type BackupSource, folderSource } from '../backup/source.ts'
import { type BackupTarget, backupTarget } from '../backup/targets/backup-target.ts'
import { deliverInThread } from '../backup/targets/deliver-in-thread.ts'
import { type Deliveries, deliveries } from '../backup/targets/deliveries.ts'
import { settingsOf, targetsOf } from '../backup/targets/opened-targets.ts'
import { expectUsableStick } from '../backup/targets/stick.ts'
import type { TargetSettings } from '../backup/targets/target.ts'
import { targetSource } from '../backup/targets/target-source.ts'
import type { Config } from '../config.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import type { JudgedClock } from '../host/judged-clock.ts'
import type { Log } from '../host/log.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { cachedSettings, zoneOf } from '../reservation/resources/house.ts'
import type { Questions } from '../resource/command.ts'
import type { Trouble } from '../store/disk/disk-trouble.ts'

interface Options {
  config: Config
  version: string
  clock: JudgedClock
  store: Store
  /** The program itself, which the backup thread runs. */
  entry: URL
  log: Log
  /** Called when a part of the database could not be read. */
  unreadable(trouble: Trouble): void
  background: BackgroundWork
  unseal(sealed: string, context: string): string
  /** The fingerprint of the property's vault. */
  fingerprint: string
  failed(error: unknown): void
}

/** Creates the backups of a running property, their deliveries to its targets, and the nightly schedule. */
export function backupsOf(all: Options) {
  const { config, version, clock, store, entry, log, unreadable, background, unseal, failed } = all
  const { reader, writer } = store
  let sent: Deliveries | null = null
  const options = {
    ...config.backup,
    schedule: () => cachedSettings(reader)?.backupSchedule ?? config.backup,
    data: config.data,
    version,
    clock,
    background,
    writer,
    zone: () => zoneOf(reader),
    mayRemove: clock.mayForget,
    carryOut: (task: BackupTask, signal: AbortSignal, watch: Watch) =>
      backupInThread(task, { entry, clock, signal, watch, unreadable }),
    changed: (problem: string | null) =>
      log.warn({ problem }, problem ? 'backups fail' : 'backups are made again'),
    made: (file: BackupFile, identity: string) => sent?.made(file, identity),
  }
  const keptBackups = new Backups(options)
  sent = deliveries({
    ...options,
    reader,
    folder: backupFolder(config.data, config.backup),
    list: () => keptBackups.list(),
    unseal,
    carryOut: (task, how) => deliverInThread(task, { entry, ...how }),
    failed,
  })
  const { problem } = sent
  const segments = segmentsOf(all)
  const state = async () => {
    const ofBox = await keptBackups.state()
    const ofTargets = enabledTargets(reader).map(({ verifiedAt }) => verifiedAt ?? null)
    const verified = [keptBackups.copiedAt(), ...ofTargets].filter((at) => at !== null)
    const keys = segments.state()
    const elsewhere = { places: keys.media, verifiedAt: verified.length > 0 ? Math.max(...verified) : null }
    return { ...ofBox, problem: ofBox.problem ?? problem(), keys, elsewhere }
  }
  const nights = nightly(keptBackups, options)
  return { keptBackups, backupState: state, nights, deliveries: sent, segments }
}

function enabledTargets(reader: Store['reader']): BackupTarget[] {
  return targetsOf(reader).filter(({ enabled }) => enabled !== false)
}

/** Creates what sends keys between two backups to the second folder and to each target. */
function segmentsOf({ config, clock, store, entry, log, background, unseal, fingerprint, failed }: Options) {
  const { reader } = store
  const { copyTo } = config.backup
  const folder = (path: string): TargetSettings => ({
    name: path,
    kind: 'folder',
    url: pathToFileURL(path).href,
    user: null,
    secret: null,
    hostKey: null,
    region: null,
  })
  return keySegments({
    data: config.data,
    clock,
    background,
    house: fingerprint,
    lastSequence: reader.lastSequence,
    sequenceBefore(at) {
      const before = reader.count(
        `SELECT coalesce((SELECT sequence FROM journal WHERE at < ? ORDER BY sequence DESC LIMIT 1), (SELECT min(sequence) - 1 FROM journal), 0)`,
        at,
      )
      // A restore has lost keys, so no segment may continue an older backup across it.
      const restored =
        "SELECT coalesce(max(sequence), 0) FROM journal WHERE sequence > ? AND type = 'system.restored'"
      return Math.max(before, reader.count(restored, before))
    },
    keysChanged: (after, to) => keysChanged(reader, after, to),
    erased: (after, to) =>
      reader
        .all<{ subject: string }>(
          "SELECT subject FROM journal WHERE sequence > ? AND sequence <= ? AND type = 'profile.anonymized'",
          after,
          to,
        )
        .map(({ subject }) => digestOfSubject(subject)),
    count: () => Number(copyTo !== null) + enabledTargets(reader).length,
    media: () => [
      ...(copyTo === null ? [] : [folder(copyTo)]),
      ...enabledTargets(reader).map((each) => settingsOf(each, unseal)),
    ],
    send: (task, signal) => segmentInThread(task, { entry, clock, signal }),
    changed: (medium, problem) =>
      log.warn({ medium, problem }, problem ? 'keys do not reach a second medium' : 'keys reach it again'),
    failed,
  })
}

/**
 * Where the image of a box mounts a stick. Elsewhere there is no such folder, and so no backup in it. A target on the
 * stick has its backups in the folder `nightporter` of the stick.
 */
const stick = '/media/nightporter'

/** Creates the restore of a running property. */
export function restoresOf({
  config,
  clock,
  store,
  entry,
  log,
  unseal,
  fingerprint,
}: Omit<Options, 'version' | 'background' | 'failed'>) {
  const { data, backup } = config
  const onBox = [
    folderSource('box', backupFolder(data, backup), clock),
    ...(backup.copyTo === null ? [] : [folderSource('second-copy', backup.copyTo, clock)]),
    stickSource(folderSource('stick', stick, clock)),
    folderSource('stick-target', join(stick, 'nightporter'), clock),
  ]
  /** Kept, so that a fetch that was cut off goes on. */
  const kept = new Map<string, BackupSource>()
  const sourceOf = (target: BackupTarget): BackupSource => {
    const { id, kind } = target
    const settings = () => settingsOf(store.reader.row(backupTarget, id) ?? target, unseal)
    const source = kept.get(id) ?? targetSource(id, kind, settings)
    kept.set(id, source)
    return source
  }
  return new Restores({
    data,
    clock,
    house: fingerprint,
    property: () => propertyName(store.reader),
    sources: () => [...onBox, ...targetsOf(store.reader).map(sourceOf)],
    openBackup: (task, how) => openInThread(task, { entry, ...how }),
    stepped: (step, { state, name, problem }) =>
      log.warn({ step, state, name, ...(problem && { problem }) }, 'restore of a backup'),
    failed: (err) => log.error({ err }, 'a backup could not be opened'),
  })
}

/** The folder of the stick as a place with backups. Its list is refused while a stick is in that the box cannot use. */
function stickSource(source: BackupSource): BackupSource {
  const list = async () => {
    expectUsableStick()
    return source.list()
  }
  return { ...source, list }
}

/** Creates the recovery sheets. Their libraries are loaded by the first that is made. */
export function sheetsOf(data: string, clock: Clock, reader: Questions): Sheets {
  let open: Promise<RecoverySheets> | null = null
  return {
    data,
    property: () => propertyName(reader),
    open: () => {
      open ??= import('../backup/sheet/recovery-sheet.ts').then(({ recoverySheets }) =>
        recoverySheets({ data, clock }),
      )
      return open
    },
  }
}

const propertyName = (reader: Questions) => reader.text('SELECT name FROM property LIMIT 1')
