import { command } from '../../resource/command.ts'

/** The command that records the actor of a network change or of its confirmation. */
export const noteNetwork = command(
  'box/network-asked',
  (tx, asked: { action: 'try' | 'confirm'; address: string }): null => {
    tx.journal('system.network-requested', 'system', asked)
    return null
  },
)
