import { type ClientRequest, get, type IncomingMessage } from 'node:http'

export interface Listened {
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: what was told is looked into freely by tests.
  event: any
}

/** Somebody who hears server-sent events. */
export interface Listener {
  status: number
  heard: Listened[]
  comments: string[]
  /** The place to go on from. */
  last(): string
  /** Resolves when the other side has ended it. */
  ended: Promise<void>
  hangUp(): void
}

/** Listens at a URL; resolves with the head of the answer. */
export function listenTo(
  url: string,
  { token = 'demo', last }: { token?: string; last?: string } = {},
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      ...(last !== undefined && { 'Last-Event-ID': last }),
    }
    const asked: ClientRequest = get(url, { headers, agent: false }, (response) => {
      resolve(listening(asked, response))
    })
    asked.on('error', reject)
  })
}

function listening(asked: ClientRequest, response: IncomingMessage): Listener {
  const ended = Promise.withResolvers<void>()
  let place = ''
  let text = ''
  const self: Listener = {
    status: response.statusCode ?? 0,
    heard: [],
    comments: [],
    last: () => place,
    ended: ended.promise,
    hangUp: () => asked.destroy(),
  }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      take(text.slice(0, end).split('\n'))
      text = text.slice(end + 2)
    }
  })
  response.on('error', () => {})
  response.on('close', () => ended.resolve())

  function take(lines: string[]): void {
    const isBeat = lines.includes('event: beat')
    for (const line of lines) {
      if (line.startsWith('id: ')) place = line.slice(4)
      else if (isBeat) continue
      else if (line.startsWith(':')) self.comments.push(line.slice(1).trim())
      else if (line.startsWith('data: ')) self.heard.push({ id: place, event: JSON.parse(line.slice(6)) })
    }
  }

  return self
}
