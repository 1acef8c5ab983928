import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { writeDurably } from '../../host/files/durable.ts'
import { BackupRefused } from '../backup-refused.ts'
import { segmentName, segmentsAmong } from '../segment-name.ts'
import { openTarget } from '../targets/open-target.ts'
import type { Target, TargetSettings } from '../targets/target.ts'
import { type Segment, sealSegment } from './segment.ts'

/** The task of the thread that sends one segment to one second medium. */
export interface SegmentTask {
  /** The data folder. */
  data: string
  place: TargetSettings
  recipients: string[]
  segment: Segment
  /** Earlier segments that this one replaces. They are removed after this one was read back. */
  replaces: string[]
  /** Earlier segments that this one continues. They stay, also when they look old because the clock was set. */
  continues: string[]
}

/** How long a segment is kept that no later one replaces, such as a segment of a box before its restore. */
const keptMs = 3 * 86_400_000
/** The largest number of segments at one place. */
const mostFiles = 400

/**
 * Writes a segment, reads it back and compares it. Then removes the segments that it replaces and old ones. Rejects
 * with BackupRefused.
 */
export async function sendSegment(task: SegmentTask, signal: AbortSignal): Promise<void> {
  const { data, place, recipients, segment, replaces, continues } = task
  const name = segmentName(segment)
  const file = join(data, dataFiles.keySegment)
  const content = await sealSegment(segment, recipients)
  const target = await openTarget(place)
  try {
    writeDurably(file, content)
    await target.send(file, name, { bytes: content.length, signal, sent() {} })
    if (digestOf([content]) !== digestOf(await contentOf(target, name, signal)))
      throw new BackupRefused(
        `${place.name} gave back other bytes than were sent. If this persists, replace the stick or the disk of the target.`,
      )
    const there = segmentsAmong((await target.list()).map((each) => each.name))
    const outdated = there.filter(
      (each, index) =>
        replaces.includes(each.name) || each.at < segment.at - keptMs || index < there.length - mostFiles,
    )
    const stays = [name, ...continues]
    for (const each of outdated) if (!stays.includes(each.name)) await target.remove(each.name)
  } finally {
    target.close()
    rmSync(file, { force: true })
  }
}

async function contentOf(target: Target, name: string, signal: AbortSignal): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await target.read(name, 0, signal)) chunks.push(chunk)
  return chunks
}

function digestOf(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
