import type { Offer, StepResult } from '../../sync-contract.ts'
import { MewsRefusal } from './client.ts'
import type { Present } from './fetch-reservations.ts'

type Outcome = StepResult extends infer Each
  ? Each extends { id: string }
    ? Omit<Each, 'id'>
    : never
  : never

/** A message that is being carried out. */
export interface Work {
  offer: Offer
  /** The reservation as Mews had it when the work began. */
  present: Present
  /** The intents for which `reservations/update` was needed and has been carried out. */
  updated: Set<string>
  /** What became of the steps by their ids. */
  results: Map<string, Outcome>
  /** Mews has refused a step because the reservation has changed meanwhile: the sentence. */
  changedThere: string | null
  /** Keeps the refusal of a step. Throws any other error. */
  refuse(stepId: string, error: unknown): void
  /** Nothing else is carried out of the message now. */
  putOff(): void
}

/** Begins the work on one offer: the results of its steps, none of them known yet. */
export function workOn(offer: Offer, present: Present): Work {
  const work: Work = {
    offer,
    present,
    updated: new Set(),
    results: new Map(),
    changedThere: null,
    refuse(stepId, error) {
      if (!(error instanceof MewsRefusal)) throw error
      if (error.status === 409) work.changedThere = error.message
      work.results.set(stepId, { is: 'refused', code: String(error.status), reason: error.message })
    },
    putOff() {
      for (const { id } of [...offer.intents, ...offer.facts])
        if (!work.results.has(id)) work.results.set(id, { is: 'unknown' })
    },
  }
  return work
}
