import type { News } from '../sync-side.ts'
import type { CarrierNews } from './carrier.ts'
import type { Message } from './envelope.ts'
import { readChange } from './read-change.ts'
import { type Came, readMessage } from './read-message.ts'

/** Messages that came and were not read yet; one more is fetched later instead. */
const mostWaiting = 1_000

/** What a carrier hears, read one after the other in the order of arrival, and told as news. */
export function intake(news: News, failed: (error: unknown) => void): CarrierNews {
  const waiting: Uint8Array[] = []
  let reading = false

  async function readAll(): Promise<void> {
    reading = true
    try {
      for (let bytes = waiting.shift(); bytes; bytes = waiting.shift()) await tell(bytes)
    } catch (error) {
      failed(error)
      news.nudge()
    } finally {
      reading = false
    }
  }

  async function tell(bytes: Uint8Array): Promise<void> {
    const message = await readMessage(bytes)
    // Without a place among the changes it says no more than that there is something: the changes have it too.
    if (message.is === 'refused' || message.good.sequence === undefined) return news.nudge()
    const came = { text: Buffer.from(bytes).toString('utf8'), size: bytes.length }
    news.changes(await pageOf(message.good, message.good.sequence, came))
  }

  return {
    message(bytes) {
      if (waiting.length >= mostWaiting) return news.nudge()
      waiting.push(bytes)
      if (!reading) void readAll()
    },
    nudge: () => news.nudge(),
    line: (state, reason) => news.line(state, reason),
  }
}

async function pageOf(message: Message, cursor: string, came: Came) {
  const read = await readChange(message, came)
  return {
    changes: read.is === 'read' ? [read.good] : [],
    refused: read.is === 'refused' ? [read.refused] : [],
    previous: message.previous ?? null,
    cursor,
    more: false,
  }
}
