import type { Transaction } from '../../../resource/command.ts'
import type { Fact, Intent, Offer, StepResult } from '../../sync-contract.ts'
import { keepConflicts, openConflicts, resolve } from '../conflicts/conflicts.ts'
import { groupAt } from '../merge/merge-fields.ts'
import type { Said } from '../merge/merge-members.ts'
import { snapshot } from '../snapshot.ts'
import type { Sharing } from '../sync-changes.ts'
import { keepRecord, recordOf } from '../sync-state.ts'
import { factsOf, finishFacts } from './facts.ts'
import { finishIntents, intentsOf, isRefused, pointerOf, refusalOf } from './intents.ts'

/** The steps of a message. */
type Steps = Pick<Offer, 'intents' | 'facts'>

interface Sent {
  reservationId: string
  offer: Steps
  /** The mark of the outbox when the message was made. */
  offeredMark: number
}

/**
 * Carries out the results of the steps of a message. A step without a result is done. Returns what the PMS has not carried out, and what of
 * it is refused, each with its reason.
 */
export function finishSteps(
  tx: Transaction,
  { reservationId, offer: { intents, facts }, offeredMark }: Sent,
  results: readonly StepResult[],
): { undone: Steps; refused: { steps: Steps; reason: string }[] } {
  const byId = new Map(results.map((each) => [each.id, each]))
  finishIntents(tx, reservationId, offeredMark, byId)
  finishFacts(
    tx,
    reservationId,
    facts.map(({ id }) => id),
    byId,
  )
  const only = (isIt: (id: string) => boolean): Steps => ({
    intents: intents.filter(({ id }) => isIt(id)),
    facts: facts.filter(({ id }) => isIt(id)),
  })
  const refused = results.flatMap((result) =>
    result.is === 'refused' ? [{ steps: only((id) => id === result.id), reason: refusalOf(result) }] : [],
  )
  return { undone: only((id) => !isDone(byId.get(id))), refused }
}

function isDone(result: StepResult | undefined): boolean {
  return result === undefined || result.is === 'done' || result.is === 'already-done'
}

/** Settles the conflicts about what the PMS has refused and has now. Returns why it refuses what is left; null for nothing. */
export function refusalsLeft(tx: Transaction, reservationId: string): string | null {
  const intents = intentsOf(tx, reservationId).filter(isRefused)
  const facts = factsOf(tx, reservationId).filter(isRefused)
  for (const conflict of openConflicts(tx, reservationId)) {
    const { reason, stayId = null, fieldGroup } = conflict
    const isLeft =
      fieldGroup === 'payments'
        ? facts.length > 0
        : intents.some((each) => (each.stayId ?? null) === stayId && each.fieldGroup === fieldGroup)
    if (reason === 'refused-by-pms' && !isLeft) resolve(tx, conflict, 'settled')
  }
  return [...intents, ...facts][0]?.refused ?? null
}

/** Members that a conflict names. */
const mostSaid = 20

/** The PMS refuses a message, or steps of one. The appliance keeps what it has, and the desk gets the reason. */
export function refuse(
  tx: Transaction,
  { configurationId, reservationId }: Sharing,
  { value, intents, facts }: Steps & Pick<Offer, 'value'>,
  refusal: string,
): void {
  const sharing = { configurationId, reservationId }
  const found = [...intents.flatMap(saidOf), ...facts.flatMap(factSaid)].slice(0, mostSaid)
  const first = found[0]?.[0] ?? ''
  const [, top, id] = first.split('/')
  const disagreement = {
    stayId: top === 'stays' ? (id ?? null) : null,
    group: groupAt(first) ?? (top === 'payments' ? 'payments' : 'dates'),
    said: Object.fromEntries(found),
    counts: 'Local' as const,
    reason: 'refused-by-pms' as const,
  }
  const seen = { before: snapshot(tx, reservationId) ?? value, changedAt: null, refusal }
  keepConflicts(tx, sharing, [disagreement], seen)
  keepRecord(tx, sharing, recordOf(tx, reservationId), { pending: true }, { hasConflicts: true })
}

type SaidOne = [pointer: string, Said[string]]

/** What an intent is about; where it is all new to the PMS, what it has never reported. */
function saidOf({ stayLocalId, from, to }: Intent): SaidOne[] {
  return Object.entries(to).map(([name, local]) => {
    const known = (from as Record<string, unknown>)[name] ?? null
    return [pointerOf(stayLocalId, name), { base: known, local, upstream: known }]
  })
}

function factSaid(fact: Fact): SaidOne[] {
  if (fact.is !== 'payment' && fact.is !== 'void') return []
  const { payment } = fact
  return [[`/payments/${payment.id}`, { base: null, local: payment, upstream: null }]]
}
