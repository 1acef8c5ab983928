import { sameMember } from './sync/merge/same.ts'
import type { SharedReservation } from './sync/shared-reservation.ts'
import type { Fact, Intent, Offer } from './sync-contract.ts'

/** One thing to carry out of a message. */
export type Step = { is: 'intent'; intent: Intent } | { is: 'fact'; fact: Fact }

/** The steps of a message in the order in which a PMS that takes commands needs them: what was made here, then guests, dates,
 * units, status, services, rates and comments, then payments, and at last the check-outs. */
export function stepsOf({ intents, facts }: Pick<Offer, 'intents' | 'facts'>): Step[] {
  const ofFact = (fact: Fact): Step => ({ is: 'fact', fact })
  const ofIntent = (intent: Intent): Step => ({ is: 'intent', intent })
  const isMoney = ({ is }: Fact) => is === 'payment' || is === 'void'
  return [
    ...facts.filter((each) => !isMoney(each)).map(ofFact),
    ...intents.filter((each) => !isCheckOut(each)).map(ofIntent),
    ...facts.filter(isMoney).map(ofFact),
    ...intents.filter(isCheckOut).map(ofIntent),
  ]
}

/** Whether an intent is that a guest has left: the payments go before it. */
export function isCheckOut({ to }: Pick<Intent, 'to'>): boolean {
  return to.status === 'CheckedOut'
}

/** Whether a reservation, as a PMS has it now, has what an intent is about: it was carried out before. */
export function isCarriedOut(
  { stayLocalId, stayExternalId, to }: Intent,
  { stays, ...reservation }: SharedReservation,
): boolean {
  const has =
    stayLocalId === null
      ? reservation
      : stays.find(({ externalId, localId }) =>
          stayExternalId ? externalId === stayExternalId : localId === stayLocalId,
        )
  if (!has) return false
  return Object.entries(to).every(([name, value]) => sameMember(name, value, (has as never)[name]))
}
