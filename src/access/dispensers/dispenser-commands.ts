import { command } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { type commandedStates, dispenser } from '../resources/dispenser.ts'
import { type Counters, count, countFed, countJam } from './dispenser-counts.ts'

type OfOne<More = unknown> = { dispenserId: string } & More

const subjectOf = ({ dispenserId }: OfOne) => `dispensers/${dispenserId}`

/** Sets the commanded state of a dispenser. Publishes an event when it differs from the one before. */
export const commandDispenser = command(
  'dispenser/command',
  (tx, input: OfOne<{ state: (typeof commandedStates)[number] }>) => {
    const { dispenserId, state } = input
    const before = tx.find(dispenser, dispenserId)
    const { revision } = tx.patch(dispenser, dispenserId, { commandedState: state })
    if (before.commandedState !== state) {
      const changed = ['commandedState']
      tx.journal('dispenser.state-changed', subjectOf(input), { changed, state, commandedState: state })
    }
    return { revision }
  },
)

/** Counts a card that has left the stacker without an issuance. */
export const fedCard = command('dispenser/fed', (tx, { dispenserId }: OfOne) => {
  countFed(tx, dispenserId)
  return null
})

/** Counts a jam outside an issuance. */
export const jammedCard = command('dispenser/jammed', (tx, { dispenserId }: OfOne) => {
  countJam(tx, dispenserId)
  return null
})

/** Records the kind of a returned card. */
export const returnedCard = command(
  'dispenser/returned',
  (tx, input: OfOne<{ uid: string; found: string }>) => {
    tx.journal('card.read', subjectOf(input), { uid: input.uid, found: input.found })
    return null
  },
)

/** Counts a restart that nobody requested and that succeeded. */
export const startedAnew = command('dispenser/started-anew', (tx, { dispenserId }: OfOne) => {
  count(tx, dispenserId, 'retries')
  return null
})

/** Adds refilled cards to the count. An unknown count starts at 0. The result is at most the capacity. */
export const refillDispenser = command('dispenser/refill', (tx, input: OfOne<{ cards: number }>) => {
  const { estimatedCards, capacity } = tx.find(dispenser, input.dispenserId)
  const cards = Math.min((estimatedCards ?? 0) + input.cards, capacity ?? Number.POSITIVE_INFINITY)
  tx.patch(dispenser, input.dispenserId, { estimatedCards: cards })
  return { estimatedCards: cards }
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
        {
          meta: { state: commandedState, allowed: ['maintenance'] },
        },
      )
    const { revision } = tx.patch(dispenser, dispenserId, counters)
    tx.journal('dispenser.counters-set', `dispensers/${dispenserId}`, { counters })
    return { revision }
  },
)
