import type { Step } from '../../message-steps.ts'
import type { Fact, Intent } from '../../sync-contract.ts'
import {
  assignRoom,
  cancel,
  changeDates,
  checkIn,
  checkInPath,
  checkOut,
  departEarly,
  generateFolio,
  moveRoom,
  reinstate,
  unassignRoom,
  undoCheckIn,
} from './calls.ts'
import { type OperaCall, OperaRefusal, type OperaRequest, warningIn } from './client.ts'
import { datesOf } from './map-in.ts'
import { recordPayment } from './payments.ts'
import { writeGuests } from './profiles.ts'
import { setInspected } from './rooms.ts'
import { type Action, actionsBetween, isOver, statusOf } from './statuses.ts'
import { type Done, expectCashier, partsOf, type StepOptions, type Work } from './work.ts'

const dateMembers = ['startDate', 'startTime', 'endDate', 'endTime'] as const
type DateMember = (typeof dateMembers)[number]

/** Carries out one step. Rejects with OperaRefusal, with a sentence for the front desk, and with DeviceFault. */
export async function carryOut(step: Step, work: Work, options: StepOptions, call: OperaCall): Promise<Done> {
  if (step.is === 'fact') return carryOutFact(step.fact, work, options, call)
  const { intent } = step
  if (intent.stayLocalId === null) return { is: 'not-expressible' }
  if (intent.stayExternalId !== work.offer.externalId) throw otherStay()
  if (intent.group === 'guests') return writeGuests(intent, work.reservation, options.client, call)
  const requests = requestsFor(intent, work, options)
  if (requests === null) return { is: 'not-expressible' }
  if (requests.some(({ path }) => path === checkInPath))
    await setInspected(work.reservation.roomStay.roomId, options, call)
  return askAll(requests, options, call)
}

async function askAll(
  requests: readonly OperaRequest[],
  { client }: StepOptions,
  call: OperaCall,
): Promise<Done> {
  let warning: string | null = null
  for (const request of requests) warning = warningIn(await client.ask(request, call)) ?? warning
  return { is: requests.length === 0 ? 'already-done' : 'done', warning }
}

async function carryOutFact(fact: Fact, work: Work, options: StepOptions, call: OperaCall): Promise<Done> {
  if (fact.is === 'payment' || fact.is === 'void') return recordPayment(fact, work, options, call)
  if (fact.is === 'creation') throw otherStay()
  if (fact.stayExternalId !== work.offer.externalId) return { is: 'already-done' }
  const status = statusOf(work.reservation.reservationStatus)
  if (status === 'Canceled') return { is: 'already-done' }
  return askAll([requestFor('cancel', work, options)], options, call)
}

function otherStay(): OperaRefusal {
  return new OperaRefusal(400, 'A reservation of OPERA has one stay. Make the other in OPERA.')
}

/** The requests that bring the reservation to what an intent wants; null where OPERA has none. */
function requestsFor(intent: Intent, work: Work, options: StepOptions): OperaRequest[] | null {
  const { group, to } = intent
  if (group === 'dates') return requestsForDates(intent, work, options)
  if (group === 'units') return requestsForUnits(to, work, options)
  const now = statusOf(work.reservation.reservationStatus)
  if (group !== 'status' || !to.status || !now || to.status === 'NoShow') return null
  const actions = actionsBetween(now, to.status)
  if (actions) return actions.flatMap((action) => requestsOf(action, work, options))
  const change = `from ${now} to ${to.status}`
  throw new OperaRefusal(400, `OPERA cannot change a reservation ${change} from here. Change it in OPERA.`)
}

/** Null where only times differ that OPERA does not keep: when a guest came and went. */
function requestsForDates({ to }: Intent, work: Work, options: StepOptions): OperaRequest[] | null {
  const { reservation, offer } = work
  const now = datesOf(reservation.roomStay)
  const changed = dateMembers.filter((name) => to[name] && to[name] !== now[name])
  if (changed.length === 0) return []
  const status = statusOf(reservation.reservationStatus)
  const isIn = status === 'InHouse' || offer.intents.some((each) => each.to.status === 'InHouse')
  const isKept = (name: DateMember) =>
    !isOver(reservation.reservationStatus) && !(isIn && name === 'startTime')
  const kept = changed.filter(isKept)
  if (kept.length === 0) return null
  const wanted = Object.fromEntries(kept.map((name) => [name, to[name]]))
  return [changeDates(partsOf(work, options), { ...now, ...wanted })]
}

function requestsForUnits(to: Intent['to'], work: Work, options: StepOptions): OperaRequest[] {
  const { roomId = null, roomType, numberOfRooms = 1 } = work.reservation.roomStay
  if (numberOfRooms > 1 || (to.units?.length ?? 1) > 1)
    throw new OperaRefusal(400, 'The reservation has several rooms. Split it in OPERA first.')
  const [wanted] = to.units ?? []
  const unitName = wanted?.unitName ?? null
  const parts = partsOf(work, options)
  if (unitName === roomId) {
    if (unitName !== null || !wanted || wanted.unitTypeCode === roomType) return []
    throw new OperaRefusal(400, 'Change the room type of the reservation in OPERA: this changes its rate.')
  }
  const isInHouse = statusOf(work.reservation.reservationStatus) === 'InHouse'
  if (isInHouse && roomId !== null && unitName !== null) return [moveRoom(parts, roomId, unitName)]
  return [unitName === null ? unassignRoom(parts) : assignRoom(parts, unitName)]
}

function requestsOf(action: Action, work: Work, options: StepOptions): OperaRequest[] {
  if (action !== 'check-out') return [requestFor(action, work, options)]
  const parts = partsOf(work, options)
  expectCashier(options)
  // Only a stay that is due out can be checked out.
  const isDue = work.reservation.computedReservationStatus === 'DueOut'
  return [...(isDue ? [] : [departEarly(parts)]), generateFolio(parts), checkOut(parts)]
}

function requestFor(action: Exclude<Action, 'check-out'>, work: Work, options: StepOptions): OperaRequest {
  const parts = partsOf(work, options)
  if (action === 'check-in') return checkIn(parts)
  if (action === 'undo-check-in') return undoCheckIn(parts)
  if (action === 'reinstate') {
    expectCashier(options)
    return reinstate(parts)
  }
  const { cancellationCode } = options.settings
  if (cancellationCode !== null) return cancel(parts, cancellationCode)
  throw new OperaRefusal(
    400,
    'cancellationCode of the connection is not set. Cancel the reservation in OPERA.',
  )
}
