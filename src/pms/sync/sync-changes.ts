import type { StayPorts } from '../../reservation/stays/stay-policy.ts'
import { type Command, command, type Document } from '../../resource/command.ts'
import type { GuestMoved } from '../contract.ts'
import type { ConflictPolicy } from '../resources/conflict-policy.ts'
import { type ChooseInput, choose } from './conflicts/choose.ts'
import { applyChanges, type ChangesInput, type Outcome } from './inbound/apply.ts'
import { type MoveGuestInput, moveGuest } from './inbound/move-guest.ts'
import { endLending, keepInStep, keepLine, keepPlace, openLink } from './link.ts'
import {
  offerAgain,
  postponeOffer,
  type SettledOffer,
  type SettleInput,
  settle,
} from './outbound/settle-offer.ts'
import { takeOffers } from './outbound/take-offers.ts'
import { markTouched } from './quarantine/journal-tail.ts'
import {
  attemptQuarantined,
  quarantine,
  releaseQuarantined,
  settleAllUnreadable,
} from './quarantine/quarantine.ts'

/** A reservation, and the PMS it is shared with. */
export interface Sharing {
  configurationId: string
  reservationId: string
}

/** What a merge with the reports of a PMS goes by. */
export interface Rules {
  configurationId: string
  policy: ConflictPolicy
  direction: 'FromPms' | 'ToPms' | 'Both'
}

/**
 * Everything that is written while the house gets in step with a PMS. `ports` is what other modules do when a stay is written. The actor
 * is `pms:<configurationId>`.
 */
export function syncChanges(ports: StayPorts) {
  const changes = {
    /** Applies changes of a PMS in one transaction, in their order. Each fails alone, and its outcome says why. */
    applyChanges: command('apply-pms-changes', (tx, input: ChangesInput): Outcome[] =>
      applyChanges(tx, input, ports),
    ),
    chooseInConflict: command(
      'choose-in-conflict',
      (tx, input: ChooseInput): Document => choose(tx, input, ports),
    ),
    moveGuestNow: command(
      'move-guest',
      (tx, input: MoveGuestInput): GuestMoved => moveGuest(tx, input, ports),
    ),
    takeOffers,
    settleOffer: command('settle-offer', (tx, input: SettleInput): SettledOffer => settle(tx, input, ports)),
    postponeOffer,
    offerAgain,
    openLink,
    endLending,
    keepPlace,
    keepInStep,
    keepLine,
    markTouched,
    quarantine,
    attemptQuarantined,
    releaseQuarantined,
    settleAllUnreadable,
  }
  return { ...changes, all: Object.values(changes) as Command[] }
}

export type SyncChanges = ReturnType<typeof syncChanges>
