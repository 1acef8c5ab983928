import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { guarded } from '../../host/guarded.ts'
import { expectRoom } from '../archive/room.ts'
import { BackupRefused, WrongKey } from '../backup-refused.ts'
import { type Progress, type ProgressMeter, progressMeter } from '../progress.ts'
import type { BackupSource } from '../source.ts'
import { appendTo } from './append-to.ts'
import { isArchive } from './is-archive.ts'
import type { openInThread } from './open-in-thread.ts'
import { decide } from './restore.ts'
import { restorePlaces } from './restore-places.ts'
import {
  isOpen,
  type RestoreRecord,
  type RestoreStep,
  readRecord,
  stepped,
  uploadIn,
  writeRecord,
} from './restore-record.ts'
import type { OpeningPhase } from './restore-thread.ts'

export type Restores = ReturnType<typeof restores>

export interface RestoresOptions {
  data: string
  clock: Clock
  /** The fingerprint of the present property's vault. */
  house: string
  /** Returns the name of the present property; null before it has one. */
  property(): string | null
  /** Returns the places with backups: the box's folders, and its targets. */
  sources(): readonly BackupSource[]
  openBackup(
    task: Parameters<typeof openInThread>[0],
    how: Omit<Parameters<typeof openInThread>[1], 'entry'>,
  ): ReturnType<typeof openInThread>
  /** Called with each step, for the log. */
  stepped(step: RestoreStep, record: RestoreRecord): void
  failed(error: unknown): void
}

export type Phase = 'fetching' | OpeningPhase

/** The origin of a restore: an upload in parts, or a backup of a source. */
export type Origin = { name: string; bytes: number } | { place: string; backup: string }

/**
 * The box's only restore, from its file to the confirmation. The next start executes it, so that the property is
 * complete before and after. `decided` resolves when the appliance must close and start again.
 */
