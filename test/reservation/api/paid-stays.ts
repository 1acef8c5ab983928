import assert from 'node:assert/strict'
import { aStay, type ReservationHouse } from './house.ts'
import { inHouse } from './stay-samples.ts'

type Values = Record<string, unknown>

export const record = 'actions/record-payment'
export const euros = (amountWithTax: number) => ({ currency: 'EUR', amountWithTax })
export const cash = (amount: number, more: Values = {}) => ({
  currency: 'EUR',
  amount,
  brand: 'Cash',
  ...more,
})

/** A payment that was recorded. */
export interface MadePayment {
  payment: string
  paymentId: string
  etag: string
}

/** Records a payment on a stay or a reservation, by its path; fails the test when it is refused. */
export async function pay(house: ReservationHouse, path: string, body: Values): Promise<MadePayment> {
  const { status, headers, text, body: answer } = await house.ask('POST', `${path}/${record}`, { body })
  assert.equal(status, 201, text)
  return {
    payment: headers.get('location') ?? '',
    paymentId: answer.data.id,
    etag: headers.get('etag') ?? '',
  }
}

/** A stay of 109.00 EUR, of a unit type of its own. */
export async function priced(house: ReservationHouse, more: Values = {}) {
  const { unitTypeId } = await house.rooms(1)
  return house.stay({ amount: euros(109), units: [{ unitTypeId }], ...more })
}

/** The same with 9.00 paid on it. */
export async function partlyPaid(house: ReservationHouse, more: Values = {}) {
  const made = await priced(house)
  return { ...made, ...(await pay(house, made.path, cash(900, more))) }
}

/** The same with all of it paid on the reservation. */
export async function paidInFull(house: ReservationHouse) {
  const made = await priced(house)
  return { ...made, ...(await pay(house, made.reservation, cash(10_900))) }
}

/** A guest in house who still has 109.00 EUR to pay. */
export const openInHouse = (house: ReservationHouse) => inHouse(house, { amount: euros(109) })

/** A reservation of stays with these prices, of a unit type of its own. */
export async function party(house: ReservationHouse, amounts: (object | null)[]) {
  const { unitTypeId } = await house.rooms(amounts.length)
  const units = [{ unitTypeId }]
  const stays = amounts.map((amount) => ({ ...aStay, units, amount }))
  const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
  assert.equal(made.status, 201, made.text)
  const reservation = `/api/v2/reservations/${made.body.data.id}`
  const ids: string[] = made.body.data.attributes.stays.map(({ id }: { id: string }) => id)
  const paths = ids.map((id) => `${reservation}/stays/${id}`)
  return { reservation, unitTypeId, first: paths[0] ?? '', second: paths[1] ?? '', ids, paths }
}

/** A service of this price in EUR. */
export const product = (pricingType: number, amountWithTax: number, more: Values = {}) => ({
  code: `P${pricingType}`,
  name: 'Product',
  currencyCode: 'EUR',
  amountWithTax,
  amountWithoutTax: amountWithTax,
  pricingType,
  count: 1,
  ...more,
})
