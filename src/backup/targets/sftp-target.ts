import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import ssh2, { type SFTPWrapper } from 'ssh2'
import { BackupRefused } from '../backup-refused.ts'
import type { Sending, Target, TargetSettings } from './target.ts'

const connectsWithinMs = 20_000
/** The number of parallel requests, because each one waits for a round trip. */
const requestsAtOnce = 32
/**
 * The largest request. The library splits a longer one, and its second half would be written after the next request: an
 * interruption would leave a gap.
 */
const requestBytes = 28_672

/**
 * Opens a folder of an SFTP server: `sftp://HOST:PORT/FOLDER`. The secret is a password, or a private key in PEM. An
 * interrupted upload continues where it ended.
 */
export async function sftpTarget(settings: TargetSettings): Promise<Target> {
  const { pathname } = new URL(settings.url)
  const folder = decodeURIComponent(pathname.replace(/\/+$/, ''))
  const { sftp, close, lost } = await connected(settings)
  const at = (name: string) => `${folder}/${name}`
  const call = callsUntil(lost)

  /** Opens a remote file for `work`. */
  async function within<T>(
    path: string,
    flags: 'r' | 'r+' | 'w',
    work: (handle: Buffer) => Promise<T>,
  ): Promise<T> {
    const handle = await call<Buffer>((done) => sftp.open(path, flags, { mode: 0o600 }, done))
    try {
      return await work(handle)
    } finally {
      // A lost connection has already closed it.
      await call<void>((done) => sftp.close(handle, done)).catch(() => {})
    }
  }

  async function send(file: string, to: string, { bytes, signal, sent }: Sending): Promise<void> {
    const part = at(`${to}.part`)
    const there = await call<{ size: number }>((done) => sftp.stat(part, done)).catch(() => ({ size: 0 }))
    const from = there.size <= bytes ? there.size : 0
    await within(part, from > 0 ? 'r+' : 'w', async (handle) => {
      let position = from
      async function* writes() {
        const chunks = createReadStream(file, { start: from, highWaterMark: requestBytes, signal })
        for await (const chunk of chunks as AsyncIterable<Buffer>) {
          const offset = position
          position += chunk.length
          yield () => call<void>((done) => sftp.write(handle, chunk, 0, chunk.length, offset, done))
        }
      }
      for await (const _ of inOrder(writes())) sent(position)
    })
    await call<void>((done) => sftp.unlink(at(to), () => done(null)))
    await call<void>((done) => sftp.rename(part, at(to), done))
  }

  async function* read(name: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const handle = await call<Buffer>((done) => sftp.open(at(name), 'r', done))
    const { size } = await call<{ size: number }>((done) => sftp.fstat(handle, done))
    async function* reads() {
      for (let at = from; at < size; at += requestBytes) {
        signal.throwIfAborted()
        yield () => readWhole(sftp, call, handle, at, Math.min(requestBytes, size - at))
      }
    }
    for await (const bytes of inOrder(reads())) {
      yield bytes
      signal.throwIfAborted()
    }
    await call<void>((done) => sftp.close(handle, done))
  }

  return {
    async list() {
      const found = await call<{ filename: string; attrs: { size: number } }[]>((done) =>
        sftp.readdir(folder || '.', done),
      )
      return found.map(({ filename, attrs }) => ({ name: filename, bytes: attrs.size }))
    },
    send,
    read: async (name, from, signal) => read(name, from, signal),
    remove: (each) => call<void>((done) => sftp.unlink(at(each), done)),
    close,
  }
}

/** Resolves with what a call of the library gives. */
type Call = <T>(work: (done: (error: unknown, value?: T) => void) => void) => Promise<T>

/** Some calls of the library do not end when the connection is lost: they are rejected then. */
function callsUntil(lost: AbortSignal): Call {
  return <T>(work: (done: (error: unknown, value?: T) => void) => void): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    work((error, value) => (error ? reject(error) : resolve(value as T)))
    lost.addEventListener('abort', () => reject(lost.reason), { once: true })
    if (lost.aborted) reject(lost.reason)
    return promise
  }
}

/** A server may return fewer bytes than requested. */
async function readWhole(
  sftp: SFTPWrapper,
  call: Call,
  handle: Buffer,
  from: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const found = await call<number>((ended) =>
      sftp.read(handle, bytes, done, length - done, from + done, ended),
    )
    if (found === 0) throw new Error('the file became shorter while it was read')
    done += found
  }
  return bytes
}

/** Begins requests while others are under way, and yields their answers in the order of the requests. */
async function* inOrder<T>(requests: AsyncIterable<() => Promise<T>>): AsyncGenerator<T> {
  const underWay: Promise<T>[] = []
  for await (const begin of requests) {
    const request = begin()
    // It is awaited later: until then its rejection is not an unhandled one.
    request.catch(() => {})
    underWay.push(request)
    if (underWay.length >= requestsAtOnce) yield await underWay.shift()!
  }
  while (underWay.length > 0) yield await underWay.shift()!
}

async function connected({ name, url, user, secret, hostKey }: TargetSettings) {
  const { hostname, port } = new URL(url)
  const client = new ssh2.Client()
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>()
  let seen = ''
  client.on('error', (error) => reject(seen && seen !== hostKey ? otherKey(name, seen, hostKey) : error))
  const lost = new AbortController()
  client.on('close', () => {
    const error = new Error('the server closed the connection')
    reject(error)
    lost.abort(error)
  })
  client.on('ready', () =>
    client.setNoDelay(true).sftp((error, found) => (error ? reject(error) : resolve(found))),
  )
  client.connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 22),
    username: user ?? '',
    ...(secret?.startsWith('-----BEGIN') ? { privateKey: secret } : { password: secret ?? '' }),
    readyTimeout: connectsWithinMs,
    keepaliveInterval: 15_000,
    hostVerifier: (key: Buffer) => {
      seen = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
      return seen === hostKey
    },
  })
  const close = () => void client.end()
  return { sftp: await promise, close, lost: lost.signal }
}

function otherKey(name: string, seen: string, expected: string | null): BackupRefused {
  return new BackupRefused(
    expected === null
      ? `${name} shows the host key ${seen}. If its operator confirms this fingerprint, set hostKey to ${seen}.`
      : `${name} shows the host key ${seen}, not ${expected}: another server may answer. Nothing was sent. If its operator confirms this fingerprint, set hostKey to ${seen}.`,
  )
}
