import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** What a direct read must be aligned to: the largest block of a disk. */
const blockBytes = 4_096
/** Pages of 64 KiB. */
const pages = 16

/** The part of WebAssembly that is used here. The types of Node have only its namespace. */
interface AlignedMemory {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer }
}
const { Memory } = Reflect.get(globalThis, 'WebAssembly') as AlignedMemory

/**
 * Reads a file from its device, from the byte `from` on, and not from the memory in which the operating system keeps
 * what was just written. So it proves what the device holds, as far as a machine can: a disk or a stick may still answer
 * from a memory of its own. The file must be on the disk (fsync). A file system that cannot read past that memory, as
 * some in a network, is read as usual. Throws the reason of the signal, and rejects with the error of the file system.
 */
export async function* readFromDevice(
  path: string,
  from = 0,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // The kernel asks for memory that is aligned too. Of all memory in JavaScript only that of WebAssembly begins at a page.
  const block = new Uint8Array(new Memory({ initial: pages, maximum: pages }).buffer)
  const file = (await openDirect(path, block)) ?? (await open(path))
  try {
    for (let done = from; ; ) {
      signal?.throwIfAborted()
      const start = done - (done % blockBytes)
      const { bytesRead } = await file.read(block, 0, block.length, start)
      if (start + bytesRead <= done) return
      yield block.slice(done - start, bytesRead)
      done = start + bytesRead
    }
  } finally {
    await file.close()
  }
}

/** Opens a file for direct reads; null where its file system has none. */
async function openDirect(path: string, block: Uint8Array): Promise<FileHandle | null> {
  let file: FileHandle | null = null
  try {
    file = await open(path, constants.O_RDONLY | constants.O_DIRECT)
    await file.read(block, 0, blockBytes, 0)
    return file
  } catch (error) {
    await file?.close()
    if (cannotReadDirectly.includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

const cannotReadDirectly = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']
