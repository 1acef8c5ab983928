import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { settingsIn } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { isLive, type StayStatus, stepsBetween, transition } from './status.ts'
import type { Follower } from './stay-changes.ts'
import { derivedBy, tellStatus } from './stay-effects.ts'
import { factsOf } from './stay-facts.ts'
import type { StayInput } from './stay-update.ts'
import { settleUnits } from './unit-effects.ts'

type StayRow = Attributes<typeof stay.fields>

/** A stay as it is now, and what kept it from all that was told: nothing, or the Problem of the first thing that did. */
interface Told {
  row: Stay
  problem: Problem | null
}

/**
 * Sets some fields of a stay as a PMS has told that they are. A status several steps away is gone to step by step, so
 * that everything follows that follows from each. Where a field cannot be, or a step, nothing of that step is written,
 * and the Problem says what it was. Refreshing the reservation is the caller's.
 */
export function tellStay(
  tx: Transaction,
  before: Stay,
  { status = before.status, ...fields }: StayInput,
  followers: readonly Follower[],
): Told {
  const steps = stepsBetween(before.status, status as StayStatus)
  if (!steps) {
    const detail = `A stay that is ${before.status} cannot become ${status}.`
    return { row: before, problem: new Problem('stay-status-transition', detail, { pointer: '/status' }) }
  }
  const [first = before.status, ...further] = steps
  let row = before
  for (const [index, next] of [first, ...further].entries()) {
    try {
      row = step(tx, row, { ...(index === 0 && fields), status: next }, followers)
    } catch (error) {
      if (error instanceof Problem) return { row, problem: error }
      throw error
    }
  }
  return { row, problem: null }
}

/** What refuses does so before anything is written. */
function step(tx: Transaction, before: Stay, given: StayInput, followers: readonly Follower[]): Stay {
  const after = { ...before, ...given } as Stay
  if (after.status === before.status) {
    const row = tx.patch(stay, before.id, given as Partial<StayRow>)
    if (given.units) settleUnits(tx, before, row)
    return row
  }
  const house = settingsIn(tx)
  const facts = factsOf(tx, before, after, { house, canReinstate: true })
  const { effects } = transition(before.status, after.status, facts, { isTold: true })
  const derived = derivedBy(tx, effects, { before, after, house })
  const row = tx.patch(stay, before.id, { ...given, ...derived } as Partial<StayRow>)
  settleUnits(tx, before, row)
  tellStatus(tx, before, row)
  for (const effect of effects) for (const follow of followers) follow(tx, effect, row)
  return row
}

/**
 * Makes a stay that a PMS has told of, in the status that it has there: what is over is not gone through again. Throws the
 * Problem of what cannot be, before anything is written.
 */
export function tellNewStay(tx: Transaction, reservationId: string, input: StayInput): Stay {
  const given = { ...input, reservationId } as unknown as Stay
  if (!isLive(given.status)) {
    const row = tx.insert(stay, given as unknown as StayRow)
    if (row.units.some(({ unitId }) => unitId)) settleUnits(tx, null, row)
    return row
  }
  const house = settingsIn(tx)
  const isPlain = given.status !== 'InHouse'
  const effects = isPlain
    ? []
    : transition(null, given.status, factsOf(tx, null, given, { house, canReinstate: true }), {
        isTold: true,
      }).effects
  const derived = derivedBy(tx, effects, { before: null, after: given, house })
  const row = tx.insert(stay, { ...given, ...derived } as unknown as StayRow)
  if (row.units.some(({ unitId }) => unitId)) settleUnits(tx, null, row)
  tellStatus(tx, null, row)
  return row
}
