import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolders } from './make-folders.ts'

/** What a file system such as FAT or a network drive answers to a call that it does not have. */
const unsupported = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']

function isUnsupported(error: unknown): boolean {
  return unsupported.includes((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Syncs a file or a folder to the disk: the file's content, or the folder's entries, survive a power cut
 * after this returns. A file system that cannot sync a folder, such as FAT, decides when its entries are on the disk.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } catch (error) {
    if (!isUnsupported(error) || !fstatSync(handle).isDirectory()) throw error
  } finally {
    closeSync(handle)
  }
}

/** Renames a file or folder. The new name survives a power cut after this returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

/** Removes a file, if it is there. It stays away over a power cut after this returns. */
export function removeDurably(path: string): void {
  if (!existsSync(path)) return
  rmSync(path)
  syncPath(dirname(path))
}

/**
 * Copies the content of a file to another, which is on the disk when this returns. It sets no mode, owner or time, which a file system
 * such as FAT refuses.
 */
export function copyContent(from: string, to: string): void {
  const source = openSync(from, 'r')
  try {
    const target = openSync(to, 'w', 0o600)
    try {
      const buffer = Buffer.allocUnsafe(1_048_576)
      for (let size = readSync(source, buffer); size > 0; size = readSync(source, buffer))
        for (let done = 0; done < size; ) done += writeSync(target, buffer, done, size - done)
      fsyncSync(target)
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}

/**
 * Renames a file as `renameDurably` does, or copies and removes it where the file system does not rename. Returns whether it was
 * copied: the caller must then verify it again.
 */
export function moveDurably(from: string, to: string): boolean {
  try {
    renameDurably(from, to)
    return false
  } catch (error) {
    if (!isUnsupported(error)) throw error
  }
  copyContent(from, to)
  rmSync(from)
  syncPath(dirname(to))
  return true
}

/**
 * Replaces the content of a file, which only its owner may read. After a power cut the file has the old content or the new
 * one, and the new one once this has returned. Only one caller may write a file at a time.
 */
export function writeDurably(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.new`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameDurably(unfinished, path)
}

/** Makes a folder with mode 0700, and its missing parents. They survive a power cut after this returns. */
export function makeFolder(path: string): void {
  const topmost = makeFolders(path, 0o700)
  if (topmost === undefined) return
  for (let made = resolve(path); ; made = dirname(made)) {
    syncPath(dirname(made))
    if (made === resolve(topmost) || made === dirname(made)) return
  }
}
