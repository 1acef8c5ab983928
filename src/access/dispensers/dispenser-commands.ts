import { command, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { type AlarmStates, keepFound } from '../handles/device-alarms.ts'
import type { CardRun } from '../resources/card-run.ts'
import { type commandedStates, type Dispenser, dispenser } from '../resources/dispenser.ts'

/** The counters of a machine, since its first card or since the last service or emptying. */
export const shownCounters = ['dispensed', 'captured', 'returned', 'jams', 'retries', 'sinceService'] as const
export const counterNames = [...shownCounters, 'binCount'] as const
type Count = (typeof counterNames)[number]
export type Counters = Partial<Record<Count, number>>

/** Counts a dispensed card. */
export function countDispensed(tx: Transaction, run: CardRun): void {
  if (!run.dispenserId) return
  const row = count(tx, run.dispenserId, 'dispensed', 'sinceService')
  if (!run.placed) countInStacker(tx, row.id, -1, row)
}

/** Counts a card that was fed from the stacker (-1), or put back (1), where the count of the stacker is known. */
export function countInStacker(
  tx: Transaction,
  id: string,
  change: -1 | 1,
  { estimatedCards }: Dispenser = tx.find(dispenser, id),
): void {
  if (typeof estimatedCards === 'number')
    tx.patch(dispenser, id, { estimatedCards: Math.max(0, estimatedCards + change) })
}

/** Counts a captured card. */
export function countCaptured(tx: Transaction, id: string): void {
  count(tx, id, 'captured', 'binCount', 'sinceService')
}

/** Counts a jam and publishes the alarm, also when the machine has already freed itself. */
export function countJam(tx: Transaction, id: string): void {
  count(tx, id, 'jams')
  publishAlarms(tx, id, { jammed: true })
}

/** Adds one to each of the counters. Returns the dispenser as it is then. */
export function count(tx: Transaction, id: string, ...counts: Count[]): Dispenser {
  const row: Dispenser = tx.find(dispenser, id)
  return tx.patch(dispenser, id, Object.fromEntries(counts.map((each) => [each, (row[each] ?? 0) + 1])))
}

type OfOne<More = unknown> = { dispenserId: string } & More

/** A command that only counts something at a dispenser. */
function counting(name: string, work: (tx: Transaction, id: string) => void) {
  return command(name, (tx, { dispenserId }: OfOne) => {
    work(tx, dispenserId)
    return null
  })
}

/** Counts a card that has left the stacker without an issuance. */
export const fedCard = counting('dispenser/fed', (tx, id) => countInStacker(tx, id, -1))

/** Counts a jam outside an issuance. */
export const jammedCard = counting('dispenser/jammed', countJam)

/** Counts a restart that no request asked for and that succeeded. */
export const startedAnew = counting('dispenser/started-anew', (tx, id) => count(tx, id, 'retries'))

/** Sets the commanded state of a dispenser. Publishes an event when it differs from the one before. */
export const commandDispenser = command(
  'dispenser/command',
  (tx, { dispenserId, state }: OfOne<{ state: (typeof commandedStates)[number] }>) => {
    const before = tx.find(dispenser, dispenserId)
    const { revision } = tx.patch(dispenser, dispenserId, { commandedState: state })
    const event = { changed: ['commandedState'], state, commandedState: state }
    if (before.commandedState !== state)
      tx.journal('dispenser.state-changed', `dispensers/${dispenserId}`, event)
    return { revision }
  },
)

/** Records the kind of a returned card. */
export const returnedCard = command(
  'dispenser/returned',
  (tx, { dispenserId, uid, found }: OfOne<{ uid: string; found: string }>) => {
    tx.journal('card.read', `dispensers/${dispenserId}`, { uid, found })
    return null
  },
)

/** Adds refilled cards to the count. An unknown count starts at 0. The result is at most the capacity. */
export const refillDispenser = command('dispenser/refill', (tx, input: OfOne<{ cards: number }>) => {
  const row = tx.find(dispenser, input.dispenserId)
  const counted = (row.estimatedCards ?? 0) + input.cards
  const estimatedCards = Math.min(counted, row.capacity ?? Number.POSITIVE_INFINITY)
  tx.patch(dispenser, input.dispenserId, { estimatedCards })
  return { estimatedCards }
})

/** Sets the number of cards in the bin to 0. Returns it. */
export const emptyBin = command('dispenser/empty-bin', (tx, { dispenserId }: OfOne) => {
  tx.patch(dispenser, dispenserId, { binCount: 0 })
  return { binCount: 0 }
})

/** Sets counters. Throws dispenser-state unless the dispenser is in maintenance. */
export const setCounters = command(
  'dispenser/set-counters',
  (tx, { dispenserId, counters }: OfOne<{ counters: Counters }>) => {
    const { commandedState } = tx.find(dispenser, dispenserId)
    if (commandedState !== 'maintenance')
      throw new Problem(
        'dispenser-state',
        'Counters can be set only while the dispenser is in maintenance. Set it to maintenance first.',
        { meta: { state: commandedState, allowed: ['maintenance'] } },
      )
    const { revision } = tx.patch(dispenser, dispenserId, counters)
    tx.journal('dispenser.counters-set', `dispensers/${dispenserId}`, { counters })
    return { revision }
  },
)

/** The alarms of a dispenser. */
export type DispenserAlarm = 'offline' | 'fault' | 'jammed' | 'stacker-low' | 'stacker-empty' | 'bin-full'

/** The alarms that are reported as a state of the dispenser, in one event. */
const states: readonly string[] = ['offline', 'fault'] satisfies DispenserAlarm[]

/**
 * Publishes each alarm of a dispenser once when it begins, and its end. Active alarms are stored in `alarms`, so that
 * no later look and no restart repeats them. In maintenance nothing is published. Alarms that are still active
 * afterwards are published then.
 */
function publishAlarms(tx: Transaction, id: string, found: AlarmStates<DispenserAlarm>): void {
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

/** Stores what a status request has found. `hasCards` is what the sensor of the stacker sees; null without one. */
export const foundDispenser = command(
  'dispenser/found',
  (tx, input: { dispenserId: string; found: AlarmStates<DispenserAlarm>; hasCards: boolean | null }) => {
    const { dispenserId, found, hasCards } = input
    const cards = correctedCards(tx.find(dispenser, dispenserId).estimatedCards ?? null, hasCards)
    tx.patch(dispenser, dispenserId, { estimatedCards: cards })
    publishAlarms(tx, dispenserId, found)
    return null
  },
)

/** The card count by the sensor: 0 for an empty stacker; unknown (null) when it sees cards and the count is 0. */
export function correctedCards(counted: number | null, hasCards: boolean | null): number | null {
  if (hasCards === false) return 0
  return hasCards && counted === 0 ? null : counted
}
