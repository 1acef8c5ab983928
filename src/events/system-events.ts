import { change } from '../resource/change.ts'

/** The command that records a start of the appliance. */
export const noteStart = change('system/started', (tx, { version }: { version: string }): null => {
  tx.journal('system.started', 'system', { version })
  return null
})
