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
export function s3Target({ name, url, user, secret, region }: TargetSettings): Target {
  const { origin, pathname } = new URL(url)
  const [, bucket = '', ...folders] = pathname.replace(/\/+$/, '').split('/')
  const folder = folders.map((each) => `${decodeURIComponent(each)}/`).join('')
  const client = new AwsClient({
    accessKeyId: user ?? '',
    secretAccessKey: secret ?? '',
    region: region ?? 'us-east-1',
    service: 's3',
    retries: 0,
  })

  async function ask(method: string, path: string, more: RequestInit = {}): Promise<Response> {
    const { body = '' } = more
    const digest = createHash('sha256')
      .update(body as string | Buffer)
      .digest('hex')
    const headers = { ...(more.headers as Record<string, string>), 'X-Amz-Content-Sha256': digest }
    const given = { ...more, ...(body === '' && { body: undefined }), method, headers }
    const signed = await client.sign(`${origin}/${bucket}${path}`, given as RequestInit)
    const answer = await fetch(signed, { redirect: 'error' })
    return expectSuccess(name, `${method} ${path.slice(0, 80)}`, answer)
  }

  const at = (file: string) => `/${`${folder}${file}`.split('/').map(encodeURIComponent).join('/')}`

  async function list() {
    const found: { name: string; bytes: number }[] = []
    let after = ''
    for (let page = 0; page < mostPages; page++) {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: folder,
        ...(after && { 'start-after': after }),
      })
      const text = await (await ask('GET', `?${query}`)).text()
      const keys: string[] = []
      for (const [, each = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const key = plainText(member(each, 'Key'))
        keys.push(key)
        const file = key.slice(folder.length)
        if (!file.includes('/')) found.push({ name: file, bytes: Number(member(each, 'Size')) })
      }
      const last = keys.at(-1)
      if (member(text, 'IsTruncated') !== 'true' || last === undefined) return found
      after = last
    }
    throw new BackupRefused(`${name} has too many files. Use a folder of its own for the backups.`)
  }

  /**
   * Returns the unfinished uploads in the folder. A listing of files does not show their parts, but the provider
   * charges for them.
   */
  async function begun(signal: AbortSignal): Promise<{ name: string; id: string }[]> {
    const text = await (
      await ask('GET', `?${new URLSearchParams({ uploads: '', prefix: folder })}`, { signal })
    ).text()
    return [...text.matchAll(/<Upload>([\s\S]*?)<\/Upload>/g)].map(([, each = '']) => ({
      name: plainText(member(each, 'Key')).slice(folder.length),
      id: plainText(member(each, 'UploadId')),
    }))
  }

  /**
   * Aborts the uploads of older files of the same kind: a newer file replaces them, so none of them will be continued.
   */
  async function abortOlder(to: string, signal: AbortSignal): Promise<void> {
    for (const { name: file, id } of await begun(signal))
      if (isOlder(file, to))
        await ask('DELETE', `${at(file)}?${new URLSearchParams({ uploadId: id })}`, { signal })
  }

  /** Returns the upload of an earlier attempt with its parts; starts one if there is none. */
  async function upload(to: string, signal: AbortSignal): Promise<{ id: string; parts: Map<number, Part> }> {
    const before = (await begun(signal)).find((each) => each.name === to)
    if (before) {
      const { id } = before
      const kept = await (
        await ask('GET', `${at(to)}?${new URLSearchParams({ uploadId: id })}`, { signal })
      ).text()
      return { id, parts: partsIn(kept) }
    }
    const made = await (await ask('POST', `${at(to)}?uploads=`, { signal })).text()
    return { id: plainText(member(made, 'UploadId')), parts: new Map() }
  }

  async function send(file: string, to: string, { bytes, signal, sent }: Sending): Promise<void> {
    const size = Math.max(leastPartBytes, Math.ceil(bytes / mostParts))
    // Where each attempt fails, one upload would be left by every backup. What keeps it from being aborted is reported after the
    // upload, and keeps no backup from being sent.
    await abortOlder(to, signal).catch(() => {})
    const { id, parts } = await upload(to, signal)
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
        if (parts.get(number)?.etag !== etag) {
          const query = new URLSearchParams({ partNumber: String(number), uploadId: id })
          const answer = await ask('PUT', `${at(to)}?${query}`, { body, signal })
          parts.set(number, { etag: answer.headers.get('etag') ?? etag })
        }
        sent((number - 1) * size + length)
      }
    } finally {
      await handle.close()
    }
    await complete(to, id, parts, signal)
    await abortOlder(to, signal)
  }

  async function complete(
    to: string,
    id: string,
    parts: Map<number, Part>,
    signal: AbortSignal,
  ): Promise<void> {
    const listed = [...parts].sort(([one], [other]) => one - other)
    const text = listed.map(
      ([number, { etag }]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${text.join('')}</CompleteMultipartUpload>`
    const answer = await ask('POST', `${at(to)}?${new URLSearchParams({ uploadId: id })}`, { body, signal })
    // S3 may answer 200 and report an error in the body.
    const found = await answer.text()
    if (found.includes('<Error>'))
      throw new BackupRefused(
        `${name} did not put the parts together (${member(found, 'Code')}). It will be tried again.`,
      )
  }

  return {
    list,
    send,
    async read(from, start, signal) {
      const headers: Record<string, string> = start > 0 ? { Range: `bytes=${start}-` } : {}
      return bodyFrom(await ask('GET', at(from), { headers, signal }), start)
    },
    async remove(each) {
      await ask('DELETE', at(each))
    },
    close() {},
  }
}

interface Part {
  etag: string
}

/** Whether a file is a backup or a segment of keys that was made before another of its kind. */
function isOlder(file: string, than: string): boolean {
  const [one, other] = [file, than].map((name) => backupNamed(name, 0)?.takenAt ?? null)
  if (one !== null && other !== null) return one! < other!
  const [early, late] = [file, than].map((name) => segmentsAmong([name])[0]?.at ?? null)
  return early !== null && late !== null && early! < late!
}

function partsIn(xml: string): Map<number, Part> {
  const found = [...xml.matchAll(/<Part>([\s\S]*?)<\/Part>/g)].map(([, each = '']): [number, Part] => [
    Number(member(each, 'PartNumber')),
    { etag: plainText(member(each, 'ETag')) },
  ])
  return new Map(found)
}

function member(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
}
