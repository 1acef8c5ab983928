import { Agent, request } from 'node:http'

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
type Body = any

export interface Answer {
  status: number
  body: Body
  text: string
}

export interface Connection {
  base: string
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  close(): void
}

/** One connection that is kept open, as a client has it: its requests go one after the other. */
export function connect(base: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    base,
    ask: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? '' : JSON.stringify(body)
        const message = request(new URL(path, base), {
          method,
          agent,
          headers: {
            Accept: 'application/vnd.api+json',
            Authorization: 'Bearer demo',
            ...(text !== '' && {
              'Content-Type': 'application/vnd.api+json',
              'Content-Length': Buffer.byteLength(text),
            }),
            ...headers,
          },
        })
        message.on('error', reject)
        message.on('response', async (response) => {
          try {
            const answer = await textOf(response)
            const status = response.statusCode ?? 0
            resolve({ status, text: answer, body: answer === '' ? null : JSON.parse(answer) })
          } catch (error) {
            reject(error)
          }
        })
        message.end(text)
      }),
    close: () => agent.destroy(),
  }
}

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
