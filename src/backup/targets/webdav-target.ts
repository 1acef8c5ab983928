import { openAsBlob } from 'node:fs'
import { bodyFrom, expectSuccess, plainText } from './answers.ts'
import type { Sending, Target, TargetSettings } from './target.ts'

/**
 * Opens a folder of a WebDAV server, such as a Nextcloud or a NAS, with Basic authentication. WebDAV cannot continue an
 * interrupted PUT, so each attempt sends the whole file.
 */
export function webdavTarget({ name, url, user, secret }: TargetSettings): Target {
  const folder = url.endsWith('/') ? url : `${url}/`
  const authorization = `Basic ${Buffer.from(`${user ?? ''}:${secret ?? ''}`).toString('base64')}`

  async function ask(method: string, path: string, more: RequestInit = {}): Promise<Response> {
    const headers = { ...(more.headers as Record<string, string>), Authorization: authorization }
    const answer = await fetch(`${folder}${path}`, { ...more, method, headers, redirect: 'error' })
    return expectSuccess(name, `${method} ${path || 'of its folder'}`, answer)
  }

  async function send(file: string, to: string, { bytes, signal, sent }: Sending): Promise<void> {
    const part = `${to}.part`
    // A Blob of a file is read while it is sent.
    await (await ask('PUT', part, { body: await openAsBlob(file), signal })).arrayBuffer()
    sent(bytes)
    await ask('MOVE', part, { headers: { Destination: `${folder}${to}`, Overwrite: 'T' }, signal })
  }

  return {
    async list() {
      const answer = await ask('PROPFIND', '', { headers: { Depth: '1' } })
      return filesIn(await answer.text())
    },
    send,
    async read(from, start, signal) {
      const headers: Record<string, string> = start > 0 ? { Range: `bytes=${start}-` } : {}
      return bodyFrom(await ask('GET', from, { headers, signal }), start)
    },
    async remove(each) {
      await ask('DELETE', each)
    },
    close() {},
  }
}

/** Returns the files of a multistatus answer. Servers choose the prefixes of its elements. */
function filesIn(xml: string) {
  const responses = xml.matchAll(/<(?:\w+:)?response\b[^>]*>([\s\S]*?)<\/(?:\w+:)?response>/g)
  return [...responses].flatMap(([, text = '']) => {
    const href = /<(?:\w+:)?href[^>]*>\s*([^<]+?)\s*</.exec(text)?.[1]
    const bytes = /<(?:\w+:)?getcontentlength[^>]*>\s*(\d+)\s*</.exec(text)?.[1]
    if (!href || bytes === undefined || href.endsWith('/')) return []
    return [{ name: decodeURIComponent(plainText(href).split('/').at(-1)!), bytes: Number(bytes) }]
  })
}
