import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TestContext } from 'node:test'
import ssh2, { type FileEntry } from 'ssh2'
import { nextUuid } from '../../uuid.ts'

/** A real server at the other end of a target. */
export interface FarEnd {
  url: string
  user: string
  secret: string
  hostKey: string | null
  /** How many bytes of files were sent to it. */
  received(): number
  /** From now on, a connection over which so many bytes of files arrive is cut off, once. */
  cutAfter(bytes: number): void
}

const user = 'hotel'
const secret = 'Geheim/1+2=3'

function counting() {
  let received = 0
  let cutAt = Number.POSITIVE_INFINITY
  return {
    received: () => received,
    cutAfter: (bytes: number) => {
      cutAt = received + bytes
    },
    /** Counts bytes; returns true where the connection is to be cut. */
    count(bytes: number): boolean {
      received += bytes
      if (received < cutAt) return false
      cutAt = Number.POSITIVE_INFINITY
      return true
    },
  }
}

async function listening(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.socket?.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function sendFile(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  if (!existsSync(path)) return void response.writeHead(404).end()
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': statSync(path).size - from })
  await pipeline(createReadStream(path, { start: from }), response)
}

/** A WebDAV server over a folder. It asks for Basic authentication. */
export async function webdavServer(t: TestContext, folder: string): Promise<FarEnd> {
  const counted = counting()
  const expected = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  const at = (path: string) => join(folder, decodeURIComponent(path).split('/').at(-1)!)
  const origin = await listening(t, async (request, response) => {
    if (request.headers.authorization !== expected) return void response.writeHead(401).end()
    const { method, url = '' } = request
    if (method === 'PROPFIND') {
      const files = readdirSync(folder).map(
        (name) =>
          `<d:response><d:href>/dav/${encodeURIComponent(name)}</d:href><d:propstat><d:prop><d:getcontentlength>${statSync(join(folder, name)).size}</d:getcontentlength></d:prop></d:propstat></d:response>`,
      )
      const self = '<d:response><d:href>/dav/</d:href></d:response>'
      return void response
        .writeHead(207)
        .end(`<d:multistatus xmlns:d="DAV:">${self}${files.join('')}</d:multistatus>`)
    }
    if (method === 'PUT') {
      const output = createWriteStream(at(url))
      for await (const chunk of request) {
        if (counted.count(chunk.length)) return void request.socket.destroy()
        output.write(chunk)
      }
      await new Promise((resolve) => output.end(resolve))
      return void response.writeHead(201).end()
    }
    if (method === 'MOVE') renameSync(at(url), at(new URL(String(request.headers.destination)).pathname))
    if (method === 'DELETE') rmSync(at(url))
    if (method === 'GET') return sendFile(request, response, at(url))
    response.writeHead(204).end()
  })
  return { url: `${origin}/dav/`, user, secret, hostKey: null, ...counted }
}

/** An S3 server with one bucket over a folder. It checks each signature and the digest of each body. */
export async function s3Server(
  t: TestContext,
  folder: string,
): Promise<FarEnd & { /** The keys of uploads that were begun and not ended. */ open(): string[] }> {
  const counted = counting()
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>()
  const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
  const origin = await listening(t, async (request, response) => {
    const url = new URL(request.url ?? '', 'http://s3')
    const { searchParams } = url
    const refuse = (status: number, code: string) =>
      void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      if (request.method === 'PUT' && counted.count(chunk.length)) return void request.socket.destroy()
      chunks.push(chunk as Buffer)
    }
    const body = Buffer.concat(chunks)
    const digest = createHash('sha256').update(body).digest('hex')
    if (request.headers['x-amz-content-sha256'] !== digest) return refuse(400, 'XAmzContentSHA256Mismatch')
    if (!isSigned(request, url, digest)) return refuse(403, 'SignatureDoesNotMatch')
    const [, bucket, ...path] = decodeURIComponent(url.pathname).split('/')
    if (bucket !== 'bucket') return refuse(404, 'NoSuchBucket')
    const key = path.join('/')
    const file = join(folder, path.at(-1) ?? '')
    const answer = (text: string, headers = {}) => void response.writeHead(200, headers).end(text)
    const id = searchParams.get('uploadId')
    const upload = uploads.get(id ?? '')
    if (request.method === 'POST' && searchParams.has('uploads')) {
      const made = nextUuid()
      uploads.set(made, { key, parts: new Map() })
      return answer(`<R><Key>${key}</Key><UploadId>${made}</UploadId></R>`)
    }
    if (request.method === 'GET' && searchParams.has('uploads')) {
      const open = [...uploads].filter(([, each]) => each.key.startsWith(searchParams.get('prefix') ?? ''))
      return answer(
        open
          .map(([each, found]) => `<Upload><Key>${found.key}</Key><UploadId>${each}</UploadId></Upload>`)
          .join(''),
      )
    }
    if (id !== null && !upload) return refuse(404, 'NoSuchUpload')
    if (upload && request.method === 'PUT') {
      upload.parts.set(Number(searchParams.get('partNumber')), body)
      return answer('', { ETag: etagOf(body) })
    }
    if (upload && request.method === 'GET') {
      const parts = [...upload.parts].map(
        ([number, bytes]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>${etagOf(bytes).replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      return answer(parts.join(''))
    }
    if (upload && request.method === 'POST') {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)]
      const whole = named.map(([, number, etag]) => {
        const part = upload.parts.get(Number(number))
        return part && etagOf(part) === etag ? part : null
      })
      if (whole.includes(null)) return answer('<Error><Code>InvalidPart</Code></Error>')
      writeFileSync(file, Buffer.concat(whole as Buffer[]))
      uploads.delete(id!)
      return answer('<R></R>')
    }
    if (request.method === 'DELETE' && id) {
      if (!uploads.delete(id)) return refuse(404, 'NoSuchUpload')
      return void response.writeHead(204).end()
    }
    if (request.method === 'DELETE') {
      rmSync(file)
      return void response.writeHead(204).end()
    }
    if (searchParams.has('list-type')) return answer(listed(searchParams, folder))
    return sendFile(request, response, file)
  })
  return {
    url: `${origin}/bucket/box 7`,
    user,
    secret,
    hostKey: null,
    ...counted,
    open: () => [...uploads.values()].map(({ key }) => key),
  }
}

/** Two files a page. */
function listed(query: URLSearchParams, folder: string): string {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('start-after') ?? ''
  const keys = readdirSync(folder)
    .sort()
    .filter((name) => prefix + name > after)
  const page = keys.slice(0, 2).map((name) => {
    const bytes = statSync(join(folder, name)).size
    return `<Contents><Key>${prefix}${name}</Key><Size>${bytes}</Size></Contents>`
  })
  return `<R><IsTruncated>${keys.length > 2}</IsTruncated>${page.join('')}</R>`
}

/** Signature version 4, as the documentation of S3 describes it. */
function isSigned(request: IncomingMessage, url: URL, digest: string): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, key, date = '', region = '', names = '', signature] =
    form.exec(request.headers.authorization ?? '') ?? []
  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const query = [...url.searchParams]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([one, left], [other, right]) => (one < other ? -1 : one > other ? 1 : left < right ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/')
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [request.method, path, query, headers.join(''), names, digest].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const mac = (by: string | Buffer, what: string) => createHmac('sha256', by).update(what).digest()
  const signing = mac(mac(mac(mac(`AWS4${secret}`, date), region), 's3'), 'aws4_request')
  return key === user && createHmac('sha256', signing).update(text).digest('hex') === signature
}

