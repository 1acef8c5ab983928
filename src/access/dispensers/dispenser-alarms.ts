import { command, type Transaction } from '../../resource/command.ts'
import { type Found, keepFound } from '../controllers/device-alarms.ts'
import { dispenser } from '../resources/dispenser.ts'

export type DispenserAlarm = 'offline' | 'fault' | 'jammed' | 'stacker-low' | 'stacker-empty' | 'bin-full'

/** What the reported state says by itself, told by one event with that state. */
const states: readonly string[] = ['offline', 'fault'] satisfies DispenserAlarm[]

/**
 * Tells what is found of a dispenser, once, and when it is over; all of it stands in its `alarms`, so that it is not told
 * again by the next look or after the next start. While somebody works on it nothing is told, and what is still so when
 * he is done is told then.
 */
export function tellDispenser(tx: Transaction, id: string, found: Found<DispenserAlarm>): void {
  const row = tx.find(dispenser, id)
  if (row.commandedState === 'maintenance') return
  const { raised, over } = keepFound(tx, dispenser, row, found)
  const subject = `dispensers/${id}`
  if ([...raised, ...over].some((alarm) => states.includes(alarm))) {
    const { alarms, commandedState } = tx.find(dispenser, id)
    const trouble = states.find((alarm) => alarms?.includes(alarm))
    tx.journal('dispenser.state-changed', subject, { state: trouble ?? commandedState, commandedState })
  }
  for (const alarm of raised) {
    // An empty stacker is told as that, and not as a low one besides.
    if (states.includes(alarm) || (alarm === 'stacker-low' && raised.includes('stacker-empty'))) continue
    tx.journal(`dispenser.${alarm}`, subject)
  }
  if (over.length > 0) tx.journal('dispenser.recovered', subject, { from: over })
}

/** What a look at the machine has found. `hasCards` is what its sensor says of the stacker, null when it says nothing. */
export const foundDispenser = command(
  'dispenser/found',
  (tx, input: { dispenserId: string; found: Found<DispenserAlarm>; hasCards: boolean | null }) => {
    const { dispenserId, found, hasCards } = input
    const cards = correctedCards(tx.find(dispenser, dispenserId).estimatedCards ?? null, hasCards)
    tx.patch(dispenser, dispenserId, { estimatedCards: cards })
    tellDispenser(tx, dispenserId, found)
    return null
  },
)

/** The sensor is right: an empty stacker holds none, and in one that is not empty nobody knows how many more there are. */
export function correctedCards(counted: number | null, hasCards: boolean | null): number | null {
  if (hasCards === false) return 0
  return hasCards && counted === 0 ? null : counted
}
