import type { Command } from '../../resource/command.ts'
import { applyHousekeeping } from './housekeeping.ts'
import { keepLease } from './keep-lease.ts'
import { endLending, keepInStep, keepPlace, openLink, tellLine } from './link.ts'
import { markTouched } from './mark-touched.ts'
import { putAside, releaseQuarantined, settleQuarantined } from './quarantine.ts'
import { offerAgain, postponeOffer, settleOffer } from './settle-offer.ts'
import type { SyncChanges } from './sync-changes.ts'
import { type Telling, takeOffers } from './take-offers.ts'

/** Everything that is written while the house gets in step with a PMS. */
export function linkChanges(sync: SyncChanges, telling: Telling) {
  const changes = {
    applyUpstreamChange: sync.applyUpstreamChange,
    moveGuestNow: sync.moveGuestNow,
    takeOffers: takeOffers(telling),
    settleOffer: settleOffer(sync),
    postponeOffer,
    offerAgain,
    openLink,
    endLending,
    keepPlace,
    keepInStep,
    tellLine,
    markTouched: markTouched(sync),
    keepLease,
    applyHousekeeping,
    putAside,
    settleQuarantined,
    releaseQuarantined,
  }
  const { applyUpstreamChange: _, moveGuestNow: __, ...own } = changes
  return { ...changes, own: Object.values(own) as Command[] }
}

export type LinkChanges = ReturnType<typeof linkChanges>