/** A key of a host. About one of 250 that ssh2 1.17 makes is one that it cannot read. */
function hostKey(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key
  }
}

/** An SFTP server over a folder, by the server of ssh2. */
export async function sftpServer(t: TestContext, folder: string): Promise<FarEnd> {
  const counted = counting()
  const { STATUS_CODE } = ssh2.utils.sftp
  const key = hostKey()
  const server = new ssh2.Server({ hostKeys: [key] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (ask) => {
      if (ask.method === 'password' && ask.username === user && ask.password === secret) ask.accept()
      else ask.reject(['password'])
    })
    client.on('session', (acceptSession) => {
      acceptSession().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp()
        const at = (path: string) => join(folder, path.split('/').at(-1)!)
        const tried = (id: number, work: () => void) => {
          try {
            work()
          } catch (error) {
            const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
            sftp.status(id, isMissing ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
          }
        }
        const done = (id: number, work: () => void) =>
          tried(id, () => {
            work()
            sftp.status(id, STATUS_CODE.OK)
          })
        const handleOf = (handle: Buffer) => handle.readUInt32BE(0)
        const attrs = (size: number) => ({ size, mode: 0o100600, uid: 0, gid: 0, atime: 0, mtime: 0 })
        let listing: FileEntry[] | null = null
        sftp.on('OPEN', (id, path, flags) =>
          tried(id, () => {
            const mode = ssh2.utils.sftp.flagsToString(flags) ?? 'r'
            const handle = Buffer.alloc(4)
            handle.writeUInt32BE(openSync(at(path), mode, 0o600))
            sftp.handle(id, handle)
          }),
        )
        sftp.on('WRITE', (id, handle, offset, data) => {
          writeSync(handleOf(handle), data, 0, data.length, offset)
          if (counted.count(data.length)) return void client.end()
          sftp.status(id, STATUS_CODE.OK)
        })
        sftp.on('READ', (id, handle, offset, length) => {
          const bytes = Buffer.alloc(length)
          const read = readSync(handleOf(handle), bytes, 0, length, offset)
          if (read === 0) sftp.status(id, STATUS_CODE.EOF)
          else sftp.data(id, bytes.subarray(0, read))
        })
        sftp.on('FSTAT', (id, handle) => sftp.attrs(id, attrs(fstatSync(handleOf(handle)).size)))
        sftp.on('CLOSE', (id, handle) =>
          done(id, () => {
            if (handle.length === 4) closeSync(handleOf(handle))
          }),
        )
        sftp.on('STAT', (id, path) => tried(id, () => sftp.attrs(id, attrs(statSync(at(path)).size))))
        sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
        sftp.on('REMOVE', (id, path) => done(id, () => rmSync(at(path))))
        sftp.on('RENAME', (id, from, to) => done(id, () => renameSync(at(from), at(to))))
        // With the sizes at once: another delivery may move a file before the names are asked for.
        sftp.on('OPENDIR', (id) => {
          listing = readdirSync(folder).map((filename) => ({
            filename,
            longname: filename,
            attrs: attrs(statSync(join(folder, filename)).size),
          }))
          sftp.handle(id, Buffer.from('d'))
        })
        sftp.on('READDIR', (id) => {
          if (!listing) return void sftp.status(id, STATUS_CODE.EOF)
          sftp.name(id, listing)
          listing = null
        })
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const parsed = ssh2.utils.parseKey(key) as { getPublicSSH(): Buffer }
  const digest = createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')
  const { port } = server.address() as AddressInfo
  return { url: `sftp://127.0.0.1:${port}/backups`, user, secret, hostKey: `SHA256:${digest}`, ...counted }
}
