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
import type { TargetSettings } from '../targets/target.ts'
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

type RecoveryKey = Record<'recoveryKey', string> & Record<'passphrase', string | null>

/** The origin of a restore: an upload in parts, or a backup of a source. */
export type Origin = { name: string; bytes: number } | { place: string; backup: string }

/**
 * The box's only restore, from its file to the confirmation. The next start executes it, so that the property is
 * complete before and after. `decided` resolves when the appliance must close and start again.
 */
export class Restores {
  readonly #options: RestoresOptions
  readonly #data: string
  #record: RestoreRecord | null
  #phase: Phase | null = null
  #meter: ProgressMeter | null = null
  #opening: { canceled: AbortController; ended: Promise<void> } | null = null
  /** The part that is being received. A cancellation forgets it, so that it changes nothing any more. */
  #part: object | null = null
  readonly #places
  readonly #decided = Promise.withResolvers<void>()

  /** Resolves when a restore was confirmed, so that the appliance must close and start again. */
  readonly decided = this.#decided.promise
  /** Returns the number of uploaded bytes on the disk. */
  readonly received = () => statSync(uploadIn(this.#data), { throwIfNoEntry: false })?.size ?? 0
  readonly isReceiving = () => this.#part !== null
  readonly phase = (): Phase | null => this.#phase
  readonly progress = (): Progress | null => this.#meter?.shown() ?? null
  readonly isUnderWay = (): boolean => this.#opening !== null
  /** As `restorePlaces` has them: all sources, and one more that a person gives. */
  readonly sources = () => this.#places.all()
  readonly give = (target: TargetSettings) => this.#places.give(target)

  constructor(options: RestoresOptions) {
    this.#options = options
    const { data } = options
    this.#data = data
    this.#record = readRecord(data)
    this.#places = restorePlaces(data, options.sources)
    // The power was cut after the last byte, before it was noted.
    if (this.#record?.state === 'receiving' && this.received() === this.#record.totalBytes) this.#arrived()
  }

  /** Starts a restore. A restore that is not confirmed yet is canceled. Throws BackupRefused. */
  async begin(origin: Origin): Promise<RestoreRecord> {
    if (this.#record?.state === 'replacing') throw replacing()
    const found = 'place' in origin ? await this.#places.backup(origin.place, origin.backup) : null
    if (!found && 'bytes' in origin) expectRoom(this.#data, origin.bytes)
    if (this.#record && isOpen(this.#record)) await this.cancel()
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
    if (!found) writeFileSync(uploadIn(this.#data), '', { mode: 0o600 })
    return this.#step('begun', {}, begun)
  }

  /** Returns the restore with this id; null when there is none. */
  find(id: string): RestoreRecord | null {
    if (!this.#record) return null
    const [one, other] = [Buffer.from(id), Buffer.from(this.#record.id)]
    return one.length === other.length && timingSafeEqual(one, other) ? this.#record : null
  }

  /**
   * Appends to an upload that has `received` bytes. The bytes that arrived before a lost connection stay. Rejects with
   * BackupRefused for more bytes than were announced, and when the restore was canceled meanwhile.
   */
  async receive(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const own = {}
    this.#part = own
    try {
      const { totalBytes } = this.#record!
      this.#meter ??= progressMeter(this.#options.clock, totalBytes, this.received())
      const shown = this.#meter
      const bytes = await appendTo(uploadIn(this.#data), chunks, totalBytes, (bytes) => {
        if (this.#part !== own) throw wasCanceled()
        shown.at(bytes)
      })
      if (this.#part !== own) throw wasCanceled()
      if (bytes === totalBytes) {
        this.#meter = null
        this.#arrived()
      }
    } finally {
      if (this.#part === own) this.#part = null
    }
  }

  /** Starts to open the backup. The next state is the outcome: `ready`, `waiting-for-key` again, or `failed`. */
  begins(recoveryKey: string, passphrase: string | null): RestoreRecord {
    const canceled = new AbortController()
    const begun = this.#step('opening', { state: 'opening' })
    this.#meter = progressMeter(this.#options.clock, begun.totalBytes)
    const work = this.#open(begun, { recoveryKey, passphrase }, canceled.signal).finally(() => {
      this.#opening = null
      this.#phase = null
      this.#meter = null
    })
    this.#opening = { canceled, ended: work }
    return begun
  }

  /** Confirms the restore. The next start executes it. */
  apply(): RestoreRecord {
    const before = this.#record!
    const confirmed = this.#step('confirmed', { state: 'replacing' })
    try {
      decide(this.#data)
    } catch (error) {
      this.#record = before
      writeRecord(this.#data, before)
      throw error
    }
    this.#decided.resolve()
    return confirmed
  }

  /** Cancels the restore and deletes its file. The property is unchanged. */
  async cancel(): Promise<void> {
    this.#part = null
    this.#meter = null
    this.#opening?.canceled.abort(wasCanceled())
    await this.#opening?.ended
    this.#step('canceled', { state: 'canceled' })
    removeUnpacked(this.#data)
    removeFetched(this.#data)
  }

  /** Returns the present work on the backup, with its bytes; null while it waits for a person. */
  work():
    | ({ step: 'receiving' | Phase; totalBytes: number } & Pick<Progress, 'bytes' | 'secondsLeft'>)
    | null {
    const step = this.#record?.state === 'receiving' ? 'receiving' : this.#phase
    if (!this.#record || step === null) return null
    const { bytes = this.received(), secondsLeft = null } = this.#meter?.shown() ?? {}
    return { step, bytes, totalBytes: this.#record.totalBytes, secondsLeft }
  }

  /** Records that the appliance has started with the restored property. */
  done(unitsToCheck: number): void {
    if (this.#record?.state !== 'replacing') return
    this.#step('done', { state: 'done', unitsToCheck })
    removeFetched(this.#data)
  }

  /** Stops opening a backup, and resolves when the work has ended. The restore can continue after the next start. */
  async close(): Promise<void> {
    this.#opening?.canceled.abort(new BackupRefused('The appliance is stopping.'))
    await this.#opening?.ended
  }

  /** Records a step. Throws the error of a disk that does not take the record, and the restore is as before. */
  #step(name: RestoreStep, change: Partial<RestoreRecord>, from = this.#record!): RestoreRecord {
    const next = stepped(from, name, this.#options.clock.now(), change)
    writeRecord(this.#data, next)
    this.#record = next
    this.#options.stepped(name, next)
    return next
  }

  /** Records how work has ended that no request waits for. It has ended also when the disk does not take the record. */
  #ended(name: RestoreStep, change: Partial<RestoreRecord>): void {
    const next = stepped(this.#record!, name, this.#options.clock.now(), change)
    try {
      this.#step(name, change)
    } catch (error) {
      this.#options.failed(error)
      this.#record = next
    }
  }

  /** Asks for the key, unless another file was chosen by mistake. */
  #arrived(): void {
    if (isArchive(uploadIn(this.#data))) return void this.#step('received', { state: 'waiting-for-key' })
    const problem = `${this.#record!.name} is not a backup. Choose a file that ends in .tar.gz.age.`
    this.#step('failed', { state: 'failed', problem })
    removeFetched(this.#data)
  }

  async #open({ place, name }: RestoreRecord, key: RecoveryKey, signal: AbortSignal): Promise<void> {
    const data = this.#data
    let isHere = place === 'upload'
    try {
      const progress = (now: Phase, bytes: number) => this.#worksOn(now, bytes)
      const fetched = (bytes: number) => progress('fetching', bytes)
      const file = isHere ? uploadIn(data) : await this.#places.fetch(place, name, { signal, fetched })
      isHere = true
      const segments = await this.#places.segmentFolders(place, signal)
      const opened = await this.#options.openBackup({ file, ...key, data, segments }, { signal, progress })
      const { property, takenAt, version, reason, house } = opened
      const replaces = house === this.#options.house ? null : this.#options.property()
      const keysUntil = opened.keysUntil === null ? null : new Date(opened.keysUntil).toISOString()
      const contents = { property, takenAt, version, reason, keysUntil, replaces }
      this.#step('opened', { state: 'ready', contents })
    } catch (error) {
      // What cannot be removed now is removed before the next backup is opened.
      guarded(this.#options.failed, () => removeUnpacked(data))()
      if (signal.aborted) {
        // What has aborted it records that; a stop does not, so that it goes on after the next start.
        this.#record = { ...this.#record!, state: 'waiting-for-key' }
        return
      }
      if (!(error instanceof BackupRefused)) this.#options.failed(error)
      const problem = (error as Error).message
      if (error instanceof WrongKey) this.#ended('refused', { state: 'waiting-for-key', problem })
      // The place may answer again, and goes on where it stopped.
      else if (!isHere) this.#ended('not-fetched', { state: 'waiting-for-key', problem })
      else this.#ended('failed', { state: 'failed', problem })
    }
  }

  #worksOn(now: Phase, bytes: number): void {
    this.#phase = now
    if (now !== 'checking') this.#meter?.at(bytes)
  }
}

function removeUnpacked(data: string): void {
  rmSync(join(data, dataFiles.restoreUnpacked), { recursive: true, force: true })
}

function removeFetched(data: string): void {
  rmSync(uploadIn(data), { force: true })
  rmSync(join(data, dataFiles.restoreSegments), { recursive: true, force: true })
}

function wasCanceled(): BackupRefused {
  return new BackupRefused('The restore was canceled.')
}

function replacing(): BackupRefused {
  return new BackupRefused('A restore is being carried out. Wait until the appliance has started again.')
}
