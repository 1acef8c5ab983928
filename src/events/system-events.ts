import { command } from '../resource/command.ts'

/** The command that records a start of the appliance. */
export const noteStart = command('system/started', (tx, { version }: { version: string }): null => {
  tx.journal('system.started', 'system', { version })
  return null
})
