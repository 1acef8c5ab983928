import { command, type Transaction } from '../../resource/command.ts'
import { type AlarmStates, keepFound } from '../controllers/device-alarms.ts'
import { dispenser } from '../resources/dispenser.ts'

/** The alarms of a dispenser. */
export type DispenserAlarm = 'offline' | 'fault' | 'jammed' | 'stacker-low' | 'stacker-empty' | 'bin-full'

/** The alarms that are reported as a state of the dispenser, in one event. */
const states: readonly string[] = ['offline', 'fault'] satisfies DispenserAlarm[]

/**
 * Publishes each alarm of a dispenser once when it begins, and its end. Active alarms are stored in `alarms`, so that
 * no later look and no restart repeats them. In maintenance nothing is published. Alarms that are still active
 * afterwards are published then.
 */
export function publishDispenserAlarms(
  tx: Transaction,
  id: string,
  found: AlarmStates<DispenserAlarm>,
): void {
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
    // An empty stacker is not also reported as low.
    if (states.includes(alarm) || (alarm === 'stacker-low' && raised.includes('stacker-empty'))) continue
    tx.journal(`dispenser.${alarm}`, subject)
  }
  if (over.length > 0) tx.journal('dispenser.recovered', subject, { from: over })
}

/**
 * Stores what a status request has found. `hasCards` is the state of the stacker by its sensor; null without a sensor.
 */
export const foundDispenser = command(
  'dispenser/found',
  (tx, input: { dispenserId: string; found: AlarmStates<DispenserAlarm>; hasCards: boolean | null }) => {
    const { dispenserId, found, hasCards } = input
    const cards = correctedCards(tx.find(dispenser, dispenserId).estimatedCards ?? null, hasCards)
    tx.patch(dispenser, dispenserId, { estimatedCards: cards })
    publishDispenserAlarms(tx, dispenserId, found)
    return null
  },
)

/**
 * The card count after the sensor is taken into account: 0 for an empty stacker; null (unknown) when the count is 0 and
 * the sensor sees cards.
 */
export function correctedCards(counted: number | null, hasCards: boolean | null): number | null {
  if (hasCards === false) return 0
  return hasCards && counted === 0 ? null : counted
}
