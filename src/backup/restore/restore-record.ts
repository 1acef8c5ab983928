import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { writeDurably } from '../../host/files/durable.ts'
import type { Manifest } from '../archive/manifest.ts'

/**
 * `receiving`: the upload is incomplete. `waiting-for-key`: the file is complete. `opening`: it is being decrypted and
 * checked beside the property. `ready`: it was opened, and a person must confirm. `replacing`: the property is being
 * replaced, and the appliance restarts with the restored one. The last three are final.
 */
export const restoreStates = [
  'receiving',
  'waiting-for-key',
  'opening',
  'ready',
  'replacing',
  'done',
  'failed',
  'canceled',
] as const
export type RestoreState = (typeof restoreStates)[number]

/** An event in the log of a restore. */
export const restoreSteps = [
  'begun',
  'received',
  'opening',
  'refused',
  'not-fetched',
  'opened',
  'interrupted',
  'confirmed',
  'replaced',
  'done',
  'failed',
  'canceled',
] as const
export type RestoreStep = (typeof restoreSteps)[number]

/** The content of a backup, from its manifest. */
export interface Contents extends Pick<Manifest, 'property' | 'takenAt' | 'version' | 'reason'> {
  /** Until this time, segments beside the backup contain every key, ISO 8601; null without segments. */
  keysUntil: string | null
  /**
   * The name of the property on this box, if the backup is of another one: the restore replaces it as a whole. Null for a backup
   * of the same property, and on a box whose property has no name yet.
   */
  replaces: string | null
}

/** The record of the box's only restore, on the disk. It outlives the property that it replaces. */
export interface RestoreRecord {
  /** 128 random bits. A client that knows the id may read and continue the restore. */
  id: string
  state: RestoreState
  /** The name of the file. */
  name: string
  /** The origin of the file: `upload`, or the id of a source. */
  place: string
  /** The size of the whole file. */
  totalBytes: number
  contents: Contents | null
  /** Why the last step failed, for people. */
  problem: string | null
  /** After the restore: the number of units that may have keys unknown to the box. */
  unitsToCheck: number | null
  log: { at: string; step: RestoreStep }[]
}

/** The states from which a restore can continue. */
export function isOpen({ state }: RestoreRecord): boolean {
  return state !== 'done' && state !== 'failed' && state !== 'canceled'
}

/** Returns the newest restore of a data folder; null without one. */
export function readRecord(data: string): RestoreRecord | null {
  try {
    return JSON.parse(readFileSync(join(data, dataFiles.restoreRecord), 'utf8')) as RestoreRecord
  } catch (error) {
    const isOurs = (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError
    if (isOurs) return null
    throw error
  }
}

/** Writes the record durably. */
export function writeRecord(data: string, record: RestoreRecord): void {
  writeDurably(join(data, dataFiles.restoreRecord), JSON.stringify(record))
}

/** Returns the record in another state, with a line in its log. `now` in Unix milliseconds. */
export function stepped(
  record: RestoreRecord,
  step: RestoreStep,
  now: number,
  change: Partial<RestoreRecord>,
): RestoreRecord {
  const log = [...record.log, { at: new Date(now).toISOString(), step }]
  return { ...record, problem: null, ...change, log: log.slice(-mostLines) }
}

/** The place that a person named for one restore. Its secret is not stored, so a start of the appliance forgets it. */
export const givenPlace = 'given-target'

const forgotten =
  'The box has started again, and does not store the access to the place of the backup. Begin again.'

/** Limits the log, because wrong keys would add lines without end. */
const mostLines = 100

/** The path of an uploaded backup. */
export function uploadIn(data: string): string {
  return join(data, dataFiles.restoreUpload)
}

/**
 * Reconciles the record with the disk at a start, before an interrupted restore is completed or undone. A power cut
 * deletes the unpacked files, and the recovery key is never stored, so the restore then waits for the key again.
 * Returns whether a person confirmed a restore that this start executes.
 */
export function settleRecord(data: string, now: number): boolean {
  const record = readRecord(data)
  if (!record) return false
  const isUndone = existsSync(join(data, dataFiles.restoreUnpacked))
  const wasOpen = record.state === 'opening' || record.state === 'ready'
  if (record.place === givenPlace && (wasOpen || record.state === 'waiting-for-key'))
    writeRecord(data, stepped(record, 'failed', now, { state: 'failed', problem: forgotten }))
  else if (wasOpen || (record.state === 'replacing' && isUndone))
    writeRecord(data, stepped(record, 'interrupted', now, { state: 'waiting-for-key' }))
  if (!isOpen(record)) rmSync(uploadIn(data), { force: true })
  return record.state === 'replacing' && !isUndone
}
