import { change, type Transaction } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import { foundController } from '../equipment/controller-alarms.ts'
import { openKeysOn, setGone, setStatus } from '../keys/key-status.ts'
import { type commandedStates, dispenser } from '../resources/dispenser.ts'
import { foundDispenser } from './dispenser-alarms.ts'
import {
  type Counters,
  count,
  countCaptured,
  countFed,
  countJam,
  countRestacked,
} from './dispenser-counts.ts'

type OfOne<More = unknown> = { dispenserId: string } & More

const subjectOf = ({ dispenserId }: OfOne) => `dispensers/${dispenserId}`

/** The state that staff want it in. Told when it differs from what they wanted before. */
export const commandDispenser = change(
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

/** A card that is on no card's way has left the stacker, or was put back. */
export const stackedCard = change(
  'dispenser/stacked',
  (tx, { dispenserId, back }: OfOne<{ back: boolean }>) => {
    if (back) countRestacked(tx, dispenserId)
    else countFed(tx, dispenserId)
    return null
  },
)

/** A card jammed that is on no card's way. */
export const jammedCard = change('dispenser/jammed', (tx, { dispenserId }: OfOne) => {
  countJam(tx, dispenserId)
  return null
})

/**
 * A card that is on no card's way lies in the bin. One that was not erased would still open its door to whoever empties
 * the bin: what is live on it is blocked.
 */
export const capturedCard = change(
  'dispenser/captured',
  (tx, input: OfOne<{ uid: string | null; returned: boolean }>) => {
    const { dispenserId, uid, returned } = input
    countCaptured(tx, dispenserId)
    if (returned) count(tx, dispenserId, 'returned')
    const keys = block(tx, uid, 'in the bin')
    tx.journal('card.captured', subjectOf(input), { uid, keys })
    return null
  },
)

/** Nobody has taken a card from the gate that is on no card's way. It was captured, or is held inside. */
export const leftCard = change(
  'dispenser/left',
  (tx, input: OfOne<{ uid: string | null; to: 'capture' | 'hold' }>) => {
    const { dispenserId, uid, to } = input
    if (to === 'capture') countCaptured(tx, dispenserId)
    const keys = block(tx, uid, 'left at the gate')
    tx.journal('card.left-at-gate', subjectOf(input), { uid, keys })
    return null
  },
)

/** What a card that was handed back was found to be; one that was `erased` opens nothing any more. */
export const returnedCard = change(
  'dispenser/returned',
  (tx, input: OfOne<{ uid: string; found: string; erased: boolean }>) => {
    const { uid, found, erased } = input
    tx.journal('card.read', subjectOf(input), { uid, found })
    if (!erased) return null
    const open = openKeysOn(tx, uid)
    for (const row of open) setGone(tx, row, 'erased')
    tx.journal('card.erased', subjectOf(input), { uid, keys: open.map(({ id }) => id) })
    return null
  },
)

/** It was started anew without being told to, and is well. */
export const startedAnew = change('dispenser/started-anew', (tx, { dispenserId }: OfOne) => {
  count(tx, dispenserId, 'retries')
  return null
})

/**
 * Cards were filled in. Where nobody knew how many there were, there are at least these; never more than the stacker
 * holds.
 */
export const refillDispenser = change('dispenser/refill', (tx, input: OfOne<{ cards: number }>) => {
  const { estimatedCards, capacity } = tx.find(dispenser, input.dispenserId)
  const cards = Math.min((estimatedCards ?? 0) + input.cards, capacity ?? Number.POSITIVE_INFINITY)
  tx.patch(dispenser, input.dispenserId, { estimatedCards: cards })
  return { estimatedCards: cards }
})

export const emptyBin = change('dispenser/empty-bin', (tx, { dispenserId }: OfOne) => {
  tx.patch(dispenser, dispenserId, { binCount: 0 })
  return { binCount: 0 }
})

/** Throws dispenser-state: counters are set while somebody works on the machine. */
export const setCounters = change(
  'dispenser/set-counters',
  (tx, { dispenserId, counters }: OfOne<{ counters: Counters }>) => {
    const { commandedState } = tx.find(dispenser, dispenserId)
    if (commandedState !== 'maintenance')
      throw new Problem('dispenser-state', 'Counters are set while the dispenser is in maintenance.', {
        meta: { state: commandedState, allowed: ['maintenance'] },
      })
    const { revision } = tx.patch(dispenser, dispenserId, counters)
    tx.journal('dispenser.counters-set', `dispensers/${dispenserId}`, { counters })
    return { revision }
  },
)

export const dispenserChanges = [
  commandDispenser,
  stackedCard,
  jammedCard,
  capturedCard,
  leftCard,
  returnedCard,
  startedAnew,
  refillDispenser,
  emptyBin,
  setCounters,
  foundDispenser,
  foundController,
]

/** Nobody holds the card any more, and nothing proves that it opens nothing. Answers the ids of its keys. */
function block(tx: Transaction, uid: string | null, reason: string): string[] {
  const live = uid === null ? [] : openKeysOn(tx, uid).filter(({ status }) => status === 'live')
  for (const row of live) setStatus(tx, row, 'blocked', { reason })
  return live.map(({ id }) => id)
}
