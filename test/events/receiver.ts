import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { until } from '../access/house-with-doors.ts'
import { ownPort } from '../own-port.ts'

export interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is looked into freely by tests.
  event: any
}

/** Somebody else's server, which a webhook points at. */
export interface Receiver {
  url: string
  port: number
  /** Everything that came, the events that a receiver is tried with left out. */
  received: Received[]
  /** What it answers; 200 unless told otherwise. A receiver that answers nothing gives undefined. */
  answer: (received: Received, response: ServerResponse) => number | undefined
  /** Waits until so many events have come. */
  has(count: number): Promise<Received[]>
  /** Waits for an event of a type. */
  hears(type: string): Promise<Received>
  close(): Promise<void>
}

/** A message to a phone is no event. */
function eventIn(headers: IncomingHttpHeaders, text: string) {
  return headers['content-type']?.startsWith('text/plain') ? { type: 'message' } : JSON.parse(text)
}

export async function receiver(known?: number): Promise<Receiver> {
  const port = known ?? (await ownPort())
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk) => chunks.push(chunk))
    message.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const received = { headers: message.headers, text, event: eventIn(message.headers, text) }
      if (received.event.type !== 'webhook.tested') self.received.push(received)
      const status = self.answer(received, response)
      if (status !== undefined) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const self: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: () => 200,
    has: (count) =>
      until(
        `${count} events`,
        async () => self.received,
        (all) => all.length >= count,
      ),
    hears: async (type) => {
      const find = async () => self.received.find(({ event }) => event.type === type)
      return (await until(type, find, (found) => found !== undefined))!
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return self
}
