import type { SharedStay } from '../../sync/shared-reservation.ts'
import type { OperaRequest } from './client.ts'
import { idIn } from './map-in.ts'
import type { OperaReservation } from './records.ts'

/** What the requests for one reservation have in common. */
export interface CallParts {
  hotelId: string
  reservation: OperaReservation
  /** The id of OPERA's cashier; null where none is set. */
  cashierId: number | null
}

const pathIn = (module: string) => `/${module}/v1/hotels/{hotelId}/reservations/{reservationId}`
const [fof, csh, rsv] = [pathIn('fof'), pathIn('csh'), pathIn('rsv')] as const

/** The reservation in the path of a request. */
export function idsOf({ reservation }: Pick<CallParts, 'reservation'>): { reservationId: string } {
  return { reservationId: idIn(reservation.reservationIdList, 'Reservation') ?? '' }
}

/** The reservation in the body of a request. */
function inBody(parts: CallParts) {
  const { hotelId } = parts
  return { hotelId, reservationIdList: [{ id: idsOf(parts).reservationId, type: 'Reservation' }] }
}

/** The request that gives a reservation a room. */
export function assignRoom(parts: CallParts, roomId: string): OperaRequest {
  const body = { criteria: { ...inBody(parts), roomId } }
  return { method: 'POST', path: `${fof}/roomAssignments`, ids: idsOf(parts), body }
}

/** The request that takes the room from a reservation. */
export function unassignRoom(parts: CallParts): OperaRequest {
  return { method: 'PUT', path: `${fof}/rooms`, ids: idsOf(parts), body: { overrideRoomNumberLocked: false } }
}

/** Moves a guest in house from his room. */
export function moveRoom(parts: CallParts, from: string, roomId: string): OperaRequest {
  const body = { criteria: { ...inBody(parts), roomId } }
  return {
    method: 'PUT',
    path: `${fof}/rooms/{roomId}/roomMoves`,
    ids: { ...idsOf(parts), roomId: from },
    body,
  }
}

export const checkInPath = `${fof}/checkIns`

/** The request that checks a guest in. */
export function checkIn(parts: CallParts): OperaRequest {
  const body = { reservation: { ignoreWarnings: false, stopCheckin: false }, includeNotifications: true }
  return { method: 'POST', path: checkInPath, ids: idsOf(parts), body }
}

/** The request that takes a check-in back, and leaves the room assigned. */
export function undoCheckIn(parts: CallParts): OperaRequest {
  return { method: 'DELETE', path: checkInPath, ids: idsOf(parts), query: { unassignRoom: false } }
}

/** Ends a stay today that has further nights. */
export function departEarly(parts: CallParts): OperaRequest {
  const body = { criteria: { ...inBody(parts), cashierId: parts.cashierId } }
  return { method: 'PUT', path: `${csh}/earlyDeparture`, ids: idsOf(parts), body }
}

/** The request for the folio that a check-out needs. */
export function generateFolio(parts: CallParts): OperaRequest {
  const { hotelId, cashierId } = parts
  const reservationId = { id: idsOf(parts).reservationId, type: 'Reservation' }
  const body = {
    criteria: { hotelId, reservationId, eventType: 'CheckOut', cashierId, allFolioWindow: true },
  }
  return { method: 'POST', path: `${csh}/folios`, ids: idsOf(parts), body }
}

/** The request that checks a guest out, and that an open folio refuses. */
export function checkOut(parts: CallParts): OperaRequest {
  const reservation = {
    ...inBody(parts),
    cashierId: parts.cashierId,
    eventType: 'CheckOut',
    checkoutInstr: { ignoreWarnings: false },
    stopCheckout: false,
    checkoutWithOpenFolio: false,
  }
  return { method: 'POST', path: `${csh}/checkOuts`, ids: idsOf(parts), body: { reservation } }
}

/** The request that cancels a reservation with a reason of the hotel. */
export function cancel(parts: CallParts, code: string): OperaRequest {
  const { hotelId, reservationIdList } = inBody(parts)
  const body = {
    reason: { code, description: 'Canceled at the hotel.' },
    reservations: [{ hotelId, reservationIdList }],
  }
  return { method: 'POST', path: `${rsv}/cancellations`, ids: idsOf(parts), body }
}

/** Changes dates and times. The room type and the rate plan are sent as they are: what OPERA makes of absent ones is not known. */
export function changeDates(
  parts: CallParts,
  {
    startDate,
    startTime,
    endDate,
    endTime,
  }: Pick<SharedStay, 'startDate' | 'startTime' | 'endDate' | 'endTime'>,
): OperaRequest {
  const { roomType, ratePlanCode, numberOfRooms = 1, adultCount, childCount } = parts.reservation.roomStay
  const rate = {
    roomType,
    ...(ratePlanCode && { ratePlanCode }),
    start: startDate,
    end: endDate,
    numberOfUnits: numberOfRooms,
  }
  const expectedTimes = {
    ...(startTime && { reservationExpectedArrivalTime: `${startDate}T${startTime.slice(0, 5)}:00` }),
    ...(endTime && { reservationExpectedDepartureTime: `${endDate}T${endTime.slice(0, 5)}:00` }),
  }
  const roomStay = {
    arrivalDate: startDate,
    departureDate: endDate,
    expectedTimes,
    guestCounts: { adults: adultCount ?? 1, children: childCount ?? 0 },
    roomRates: [rate],
  }
  return {
    method: 'PUT',
    path: rsv,
    ids: idsOf(parts),
    body: { reservations: [{ ...inBody(parts), roomStay }] },
  }
}

/** Takes back a check-out. */
export function reinstate(parts: CallParts): OperaRequest {
  const { hotelId, cashierId } = parts
  const reservationId = { id: idsOf(parts).reservationId, type: 'Reservation' }
  const body = { hotelId, reservationId, cashierId }
  return { method: 'PUT', path: `${csh}/checkOuts/reinstate`, ids: idsOf(parts), body }
}
