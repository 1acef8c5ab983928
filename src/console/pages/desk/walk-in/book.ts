import { ApiError, type Resource, send } from '../../lib/api.ts'
import { digitsOf } from '../../lib/format.ts'
import { forgetRequest, keepRequest } from '../guest/kept-request.ts'
import type { Draft } from './draft.ts'

/** All that a booking needs and the form shows. */
export interface Booking {
  draft: Draft
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
 * Books the stay with its guest in house and in the room, and returns its id. The same form has the same key, so that a lost answer
 * never makes a second booking. A payment is kept to be sent: the guest sheet sends it. Throws ApiError.
 */
export async function book(booking: Booking): Promise<string> {
  const name = 'walk-in'
  const path = '/api/v2/reservations'
  const body = { data: { type: 'reservation', attributes: { stays: [stayOf(booking)] } } }
  const { idempotencyKey } = keepRequest(name, path, body)
  try {
    const { data } = await send<Resource<Booked>>('POST', path, { body, idempotencyKey, timeoutMs: 60_000 })
    forgetRequest(name)
    const [stay] = data.attributes.stays
    if (!stay) return ''
    keepPayment(booking, data.id, stay)
    return stay.id
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0 && error.status < 500) forgetRequest(name)
    throw error
  }
}

function stayOf({ draft, start, typeId, unitId, ratePlanId, currency, price }: Booking) {
  return {
    status: 'InHouse',
    startDate: start,
    endDate: draft.end,
    personCount: { adults: Number(draft.adults), children: Number(draft.children) },
    units: [{ unitTypeId: typeId, unitId }],
    reservationIds: [{ type: 'Confirmation', value: draft.number }],
    profiles: [
      {
        role: 'PrimaryGuest',
        lastName: draft.lastName.trim(),
        firstName: draft.firstName.trim(),
      },
    ],
    ...(ratePlanId !== null && { ratePlanId }),
    ...(price !== null && { amount: { currency, amountWithTax: price } }),
  }
}

function keepPayment(
  { draft, currency }: Booking,
  reservationId: string,
  stay: Booked['stays'][number],
): void {
  const amount = stay.outstanding ?? 0
  if (draft.brand === '' || amount <= 0) return
  keepRequest(
    `payment.${stay.id}`,
    `/api/v2/reservations/${reservationId}/stays/${stay.id}/actions/record-payment`,
    {
      data: { type: 'payment', attributes: { currency, amount, brand: draft.brand } },
    },
  )
}

/** An amount that a person has written, in the currency's units; null when it is no amount. */
export function amountIn(text: string, currency: string): number | null {
  if (!/^\d+([.,]\d+)?$/.test(text.trim())) return null
  return Number(Number(text.trim().replace(',', '.')).toFixed(digitsOf(currency)))
}
