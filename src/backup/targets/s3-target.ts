import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AwsClient } from 'aws4fetch'
import { backupNamed } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import { segmentsAmong } from '../segment-name.ts'
import { bodyFrom, expectSuccess, plainText } from './answers.ts'
import type { Sending, Target, TargetSettings } from './target.ts'

/** S3 takes parts of 5 MiB or more, and at most 10,000 of them. */
const leastPartBytes = 8 * 1_048_576
const mostParts = 900
const mostPages = 1_000

/**
 * Opens a bucket of S3, or a folder in it, in path style: `https://HOST/BUCKET/FOLDER`. A file is uploaded in parts,
 * and an interrupted upload continues with the next part.
 */
export class S3Target implements Target {
  readonly #name: string
  readonly #bucket: string
  /** Empty, or ends with `/`. */
  readonly #folder: string
  readonly #client: AwsClient

  constructor({ name, url, user, secret, region }: TargetSettings) {
    const { origin, pathname } = new URL(url)
    const [, bucket = '', ...folders] = pathname.replace(/\/+$/, '').split('/')
    this.#name = name
    this.#bucket = `${origin}/${bucket}`
    this.#folder = folders.map((each) => `${decodeURIComponent(each)}/`).join('')
    this.#client = new AwsClient({
      accessKeyId: user ?? '',
      secretAccessKey: secret ?? '',
      region: region ?? 'us-east-1',
      service: 's3',
      retries: 0,
    })
  }

  async #ask(method: string, path: string, more: RequestInit = {}): Promise<Response> {
    const { body = '' } = more
    const digest = createHash('sha256')
      .update(body as string | Buffer)
      .digest('hex')
    const headers = { ...(more.headers as Record<string, string>), 'X-Amz-Content-Sha256': digest }
    const given = { ...more, ...(body === '' && { body: undefined }), method, headers }
    const signed = await this.#client.sign(`${this.#bucket}${path}`, given as RequestInit)
    const answer = await fetch(signed, { redirect: 'error' })
    return expectSuccess(this.#name, `${method} ${path.slice(0, 80)}`, answer)
  }

  /** The path of a file in the bucket, with the query of an upload of it. */
  #at(file: string, query?: Record<string, string>): string {
    const path = `${this.#folder}${file}`.split('/').map(encodeURIComponent).join('/')
    return `/${path}${query ? `?${new URLSearchParams(query)}` : ''}`
  }

  async list() {
    const found: { name: string; bytes: number }[] = []
    let after = ''
    for (let page = 0; page < mostPages; page++) {
      const from = { 'list-type': '2', prefix: this.#folder, ...(after && { 'start-after': after }) }
      const text = await (await this.#ask('GET', `?${new URLSearchParams(from)}`)).text()
      const keys: string[] = []
      for (const [, each = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const key = plainText(member(each, 'Key'))
        keys.push(key)
        const file = key.slice(this.#folder.length)
        if (!file.includes('/')) found.push({ name: file, bytes: Number(member(each, 'Size')) })
      }
      const last = keys.at(-1)
      if (member(text, 'IsTruncated') !== 'true' || last === undefined) return found
      after = last
    }
    throw new BackupRefused(`${this.#name} has too many files. Use a folder of its own for the backups.`)
  }

  /**
   * Returns the unfinished uploads in the folder. A listing of files does not show their parts, but the provider
   * charges for them.
   */
  async #begun(signal: AbortSignal): Promise<{ name: string; id: string }[]> {
    const path = `?${new URLSearchParams({ uploads: '', prefix: this.#folder })}`
    const text = await (await this.#ask('GET', path, { signal })).text()
    return [...text.matchAll(/<Upload>([\s\S]*?)<\/Upload>/g)].map(([, each = '']) => ({
      name: plainText(member(each, 'Key')).slice(this.#folder.length),
      id: plainText(member(each, 'UploadId')),
    }))
  }

  /**
   * Aborts the uploads of older files of the same kind: a newer file replaces them, so none of them will be continued.
   */
  async #abortOlder(to: string, signal: AbortSignal): Promise<void> {
    for (const { name: file, id } of await this.#begun(signal))
      if (isOlder(file, to)) await this.#ask('DELETE', this.#at(file, { uploadId: id }), { signal })
  }

  /** Returns the upload of an earlier attempt with its parts; starts one if there is none. */
  async #upload(to: string, signal: AbortSignal): Promise<Upload> {
    const before = (await this.#begun(signal)).find((each) => each.name === to)
    if (before) {
      const kept = await this.#ask('GET', this.#at(to, { uploadId: before.id }), { signal })
      return { id: before.id, parts: partsIn(await kept.text()) }
    }
    const made = await this.#ask('POST', this.#at(to, { uploads: '' }), { signal })
    return { id: plainText(member(await made.text(), 'UploadId')), parts: new Map() }
  }

  async send(file: string, to: string, { bytes, signal, sent }: Sending): Promise<void> {
    const size = Math.max(leastPartBytes, Math.ceil(bytes / mostParts))
    // Where each attempt fails, one upload would be left by every backup. What keeps it from being aborted is reported after the
    // upload, and keeps no backup from being sent.
    await this.#abortOlder(to, signal).catch(() => {})
    const { id, parts } = await this.#upload(to, signal)
    const handle = await open(file)
    try {
      const buffer = Buffer.alloc(Math.min(size, bytes))
      for (let number = 1; (number - 1) * size < bytes; number++) {
        const length = Math.min(size, bytes - (number - 1) * size)
        const { bytesRead } = await handle.read(buffer, 0, length, (number - 1) * size)
        if (bytesRead !== length)
          throw new BackupRefused(`${file} changed while it was sent. Make a new backup.`)
        const body = buffer.subarray(0, length)
        const etag = `"${createHash('md5').update(body).digest('hex')}"`
        if (parts.get(number) !== etag) {
          const path = this.#at(to, { partNumber: String(number), uploadId: id })
          const answer = await this.#ask('PUT', path, { body, signal })
          parts.set(number, answer.headers.get('etag') ?? etag)
        }
        sent((number - 1) * size + length)
      }
    } finally {
      await handle.close()
    }
    await this.#complete(to, { id, parts }, signal)
    await this.#abortOlder(to, signal)
  }

  async #complete(to: string, { id, parts }: Upload, signal: AbortSignal): Promise<void> {
    const listed = [...parts].sort(([one], [other]) => one - other)
    const text = listed.map(
      ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${text.join('')}</CompleteMultipartUpload>`
    const answer = await this.#ask('POST', this.#at(to, { uploadId: id }), { body, signal })
    // S3 may answer 200 and report an error in the body.
    const found = await answer.text()
    if (found.includes('<Error>'))
      throw new BackupRefused(
        `${this.#name} did not put the parts together (${member(found, 'Code')}). It will be tried again.`,
      )
  }

  async read(from: string, start: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const headers: Record<string, string> = start > 0 ? { Range: `bytes=${start}-` } : {}
    return bodyFrom(await this.#ask('GET', this.#at(from), { headers, signal }), start)
  }

  async remove(file: string): Promise<void> {
    await this.#ask('DELETE', this.#at(file))
  }

  close(): void {}
}

/** An upload of a file: its id, and the tags of the parts that are there. */
interface Upload {
  id: string
  parts: Map<number, string>
}

/** Whether a file is a backup or a segment of keys that was made before another of its kind. */
function isOlder(file: string, than: string): boolean {
  const [one, other] = [file, than].map((name) => backupNamed(name, 0)?.takenAt ?? null)
  if (one !== null && other !== null) return one! < other!
  const [early, late] = [file, than].map((name) => segmentsAmong([name])[0]?.at ?? null)
  return early !== null && late !== null && early! < late!
}

function partsIn(xml: string): Map<number, string> {
  const found = [...xml.matchAll(/<Part>([\s\S]*?)<\/Part>/g)]
  return new Map(
    found.map(([, each = '']) => [Number(member(each, 'PartNumber')), plainText(member(each, 'ETag'))]),
  )
}

function member(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
}
