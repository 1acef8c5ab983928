import { change } from '../resource/change.ts'

/** Writes down that the appliance has started. */
export const noteStart = change('system/started', (tx, { version }: { version: string }): null => {
  tx.journal('system.started', 'system', { version })
  return null
})
