import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type LineTrouble, lineTrouble } from '../devices/network/line-trouble.ts'
import type { Clock } from '../host/clock.ts'
import { expectOutgoing } from '../host/firewall/outgoing.ts'
import type { Message, MessageCode } from '../jsonapi/locales/message.ts'
import type { Bundle } from './channel.ts'
import { UpdateRefused } from './update-refused.ts'

/** The largest channel file and signature, in bytes. */
const mostBytes = 262_144
/** The longest silence of the server. */
const silentMs = 60_000
/** The free space that a download must leave for the database. */
const reservedBytes = 200_000_000

/** A file of a source could not be found. */
export class SourceMissing extends UpdateRefused {}

/**
 * Reads a small file of a source: a folder of this machine, or a URL. Rejects with SourceMissing for a missing file, and with
 * UpdateRefused for any other failure.
 */
export async function readSmall(source: string, name: string, clock: Clock): Promise<Buffer> {
  const address = isUrl(source) ? addressOf(source, name) : join(source, name)
  try {
    return await (isUrl(source) ? fetchSmall(address, clock) : whole(createReadStream(address)))
  } catch (error) {
    if (error instanceof UpdateRefused) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw missing(address, error)
    throw new UpdateRefused(unreachable(address, error), { cause: error })
  }
}

function missing(source: string, cause?: unknown): SourceMissing {
  return new SourceMissing({ code: 'update-source-missing', values: { source } }, { cause })
}

/** Whether a source is reached over the network. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//.test(source)
}

/** Returns the URL of a file, which may be relative to the source. */
export function addressOf(source: string, name: string): string {
  return new URL(name, source.endsWith('/') ? source : `${source}/`).href
}

async function fetchSmall(address: string, clock: Clock): Promise<Buffer> {
  await expectOutgoing(address, { clock })
  const response = await fetch(address, { signal: clock.timeout(silentMs) })
  if (response.status === 404) throw missing(address)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return whole(response.body ?? [])
}

async function whole(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > mostBytes) throw new Error(`more than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

interface Download {
  clock: Clock
  signal: AbortSignal
  /** The fastest download in bytes per second; null for no limit. */
  bytesPerSecond: number | null
  /** Returns the free space of the file's disk, in bytes. */
  freeBytes(): Promise<number>
  /** Called with the number of bytes in the file. */
  progress(bytes: number): void
}

/**
 * Downloads a bundle to a file and verifies size and digest. Continues after the bytes of an earlier attempt. Rejects
 * with UpdateRefused. A file with a wrong digest is emptied, so that the next attempt starts from the beginning.
 */
export async function download(address: string, path: string, bundle: Bundle, how: Download): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    await expectSpace(how, bundle.size - (await file.stat()).size)
    if ((await file.stat()).size < bundle.size) await fetchRest(address, file, bundle, how)
    await file.sync()
  } catch (error) {
    if (error instanceof UpdateRefused || how.signal.aborted) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw await diskFull(how, bundle.size)
    throw new UpdateRefused(unreachable(address, error), { cause: error })
  } finally {
    await file.close()
  }
  try {
    await expectWhole(path, bundle)
  } catch (error) {
    // The next attempt continues a file that is too short.
    if ((await stat(path)).size >= bundle.size) await (await open(path, 'w', 0o600)).close()
    throw error
  }
}

async function fetchRest(address: string, file: FileHandle, { size }: Bundle, how: Download): Promise<void> {
  const { clock, signal, bytesPerSecond, progress } = how
  const silence = new AbortController()
  const begin = (await file.stat()).size
  let deadline = clock.setTimeout(silent, silentMs).unref()
  function silent(): void {
    silence.abort(new DOMException(`silent for ${silentMs / 1_000} s`, 'TimeoutError'))
  }
  try {
    // The channel may name another server for the bundle.
    await expectOutgoing(address, { clock, signal })
    const headers = begin > 0 ? { Range: `bytes=${begin}-` } : {}
    const response = await fetch(address, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`)
    // A server without range requests sends the whole file.
    let there = response.status === 206 ? begin : 0
    if (there === 0) await file.truncate(0)
    const started = clock.monotonic()
    for await (const chunk of response.body) {
      deadline.cancel()
      there += chunk.length
      if (there > size) throw tooLong(address, size)
      await file.appendFile(chunk)
      progress(there)
      const isDueMs = bytesPerSecond === null ? 0 : ((there - begin) / bytesPerSecond) * 1_000
      const waitMs = isDueMs - (clock.monotonic() - started)
      if (waitMs > 0) await clock.sleep(waitMs, { signal, ref: false })
      deadline = clock.setTimeout(silent, silentMs).unref()
    }
  } finally {
    deadline.cancel()
  }
}

/** Throws UpdateRefused unless the file has the size and the digest of the bundle. */
export async function expectWhole(path: string, { size, sha256 }: Bundle): Promise<void> {
  const there = (await stat(path)).size
  const hash = createHash('sha256')
  if (there === size) for await (const chunk of createReadStream(path)) hash.update(chunk)
  if (there === size && hash.digest('hex') === sha256) return
  throw new UpdateRefused({ code: 'update-cut', values: { file: path, size: there, expected: size } })
}

async function expectSpace(how: Download, bytes: number): Promise<void> {
  if (bytes > 0 && (await how.freeBytes()) < bytes + reservedBytes) throw await diskFull(how, bytes)
}

async function diskFull({ freeBytes }: Download, bytes: number): Promise<UpdateRefused> {
  const megabytes = (count: number) => Math.ceil(count / 1_000_000)
  const values = { needed: megabytes(bytes + reservedBytes), free: megabytes(await freeBytes()) }
  return new UpdateRefused({ code: 'update-disk-full', values })
}

function tooLong(address: string, expected: number): UpdateRefused {
  return new UpdateRefused({
    code: 'update-cut',
    values: { file: address, size: `> ${expected}`, expected },
  })
}

const troubles = {
  'unknown-name': 'update-source-unknown',
  silent: 'update-source-silent',
  refused: 'update-source-silent',
  cut: 'update-source-cut',
  certificate: 'update-source-certificate',
} as const satisfies Record<LineTrouble, MessageCode>

function unreachable(source: string, error: unknown): Message {
  const trouble = lineTrouble(error)
  if (trouble) return { code: troubles[trouble], values: { source } }
  const { message, cause } = error as Error & { cause?: Error }
  const detail = cause?.message ?? message
  return { code: 'update-unreachable', values: { source, detail } }
}
