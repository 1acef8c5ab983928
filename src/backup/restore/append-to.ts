import { open } from 'node:fs/promises'
import { BackupRefused } from '../backup-refused.ts'

/**
 * Appends to a file of at most `most` bytes, and resolves with its size when it is on the disk. Calls `arrived` with
 * the new size before each chunk is written; what it throws ends the upload. Rejects with BackupRefused for more bytes.
 */
export async function appendTo(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  most: number,
  arrived: (bytes: number) => void,
): Promise<number> {
  const file = await open(path, 'a', 0o600)
  try {
    let bytes = (await file.stat()).size
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > most)
        throw new BackupRefused(`The file has more than the ${most} bytes that were announced.`)
      arrived(bytes)
      await file.writeFile(chunk)
    }
    return bytes
  } finally {
    await file.sync()
    await file.close()
  }
}
