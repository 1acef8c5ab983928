import { command } from '../../resource/command.ts'

/** Appends an event of an adapter to the journal. */
export const recordEvent = command(
  'record-pms-event',
  (tx, { type, subject, data }: { type: string; subject: string; data: object }): null => {
    tx.journal(type, subject, { ...data })
    return null
  },
)
