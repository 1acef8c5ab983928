import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { damaged } from '../store/disk/damage.ts'
import { type Trouble, troubleIn } from '../store/disk/disk-trouble.ts'

/**
 * Returns why the data in a folder could not be used. When a part of the database could not be read, `check` checks the whole
 * database first, which may take minutes: StoreRefused for damage, otherwise `error` itself. No connection of this process to the
 * database may be open.
 */
export async function causeOfFailure(
  error: unknown,
  data: string,
  check: (path: string) => Trouble | null | Promise<Trouble | null>,
): Promise<unknown> {
  if (troubleIn(error)?.is !== 'unreadable') return error
  const path = join(data, dataFiles.database)
  const trouble = await check(path)
  return trouble?.is === 'damaged' ? damaged(path, trouble.code) : error
}
