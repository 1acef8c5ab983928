import { type Step, stepsOf } from '../../message-steps.ts'
import type { Fact, Intent } from '../../sync-contract.ts'
import { cancel, changeStatus, type StatusParts } from './change-status.ts'
import { type MewsCall, MewsRefusal } from './client.ts'
import { writeGuests } from './guests.ts'
import { writeComment } from './notes.ts'
import { recordPayment } from './payments.ts'
import type { Work } from './work.ts'

export interface StepParts extends StatusParts {
  /** The ids of payments that Mews has recorded. */
  recorded: ReadonlySet<string>
}

/** Carries out the steps of a message that `reservations/update` has not carried out, in their order. */
export async function carryOutSteps(work: Work, parts: StepParts, call: MewsCall): Promise<void> {
  for (const step of stepsOf(work.offer)) {
    const id = step.is === 'intent' ? step.intent.id : step.fact.id
    if (work.results.has(id)) continue
    try {
      work.results.set(id, { is: await carriedOut(step, work, parts, call) })
    } catch (error) {
      work.refuse(id, error)
    }
  }
}

type Done = 'done' | 'already-done' | 'not-expressible'

async function carriedOut(step: Step, work: Work, parts: StepParts, call: MewsCall): Promise<Done> {
  if (step.is === 'fact') return factCarriedOut(step.fact, work, parts, call)
  const { intent } = step
  const isUpdated = work.updated.has(intent.id)
  const isDone = await intentCarriedOut(intent, work, parts, call)
  if (isDone === null && !isUpdated) return 'not-expressible'
  return isDone || isUpdated ? 'done' : 'already-done'
}

/** Whether anything was to be done; null where Mews has no operation for it. */
async function intentCarriedOut(
  { group, stayLocalId, from, to }: Intent,
  { offer, present }: Work,
  parts: StepParts,
  call: MewsCall,
): Promise<boolean | null> {
  const { record, notes, change } = present
  const now = change.value?.stays[0]
  if (!now) return null
  if (stayLocalId === null) {
    if (group !== 'comments' || to.comment === undefined) return null
    const place = { reservationId: record.Id, localId: offer.localId, notes }
    return writeComment(parts.client, to.comment ?? '', place, call)
  }
  if (group === 'dates' || group === 'units') return false
  if (group === 'guests') {
    if (!to.guests) return false
    const options = { client: parts.client, record, now, from: from.guests ?? [] }
    return writeGuests(to.guests, options, call)
  }
  if (group !== 'status' || !to.status || !now.status) return null
  const [wanted = now] = offer.value.stays
  return changeStatus(
    { id: record.Id, from: now.status, wanted: { ...wanted, status: to.status } },
    parts,
    call,
  )
}

async function factCarriedOut(
  fact: Fact,
  { offer, present }: Work,
  parts: StepParts,
  call: MewsCall,
): Promise<Done> {
  if (fact.is === 'creation') {
    throw new MewsRefusal(403, 'A reservation of Mews has one stay. Make the other in Mews.')
  }
  if (fact.is === 'removal') {
    if (present.record.State === 'Canceled') return 'already-done'
    await cancel(present.record.Id, parts, call)
    return 'done'
  }
  const { payment } = fact
  const isRecorded = parts.recorded.has(payment.id)
  if (fact.is === 'payment') {
    if (isRecorded) return 'already-done'
    // What was voided before Mews knew it is not recorded at all.
    if (offer.facts.some((each) => each.is === 'void' && each.payment.id === payment.id)) return 'done'
    await recordPayment(parts.client, payment, present.record, call)
    return 'done'
  }
  if (!isRecorded) return 'already-done'
  throw new MewsRefusal(403, 'Mews has no operation that voids an external payment. Void it in Mews.')
}
