import type { Bus } from '../../events/bus.ts'
import { command, type Writer } from '../../resource/command.ts'
import { capabilitiesReplied, capabilitiesRequested } from './capability-events.ts'

/** Appends an event of the bus to the journal. */
export const recordEvent = command(
  'record-pms-event',
  (tx, { type, subject, data }: { type: string; subject: string; data: object }): null => {
    tx.journal(type, subject, { ...data })
    return null
  },
)

const actor = { by: 'capabilities', requestId: null }

/** Records the requests and replies of capabilities in the journal, until the returned function is called. */
export function recordCapabilities(bus: Bus, writer: Writer): () => void {
  const stops = [capabilitiesRequested, capabilitiesReplied].map((type) =>
    bus.subscribe(type, async ({ type, subject, data }) => {
      await writer.execute(recordEvent, { type, subject, data }, { actor })
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}