export function restores(options: RestoresOptions) {
  const { data, clock } = options
  let record = readRecord(data)
  let phase: Phase | null = null
  let meter: ProgressMeter | null = null
  let opening: { canceled: AbortController; ended: Promise<void> } | null = null
  /** The part that is being received. A cancellation forgets it, so that it changes nothing any more. */
  let part: object | null = null
  const places = restorePlaces(data, options.sources)
  const decided = Promise.withResolvers<void>()

  /** Records a step. Throws the error of a disk that does not take the record, and the restore is as before. */
  function step(name: RestoreStep, change: Partial<RestoreRecord>, from = record!): RestoreRecord {
    const next = stepped(from, name, clock.now(), change)
    writeRecord(data, next)
    record = next
    options.stepped(name, next)
    return next
  }

  /** Records how work has ended that no request waits for. It has ended also when the disk does not take the record. */
  function ended(name: RestoreStep, change: Partial<RestoreRecord>): void {
    const next = stepped(record!, name, clock.now(), change)
    try {
      step(name, change)
    } catch (error) {
      options.failed(error)
      record = next
    }
  }

  /** Starts a restore. A restore that is not confirmed yet is canceled. Throws BackupRefused. */
  async function begin(origin: Origin): Promise<RestoreRecord> {
    if (record?.state === 'replacing') throw replacing()
    const found = 'place' in origin ? await places.backup(origin.place, origin.backup) : null
    if (!found && 'bytes' in origin) expectRoom(data, origin.bytes)
    if (record && isOpen(record)) await cancel()
    const begun: RestoreRecord = {
      id: randomBytes(16).toString('hex'),
      state: found ? 'waiting-for-key' : 'receiving',
      name: found ? found.name : (origin as { name: string }).name,
      place: 'place' in origin ? origin.place : 'upload',
      totalBytes: found ? found.bytes : (origin as { bytes: number }).bytes,
      contents: null,
      problem: null,
      unitsToCheck: null,
      log: [],
    }
    if (!found) writeFileSync(uploadIn(data), '', { mode: 0o600 })
    return step('begun', {}, begun)
  }

  /** Returns the restore with this id; null when there is none. */
  function find(id: string): RestoreRecord | null {
    if (!record) return null
    const [one, other] = [Buffer.from(id), Buffer.from(record.id)]
    return one.length === other.length && timingSafeEqual(one, other) ? record : null
  }

  /** Returns the number of uploaded bytes on the disk. */
  const received = () => statSync(uploadIn(data), { throwIfNoEntry: false })?.size ?? 0

  /**
   * Appends to an upload that has `received` bytes. The bytes that arrived before a lost connection stay. Rejects with
   * BackupRefused for more bytes than were announced, and when the restore was canceled meanwhile.
   */
  async function receive(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const own = {}
    part = own
    try {
      const { totalBytes } = record!
      meter ??= progressMeter(clock, totalBytes, received())
      const shown = meter
      const bytes = await appendTo(uploadIn(data), chunks, totalBytes, (bytes) => {
        if (part !== own) throw wasCanceled()
        shown.at(bytes)
      })
      if (part !== own) throw wasCanceled()
      if (bytes === totalBytes) {
        meter = null
        arrived()
      }
    } finally {
      if (part === own) part = null
    }
  }

  /** Asks for the key, unless another file was chosen by mistake. */
  function arrived(): void {
    if (isArchive(uploadIn(data))) return void step('received', { state: 'waiting-for-key' })
    const problem = `${record!.name} is not a backup. Choose a file that ends in .tar.gz.age.`
    step('failed', { state: 'failed', problem })
    removeFetched()
  }

  /** Starts to open the backup. The next state is the outcome: `ready`, `waiting-for-key` again, or `failed`. */
  function begins(recoveryKey: string, passphrase: string | null): RestoreRecord {
    const canceled = new AbortController()
    const begun = step('opening', { state: 'opening' })
    meter = progressMeter(clock, begun.totalBytes)
    const work = opened(begun, { recoveryKey, passphrase }, canceled.signal).finally(() => {
      opening = null
      phase = null
      meter = null
    })
    opening = { canceled, ended: work }
    return begun
  }

  async function opened(
    { place, name }: RestoreRecord,
    key: { recoveryKey: string; passphrase: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    let isHere = place === 'upload'
    try {
      const fetched = (bytes: number) => progress('fetching', bytes)
      const file = isHere ? uploadIn(data) : await places.fetch(place, name, { signal, fetched })
      isHere = true
      const segments = await places.segmentFolders(place, signal)
      const task = { file, ...key, data, segments }
      const opened = await options.openBackup(task, { signal, progress })
      const { property, takenAt, version, reason, house } = opened
      const replaces = house === options.house ? null : options.property()
      const keysUntil = opened.keysUntil === null ? null : new Date(opened.keysUntil).toISOString()
      step('opened', {
        state: 'ready',
        contents: { property, takenAt, version, reason, keysUntil, replaces },
      })
    } catch (error) {
      // What cannot be removed now is removed before the next backup is opened.
      guarded(options.failed, removeUnpacked)()
      if (signal.aborted) {
        // What has aborted it records that; a stop does not, so that it goes on after the next start.
        record = { ...record!, state: 'waiting-for-key' }
        return
      }
      if (!(error instanceof BackupRefused)) options.failed(error)
      const problem = (error as Error).message
      if (error instanceof WrongKey) ended('refused', { state: 'waiting-for-key', problem })
      // The place may answer again, and goes on where it stopped.
      else if (!isHere) ended('not-fetched', { state: 'waiting-for-key', problem })
      else ended('failed', { state: 'failed', problem })
    }
  }

  function progress(now: Phase, bytes: number): void {
    phase = now
    if (now !== 'checking') meter?.at(bytes)
  }

  /** Confirms the restore. The next start executes it. */
  function apply(): RestoreRecord {
    const before = record!
    const confirmed = step('confirmed', { state: 'replacing' })
    try {
      decide(data)
    } catch (error) {
      record = before
      writeRecord(data, before)
      throw error
    }
    decided.resolve()
    return confirmed
  }

  /** Cancels the restore and deletes its file. The property is unchanged. */
  async function cancel(): Promise<void> {
    part = null
    meter = null
    opening?.canceled.abort(wasCanceled())
    await opening?.ended
    step('canceled', { state: 'canceled' })
    removeUnpacked()
    removeFetched()
  }

  function removeUnpacked(): void {
    rmSync(join(data, dataFiles.restoreUnpacked), { recursive: true, force: true })
  }

  function removeFetched(): void {
    rmSync(uploadIn(data), { force: true })
    rmSync(join(data, dataFiles.restoreSegments), { recursive: true, force: true })
  }

  // The power was cut after the last byte, before it was noted.
  if (record?.state === 'receiving' && received() === record.totalBytes) arrived()

  return {
    sources: places.all,
    give: places.give,
    begin,
    find,
    received,
    isReceiving: () => part !== null,
    receive,
    begins,
    apply,
    cancel,
    /** Resolves when a restore was confirmed, so that the appliance must close and start again. */
    decided: decided.promise,
    phase: (): Phase | null => phase,
    progress: (): Progress | null => meter?.shown() ?? null,
    isUnderWay: (): boolean => opening !== null,
    /** Returns the present work on the backup, with its bytes; null while it waits for a person. */
    work():
      | ({ step: 'receiving' | Phase; totalBytes: number } & Pick<Progress, 'bytes' | 'secondsLeft'>)
      | null {
      const step = record?.state === 'receiving' ? 'receiving' : phase
      if (!record || step === null) return null
      const { bytes = received(), secondsLeft = null } = meter?.shown() ?? {}
      return { step, bytes, totalBytes: record.totalBytes, secondsLeft }
    },
    /** Records that the appliance has started with the restored property. */
    done(unitsToCheck: number): void {
      if (record?.state !== 'replacing') return
      step('done', { state: 'done', unitsToCheck })
      removeFetched()
    },
    /** Stops opening a backup, and resolves when the work has ended. The restore can continue after the next start. */
    async close(): Promise<void> {
      opening?.canceled.abort(new BackupRefused('The appliance is stopping.'))
      await opening?.ended
    },
  }
}

function wasCanceled(): BackupRefused {
  return new BackupRefused('The restore was canceled.')
}

function replacing(): BackupRefused {
  return new BackupRefused('A restore is being carried out. Wait until the appliance has started again.')
}
