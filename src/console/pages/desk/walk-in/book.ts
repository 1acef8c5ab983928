import { ApiError, sendOne } from '../../lib/server/api.ts'
import { recordWithBooking } from '../payments/recording.ts'
import { forgetRequest, keepRequest } from '../stay/kept-request.ts'
import type { Draft } from './draft.ts'
import { namesIn } from './persons.ts'

/** The data of a booking from the form. */
export interface Booking {
  draft: Draft
  /** `InHouse` checks the guest in at once. */
  status: 'InHouse' | 'Confirmed'
  start: string
  typeId: string
  unitId: string
  ratePlanId: string | null
  currency: string
  /** In the currency's units; null without a price. */
  price: number | null
}

interface Booked {
  stays: { id: string; outstanding: number | null; reservationId: string }[]
}

/**
 * Books the stay in its room, and returns the id of the stay. The same form has the
 * same idempotency key, so a lost answer never causes a second booking. The payment is recorded afterwards, and the
 * guest sheet shows its outcome. Throws ApiError.
 */
export async function book(booking: Booking): Promise<string> {
  const name = booking.status === 'InHouse' ? 'walk-in' : 'new-booking'
  const path = '/api/v2/reservations'
  const body = { data: { type: 'reservation', attributes: { stays: [stayOf(booking)] } } }
  const { idempotencyKey } = keepRequest(name, path, body)
  try {
    const { data } = await sendOne<Booked>('POST', path, { body, idempotencyKey, timeoutMs: 60_000 })
    forgetRequest(name)
    const [stay] = data.attributes.stays
    if (!stay) return ''
    payNow(booking, data.id, stay)
    return stay.id
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0 && error.status < 500) forgetRequest(name)
    throw error
  }
}

function stayOf({ draft, status, start, typeId, unitId, ratePlanId, currency, price }: Booking) {
  return {
    status,
    startDate: start,
    endDate: draft.end,
    ...(draft.end === start && { startTime: draft.startTime, endTime: draft.endTime }),
    personCount: { adults: Number(draft.adults), children: Number(draft.children) },
    units: [{ unitTypeId: typeId, unitId }],
    reservationIds: [{ type: 'Confirmation', value: draft.number }],
    profiles: [
      {
        role: 'PrimaryGuest',
        lastName: draft.lastName.trim(),
        firstName: draft.firstName.trim(),
      },
      ...namesIn(draft, 1),
    ],
    ...(ratePlanId !== null && { ratePlanId }),
    ...(price !== null && { amount: { currency, amountWithTax: price } }),
  }
}

function payNow({ draft, currency }: Booking, reservationId: string, stay: Booked['stays'][number]): void {
  const { brand } = draft
  const amount = stay.outstanding ?? 0
  if (brand === '' || amount <= 0) return
  const path = `/api/v2/reservations/${reservationId}/stays/${stay.id}/actions/record-payment`
  void recordWithBooking({ stayId: stay.id, path, currency, amount, brand })
}
