import { createReadStream, existsSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFromDevice } from '../../host/files/device-read.ts'
import { moveDurably } from '../../host/files/durable.ts'
import { sizeOf } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { Sending, Target, TargetSettings } from './target.ts'

/**
 * Opens a folder, such as one on a stick or a network drive: `file:///media/stick`. A missing folder is not created,
 * because without the mounted stick it would be on the disk of the box.
 */
export function folderTarget({ name, url }: TargetSettings): Target {
  const folder = fileURLToPath(url)

  function expectFolder(): void {
    if (existsSync(folder)) return
    throw new BackupRefused(
      `${folder} of ${name} does not exist. Plug in the stick, or mount the network folder.`,
    )
  }

  async function send(file: string, to: string, { bytes, signal, sent }: Sending): Promise<void> {
    expectFolder()
    const part = join(folder, `${to}.part`)
    const output = await open(part, 'a', 0o600)
    try {
      const { size } = await output.stat()
      const from = size <= bytes ? size : 0
      if (from !== size) await output.truncate(0)
      let done = from
      for await (const chunk of createReadStream(file, { start: from, signal })) {
        await output.writeFile(chunk as Buffer)
        done += (chunk as Buffer).length
        sent(done)
      }
      await output.sync()
    } catch (error) {
      // A file that does not fit must not fill the stick.
      if (['ENOSPC', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? ''))
        await rm(part, { force: true })
      throw error
    } finally {
      await output.close()
    }
    moveDurably(part, join(folder, to))
  }

  return {
    async list() {
      expectFolder()
      const names = await readdir(folder)
      // A file may be renamed or deleted meanwhile: keys are sent beside a backup.
      const found = await Promise.all(
        names.map(async (each) => ({ name: each, bytes: await sizeOf(join(folder, each)) })),
      )
      return found.flatMap(({ name, bytes }) => (bytes === null ? [] : { name, bytes }))
    },
    send,
    read: async (name, from, signal) => readFromDevice(join(folder, name), from, signal),
    remove: (each) => rm(join(folder, each), { force: true }),
    close() {},
  }
}
