import { isCarriedOut, isCheckOut, stepsOf } from '../../message-steps.ts'
import type { SharedReservation, SharedStay } from '../../sync/shared-reservation.ts'
import type { Intent, Offer, OfferAnswer, ReservationChange, StepResult } from '../../sync-contract.ts'
import { type OperaCall, OperaRefusal } from './client.ts'
import { changeOf, idIn } from './map-in.ts'
import { carryOut } from './map-out.ts'
import { recordsOf } from './pull.ts'
import type { OperaReservation } from './records.ts'
import type { StepOptions, Work } from './work.ts'

/** A reservation as OPERA has it, and what the appliance makes of it. */
interface Present {
  record: OperaReservation
  change: ReservationChange
}

/**
 * Carries out messages at OPERA, one step after the other. It reads the reservations before, and again afterwards: what
 * OPERA has done then counts, not what it has answered. Rejects with the DeviceFault of a request without an answer: what was
 * carried out until then is found in the reservations when the messages are sent again.
 */
export function pushOf(options: StepOptions) {
  const { client, mapping } = options

  /** The reservations by their ids; a sentence for one that cannot be read. */
  async function read(ids: readonly string[], call: OperaCall): Promise<Map<string, Present | string>> {
    const found = new Map<string, Present | string>()
    for (const record of await recordsOf(client, ids, call)) {
      const id = idIn((record as OperaReservation | null)?.reservationIdList, 'Reservation')
      const change = await changeOf(record, mapping)
      if (id !== null)
        found.set(id, typeof change === 'string' ? change : { record: record as OperaReservation, change })
    }
    return found
  }

  return async (offers: readonly Offer[], call: OperaCall): Promise<OfferAnswer[]> => {
    const ids = offers.flatMap(({ externalId }) => externalId ?? [])
    const before = await read(ids, call)
    const answers: OfferAnswer[] = []
    for (const offer of offers) answers.push(await answerTo(offer, before, call))
    return answers
  }

  async function answerTo(
    offer: Offer,
    before: ReadonlyMap<string, Present | string>,
    call: OperaCall,
  ): Promise<OfferAnswer> {
    const { externalId, baseRevision } = offer
    if (externalId === null)
      return { is: 'refused', reason: 'Make the reservation in OPERA: it takes none from here.' }
    const present = before.get(externalId)
    if (!present) return { is: 'refused', reason: `OPERA has no reservation ${externalId}.` }
    if (typeof present === 'string') return { is: 'refused', reason: present }
    if (present.change.revision > (baseRevision ?? -1)) return { is: 'outdated', change: present.change }
    const { results, warnings } = await carriedOut({ offer, reservation: present.record }, call)
    const after = (await read([externalId], call)).get(externalId)
    // What it was before is not what OPERA has now.
    if (typeof after !== 'object')
      return { is: 'accepted', externalId, revision: present.change.revision, results: [...results.values()] }
    verify(offer, after.change, results, warnings)
    const { revision, value } = after.change
    return { is: 'accepted', externalId, revision, ...(value && { value }), results: [...results.values()] }
  }

  async function carriedOut(work: Work, call: OperaCall) {
    const results = new Map<string, StepResult>()
    const warnings = new Map<string, string>()
    const leaves = work.offer.intents.find(isCheckOut)
    const withCheckOut = work.offer.intents.filter((each) => leaves && isEndOf(each, leaves))
    for (const step of stepsOf(work.offer)) {
      const { id } = step.is === 'intent' ? step.intent : step.fact
      if (withCheckOut.some((each) => each.id === id)) continue
      // What was done before may decide what is to be done: a stay whose end was moved is due out now.
      if ([...results.values()].some(({ is }) => is === 'done')) await readAgain(work, call)
      try {
        const { is, warning } = await carryOut(step, work, options, call)
        results.set(id, { id, is })
        if (warning) warnings.set(id, warning)
      } catch (error) {
        if (!(error instanceof OperaRefusal)) throw error
        results.set(id, {
          id,
          is: 'refused',
          code: error.code ?? String(error.status),
          reason: error.message,
        })
      }
    }
    const left = results.get(leaves?.id ?? '')
    if (left) for (const { id } of withCheckOut) results.set(id, { ...left, id })
    return { results, warnings }
  }

  async function readAgain(work: Work, call: OperaCall): Promise<void> {
    const { externalId } = work.offer
    const present = (await read([externalId ?? ''], call)).get(externalId ?? '')
    if (typeof present === 'object') work.reservation = present.record
  }
}

/** A step that OPERA has answered, but that its reservation does not show, was refused. OPERA may only have warned. */
function verify(
  { intents }: Offer,
  { value }: ReservationChange,
  results: Map<string, StepResult>,
  warnings: ReadonlyMap<string, string>,
): void {
  for (const intent of intents.filter(({ group }) => ['dates', 'units', 'status'].includes(group))) {
    if (results.get(intent.id)?.is !== 'done' || !value || isShown(intent, value)) continue
    const reason =
      warnings.get(intent.id) ?? 'OPERA has answered without an error, but has not changed the reservation.'
    results.set(intent.id, { id: intent.id, is: 'refused', reason })
  }
}

/** Whether an intent is only when a guest has left. A check-out before the last day ends the stay at OPERA as well. */
function isEndOf({ group, to, stayExternalId }: Intent, leaves: Intent): boolean {
  const isEnd = Object.keys(to).every((name) => name === 'endDate' || name === 'endTime')
  return group === 'dates' && isEnd && stayExternalId === leaves.stayExternalId
}

/**
 * Whether the list of reservations shows what an intent wants. Midnight is no time there, and a room of another type may
 * change the type of the reservation.
 */
function isShown({ group, to, ...intent }: Intent, value: SharedReservation): boolean {
  if (group === 'units') {
    const name = ({ units }: Pick<SharedStay, 'units'>) => units?.[0]?.unitName ?? null
    return name(value.stays[0] ?? {}) === name(to)
  }
  const { startTime: _, endTime: __, ...visible } = to
  return isCarriedOut({ ...intent, group, to: visible }, value)
}
