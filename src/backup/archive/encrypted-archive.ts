import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { readFromDevice } from '../../host/files/device-read.ts'
import { BackupRefused, WrongKey } from '../backup-refused.ts'

/** One file of an archive. */
export interface Part {
  name: string
  bytes: number
  /** 64 hex digits. */
  sha256: string
}

/** A part with its content: the descriptor of an open file, which stays open, or bytes. */
export interface PartSource extends Part {
  content: { open: number } | { bytes: Uint8Array }
}

/** Returns the receiver for the content of one part; null skips the part. */
type PartSink = (name: string) => ((chunk: Uint8Array) => Promise<void> | void) | null

/** The size and the digest of a written archive. */
interface Written {
  bytes: number
  sha256: string
}

/**
 * Writes a tar archive, compressed with gzip and encrypted in age format to the recipients (`age1...`), to the new file
 * `to`. `packed` is called with the number of bytes packed so far. The archive is on the disk when this resolves.
 */
export async function writeArchive(
  to: string,
  parts: readonly PartSource[],
  recipients: readonly string[],
  packed: (bytes: number) => void = () => {},
): Promise<Written> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const { readable, controller } = createTarPacker()
  const packing = pack(controller, parts, packed)
  // An error in packing also breaks the stream that is written, which reports it.
  packing.catch((error) => controller.error(error))
  const encrypted = await encrypter.encrypt(readable.pipeThrough(Duplex.toWeb(createGzip())))
  const written = await writeNew(to, encrypted)
  await packing
  return written
}

/**
 * Reads an archive with an identity (`AGE-SECRET-KEY-1...`) and passes each part to its sink. Resolves with all parts
 * and their digests. The file is a path, which is read from its device, or a stream with a name. `read` is called with the number of bytes of the file
 * read so far. Rejects with BackupRefused when the identity cannot decrypt the archive, or when the archive is damaged.
 */
export async function readArchive(
  file: string | { name: string; content: ReadableStream<Uint8Array> },
  identity: string,
  sinkOf: PartSink,
  read: (bytes: number) => void = () => {},
): Promise<Part[]> {
  const decrypter = decrypterOf(identity)
  try {
    const decrypted = await decrypter.decrypt(
      typeof file === 'string' ? streamOf(readFromDevice(file), read) : file.content,
    )
    const entries = decrypted
      .pipeThrough(Duplex.toWeb(createGunzip()))
      .pipeThrough(createTarDecoder({ strict: true }))
    const parts: Part[] = []
    for await (const { header, body } of entries)
      parts.push(await readPart(header.name, body, sinkOf(header.name)))
    return parts
  } catch (error) {
    throw refusal(error, typeof file === 'string' ? file : file.name)
  }
}

/** Throws WrongKey for an identity with a typing error, which its checksum detects. */
function decrypterOf(identity: string): Decrypter {
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(identity)
  } catch (error) {
    throw new WrongKey('The recovery key has a typing error. Compare it with the paper, letter by letter.', {
      cause: error,
    })
  }
  return decrypter
}

/** Returns the size and the digest of a file: of a path as its device holds it, of an open file as it was written. */
export async function fileDigest(file: string | number): Promise<Written> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of typeof file === 'string' ? readFromDevice(file) : chunksOf(file)) {
    bytes += chunk.length
    hash.update(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function pack(
  controller: ReturnType<typeof createTarPacker>['controller'],
  parts: readonly PartSource[],
  packed: (bytes: number) => void,
) {
  let before = 0
  for (const { name, bytes, content } of parts) {
    const into = controller.add({ name, size: bytes, type: 'file', mode: 0o600 })
    const written = before
    const source =
      'open' in content
        ? streamOf(chunksOf(content.open), (read) => packed(written + read))
        : ReadableStream.from([content.bytes])
    await source.pipeTo(into)
    before += bytes
  }
  controller.finalize()
}

async function readPart(
  name: string,
  body: ReadableStream<Uint8Array>,
  sink: ReturnType<PartSink>,
): Promise<Part> {
  const hash: Hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    hash.update(chunk)
    await sink?.(chunk)
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

async function writeNew(to: string, content: ReadableStream<Uint8Array>): Promise<Written> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(to, 'wx', 0o600)
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Returns the content of an open file from its beginning, and leaves the file open. */
function chunksOf(open: number): AsyncIterable<Uint8Array> {
  return createReadStream('', { fd: open, start: 0, autoClose: false, highWaterMark: 262_144 })
}

/** Returns the chunks as a stream. `read` is called with the number of bytes so far. */
function streamOf(
  chunks: AsyncIterable<Uint8Array>,
  read: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const counted = async function* () {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      read(bytes)
      yield chunk
    }
  }
  return ReadableStream.from(counted())
}

/**
 * Converts the error of an unreadable archive to BackupRefused with a remedy. A disk error stays unchanged.
 */
function refusal(error: unknown, file: string): unknown {
  if (error instanceof BackupRefused) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return error
  if (/no identity matched/i.test(message))
    return new WrongKey(
      `The recovery key does not open ${file}, which was encrypted to another key. Use the recovery key that was valid when this backup was made.`,
      { cause: error },
    )
  return new BackupRefused(
    `${file} cannot be read (${message}). The backup file is damaged or incomplete. Restore another backup.`,
    { cause: error },
  )
}
