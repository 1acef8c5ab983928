import type { SyncNotifications } from '../../sync-contract.ts'
import type { CarrierNotifications } from './carrier.ts'
import type { Message } from './messages/envelope.ts'
import { readChange } from './messages/read-change.ts'
import { type Received, readMessage } from './messages/read-message.ts'

/** The maximum number of unread messages; a further one is polled for later. */
const maxWaiting = 1_000

/** Reads the messages of a carrier one after the other in the order of arrival, and reports their changes. */
export function intake(news: SyncNotifications, failed: (error: unknown) => void): CarrierNotifications {
  const waiting: Uint8Array[] = []
  let reading = false

  async function readAll(): Promise<void> {
    reading = true
    try {
      for (let bytes = waiting.shift(); bytes; bytes = waiting.shift()) await report(bytes)
    } catch (error) {
      failed(error)
      news.poke()
    } finally {
      reading = false
    }
  }

  async function report(bytes: Uint8Array): Promise<void> {
    const message = await readMessage(bytes)
    // A message without a cursor only signals a change; polling returns the change itself.
    if (message.is === 'refused' || message.value.sequence === undefined) return news.poke()
    const came = () => ({ text: Buffer.from(bytes).toString('utf8'), size: bytes.length })
    news.changes(await pageOf(message.value, message.value.sequence, came))
  }

  return {
    message(bytes) {
      if (news.takesChanges?.() === false || waiting.length >= maxWaiting) return news.poke()
      waiting.push(bytes)
      if (!reading) void readAll()
    },
    poke: () => news.poke(),
    line: (state, reason) => news.line(state, reason),
  }
}

async function pageOf(message: Message, cursor: string, came: () => Received) {
  const read = await readChange(message, came)
  return {
    changes: read.is === 'read' ? [read.value] : [],
    refused: read.is === 'refused' ? [read.refused] : [],
    isChecked: true,
    previous: message.previous ?? null,
    cursor,
    more: false,
  }
}
