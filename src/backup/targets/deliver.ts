import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { fileDigest, readArchive } from '../archive/encrypted-archive.ts'
import { backupNamed } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import { outdated, type RotationRules } from '../rotation/rotation.ts'
import { openTarget } from './open-target.ts'
import type { Target, TargetFile, TargetSettings } from './target.ts'

/** The task of the delivery thread: send one backup to one target, and read it back. */
export interface DeliveryTask {
  target: TargetSettings
  /** The path of the backup on the box, which was verified when it was made. */
  file: string
  /** The identity that decrypts only this backup; null when the program was restarted since. */
  identity: string | null
  /** The rules for keeping backups at the target; null removes none. */
  rules: RotationRules | null
  /** The IANA time zone of the property. */
  zone: string
  /** Unix milliseconds. */
  now: number
}

export interface DeliveryProgress {
  phase: 'sending' | 'verifying'
  bytes: number
  totalBytes: number
}

interface Delivering {
  signal: AbortSignal
  progress(now: DeliveryProgress): void
}

/**
 * Sends a backup to a target unless the target has it, reads it back and compares it with the file on the box. With the
 * identity it also decrypts the file and reads every part, as a restore does. Then it removes old backups from the
 * target, but never the one that was just verified. Rejects with BackupRefused.
 */
export async function deliver(task: DeliveryTask, how: Delivering): Promise<void> {
  const { file, rules } = task
  const name = basename(file)
  const expected = await fileDigest(file)
  const target = await openTarget(task.target)
  try {
    const there = await target.list()
    // What keeps a part from being removed is reported at the end, and keeps no backup from being sent.
    await removeOtherParts(target, there, name).catch(() => {})
    const isThere = there.some((each) => each.name === name && each.bytes === expected.bytes)
    if (!isThere) {
      const sent = (bytes: number) => how.progress({ phase: 'sending', bytes, totalBytes: expected.bytes })
      await target.send(file, name, { bytes: expected.bytes, signal: how.signal, sent })
    }
    await verify(target, task, expected, how)
    const kept = await target.list()
    await removeOtherParts(target, kept, name)
    if (rules) await removeOutdated(target, kept, name, rules, task)
  } finally {
    target.close()
  }
}

async function verify(
  target: Target,
  { file, identity, target: { name: place } }: DeliveryTask,
  expected: { bytes: number; sha256: string },
  { signal, progress }: Delivering,
): Promise<void> {
  const name = basename(file)
  const hash = createHash('sha256')
  let bytes = 0
  let isLineCut = false
  const content = await target.read(name, 0, signal)
  const counted = async function* () {
    try {
      for await (const chunk of content) {
        bytes += chunk.length
        hash.update(chunk)
        progress({ phase: 'verifying', bytes, totalBytes: expected.bytes })
        yield chunk
      }
    } catch (error) {
      isLineCut = true
      throw error
    }
  }
  try {
    if (identity) {
      const stream = ReadableStream.from(counted())
      const parts = await readArchive({ name, content: stream }, identity, () => null)
      if (parts.length === 0) throw new BackupRefused(`${name} is empty.`)
    } else for await (const _ of counted());
    if (hash.digest('hex') === expected.sha256) return
  } catch (error) {
    // A lost connection proves nothing about the file.
    if (isLineCut || signal.aborted) throw error
  }
  await target.remove(name)
  throw new BackupRefused(
    `${place} gave back other bytes than were sent, so ${name} was deleted there and will be sent again. If this persists, replace the stick or the disk of the target.`,
  )
}

const part = '.part'

/**
 * Removes the parts of other backups that interrupted attempts have left. It does so before a backup is sent: where each attempt
 * fails, one would be left by every backup until the target is full.
 */
async function removeOtherParts(target: Target, there: readonly TargetFile[], sent: string): Promise<void> {
  const isOther = ({ name }: TargetFile) =>
    name.endsWith(part) && name !== `${sent}${part}` && backupNamed(name.slice(0, -part.length), 0) !== null
  await removeAll(target, there.filter(isOther))
}

/** Removes files from a target. One that cannot be removed keeps no other; the first error is thrown at the end. */
async function removeAll(target: Target, files: readonly { name: string }[]): Promise<void> {
  const failures: unknown[] = []
  for (const { name } of files) await target.remove(name).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function removeOutdated(
  target: Target,
  there: readonly TargetFile[],
  verified: string,
  rules: RotationRules,
  { zone, now }: DeliveryTask,
): Promise<void> {
  const found = there.flatMap(({ name, bytes }) => backupNamed(name, bytes) ?? [])
  const old = outdated(found, rules, zone, now)
  await removeAll(
    target,
    old.filter(({ name }) => name !== verified),
  )
}
