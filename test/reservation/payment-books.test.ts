import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from '../seed.ts'
import { aStay, openHouse, type ReservationHouse } from './api/house.ts'

/** A stay as the books keep it, by hand: in minor units, and nothing but whole numbers. */
interface BookedStay {
  path: string
  id: string
  price: bigint | null
  /** The nights that are charged: a day use counts as one. */
  nights: bigint
  persons: bigint
  services: { serviceId: string; type: number; unit: bigint; count: bigint }[]
  canceled: boolean
}

interface BookedPayment {
  id: string
  /** Below zero for a refund. */
  amount: bigint
  voided: boolean
  /** The stay it was recorded on. */
  stay: BookedStay | null
}

interface Books {
  reservation: string
  currency: Currency
  stays: BookedStay[]
  payments: BookedPayment[]
  products: { id: string; type: number; unit: bigint }[]
}

/** How many minor units are one of the currency, by ISO 4217. */
const minor = { EUR: 100n, JPY: 1n, KWD: 1000n }
type Currency = keyof typeof minor

let house: ReservationHouse
let unitTypeId: string
before(async () => {
  house = await openHouse()
  unitTypeId = (await house.rooms(12)).unitTypeId
})
after(() => house.stop())

const amount = fc.bigInt({ min: 0n, max: 400_000n })
const booking = fc.record({
  price: fc.option(amount),
  nights: fc.integer({ min: 0, max: 4 }),
  adults: fc.integer({ min: 1, max: 3 }),
  services: fc.array(fc.record({ product: fc.nat(4), count: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 3,
  }),
})
const which = fc.nat(20)

const step = fc.oneof(
  fc.record({ do: fc.constant('book' as const), booking }),
  fc.record({ do: fc.constant('change' as const), which, booking }),
  fc.record({ do: fc.constant('cancel' as const), which }),
  fc.record({ do: fc.constant('reinstate' as const), which }),
  fc.record({ do: fc.constant('leave-out' as const), which }),
  fc.record({ do: fc.constant('reprice' as const), which, unit: amount }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay-stay' as const), which, share: fc.nat(11) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), which, share: fc.nat(11) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pay-all' as const), off: fc.constantFrom(0, 0, 0, -1, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), which }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let days = 0

/** Decimal text in major units, which is how prices are told. */
function major(units: bigint, currency: Currency): number {
  const whole = units / minor[currency]
  const fraction = (units % minor[currency]).toString().padStart(minor[currency].toString().length - 1, '0')
  return Number(currency === 'JPY' ? `${whole}` : `${whole}.${fraction}`)
}

function dayAfter(count: number): string {
  return new Date(Date.UTC(2027, 0, 1 + count)).toISOString().slice(0, 10)
}

async function open(currency: Currency): Promise<Books> {
  const reservation = `/api/v2/reservations/${await house.make('reservations', {})}`
  const products: Books['products'] = []
  for (const [index, type] of [12, 19, 20, 21, 24].entries()) {
    const unit = 150n * BigInt(index + 1)
    const id = await house.make('services', product(`${days}-${type}`, type, unit, currency))
    products.push({ id, type, unit })
  }
  return { reservation, currency, stays: [], payments: [], products }
}

function product(code: string, pricingType: number, unit: bigint, currencyCode: Currency) {
  const price = major(unit, currencyCode)
  return {
    code,
    name: code,
    currencyCode,
    amountWithTax: price,
    amountWithoutTax: price,
    pricingType,
    count: 1,
  }
}

type Booking = typeof booking extends fc.Arbitrary<infer Value> ? Value : never

/** A body for the stay, and what it will say in the books. Services that were there before keep their price. */
function said(
  { currency, products }: Books,
  { price, nights, adults, services }: Booking,
  kept: BookedStay | null,
) {
  const left = [...(kept?.services ?? [])]
  const booked = services.map(({ product: index, count }) => {
    const { id, type, unit } = products[index]!
    const at = left.findIndex(({ serviceId }) => serviceId === id)
    const [before] = at < 0 ? [] : left.splice(at, 1)
    return { serviceId: id, type, unit: before?.unit ?? unit, count: type === 24 ? BigInt(count) : 1n }
  })
  days += 6
  const body = {
    ...aStay,
    startDate: dayAfter(days),
    endDate: dayAfter(days + nights),
    startTime: '08:00',
    endTime: '20:00',
    personCount: { adults },
    units: [{ unitTypeId }],
    services: booked.map(({ serviceId, count }) => ({ serviceId, count: Number(count) })),
    amount: price === null ? null : { currency, amountWithTax: major(price, currency) },
  }
  const row = {
    price,
    nights: BigInt(nights || 1),
    persons: BigInt(adults),
    services: booked,
    canceled: false,
  }
  return { body, row }
}

/** What a stay costs: once, by the night, by the person, by both, by the item. Null when nothing on it has a price. */
function dueOn({ price, nights, persons, services, canceled }: BookedStay, isPaid: boolean): bigint | null {
  if (price === null && services.length === 0) return isPaid ? 0n : null
  if (canceled) return 0n
  return services.reduce((total, { type, unit, count }) => {
    const times: Record<number, bigint> = { 12: 1n, 19: nights, 20: persons, 21: nights * persons, 24: count }
    return total + unit * times[type]!
  }, price ?? 0n)
}

const live = ({ payments }: Books) => payments.filter(({ voided }) => !voided)
const sum = (amounts: bigint[]) => amounts.reduce((total, each) => total + each, 0n)

interface Shown {
  due: number | null
  paid: number
  outstanding: number | null
  currency: string | null
}

async function shown({ reservation }: Books): Promise<Shown & { stays: (Shown & { id: string })[] }> {
  return house.attributes(reservation)
}

/** Everything that the appliance says, held against the books. */
async function agree(books: Books): Promise<void> {
  const { stays, ...whole } = await shown(books)
  const paid = sum(live(books).map((each) => each.amount))
  const dues = await Promise.all(
    books.stays.map(async (each) => {
      const mine = live(books).filter(({ stay }) => stay === each || stay === null)
      const shares = await Promise.all(mine.map((payment) => shareOf(payment, each)))
      return dueOn(
        each,
        shares.some((share) => share !== 0n),
      )
    }),
  )
  assert.deepEqual(
    stays.map(({ due }) => due),
    dues.map((due) => (due === null ? null : Number(due))),
  )
  const known = dues.filter((due) => due !== null)
  const due = known.length === 0 ? null : sum(known)
  assert.equal(whole.due, due === null ? null : Number(due))
  assert.equal(BigInt(whole.paid), paid)
  assert.equal(whole.outstanding, due === null ? null : Number(due - paid))
  assert.equal(whole.currency, due === null ? null : books.currency)
  assert.equal(sum(stays.map((each) => BigInt(each.paid))), paid)
  const left = stays.flatMap(({ outstanding }) => (outstanding === null ? [] : [outstanding]))
  assert.ok(left.every((each) => each >= 0) || left.every((each) => each <= 0), left.join())
  for (const each of stays) {
    if (each.due !== null) assert.equal(each.outstanding, each.due - each.paid)
  }
}

/** What of a payment was for a stay, as the payment itself says. */
async function shareOf({ id }: BookedPayment, stay: BookedStay): Promise<bigint> {
  const { allotments } = await house.attributes(`/api/v2/payments/${id}`)
  const mine = allotments.filter(({ stayId }: { stayId: string }) => stayId === stay.id)
  return sum(mine.map(({ share }: { share: number }) => BigInt(share)))
}

async function pay(books: Books, path: string, paid: bigint, stay: BookedStay | null) {
  const body = { currency: books.currency, amount: Number(paid), brand: 'Cash' }
  const reply = await house.ask('POST', `${path}/actions/record-payment`, { body })
  if (reply.status !== 201) return reply
  books.payments.push({ id: reply.body.data.id, amount: paid, voided: false, stay })
  const { outstanding } = (await house.attributes(path)) as Shown
  assert.equal(reply.body.meta.outstanding, outstanding)
  return reply
}

async function take(books: Books, each: Step): Promise<void> {
  const { stays, payments, reservation } = books
  const one = 'which' in each ? stays[each.which % stays.length] : undefined
  switch (each.do) {
    case 'book': {
      if (stays.length >= 6) return
      const { body, row } = said(books, each.booking, null)
      const made = await house.ask('POST', `${reservation}/stays`, { body })
      assert.equal(made.status, 201, made.text)
      const { id } = made.body.data
      stays.push({ ...row, id, path: `${reservation}/stays/${id}` })
      return
    }
    case 'change': {
      if (!one || one.canceled) return
      const { body, row } = said(books, each.booking, one)
      const put = await house.ask('PUT', one.path, { body })
      assert.equal(put.status, 204, put.text)
      Object.assign(one, row)
      return
    }
    case 'cancel':
    case 'reinstate': {
      const becomes = each.do === 'cancel'
      if (!one || one.canceled === becomes) return
      const body = { status: becomes ? 'Canceled' : 'Confirmed' }
      const patched = await house.ask('PATCH', one.path, { body })
      assert.equal(patched.status, 204, patched.text)
      one.canceled = becomes
      return
    }
    case 'leave-out': {
      if (!one || stays.length < 2) return
      const wasPaid = await Promise.all(payments.map((payment) => shareOf(payment, one)))
      const removed = await house.ask('DELETE', one.path)
      assert.equal(removed.status, wasPaid.some((share) => share !== 0n) ? 409 : 204, removed.text)
      if (removed.status === 204) stays.splice(stays.indexOf(one), 1)
      return
    }
    case 'reprice': {
      const at = books.products[each.which % books.products.length]!
      const body = product(`again-${at.id}`.slice(0, 30), at.type, each.unit, books.currency)
      assert.equal((await house.ask('PUT', `/api/v2/services/${at.id}`, { body })).status, 204)
      at.unit = each.unit
      return
    }
    case 'pay-stay': {
      if (!one) return
      const { outstanding } = (await house.attributes(one.path)) as Shown
      const paid = 1n + (BigInt(Math.max(0, outstanding ?? 0)) * BigInt(each.share)) / 10n
      const reply = await pay(books, one.path, paid, one)
      const fits = outstanding !== null && paid <= BigInt(outstanding)
      assert.equal(reply.status, fits ? 201 : 422, reply.text)
      return
    }
    case 'refund': {
      if (!one) return
      const { outstanding } = (await house.attributes(one.path)) as Shown
      const surplus = BigInt(Math.max(0, -(outstanding ?? 0)))
      const given = 1n + (surplus * BigInt(each.share)) / 10n
      const body = { currency: books.currency, amount: Number(given), brand: 'Cash' }
      const reply = await house.ask('POST', `${one.path}/actions/record-refund`, { body })
      assert.equal(reply.status, outstanding !== null && given <= surplus ? 201 : 422, reply.text)
      if (reply.status === 201)
        payments.push({ id: reply.body.data.id, amount: -given, voided: false, stay: one })
      return
    }
    case 'pay-all': {
      const { outstanding } = await shown(books)
      const paid = BigInt(Math.max(1, outstanding ?? 1)) + BigInt(each.off)
      if (paid < 1n) return
      const reply = await pay(books, reservation, paid, null)
      const fits = outstanding !== null && paid === BigInt(outstanding)
      assert.equal(reply.status, fits ? 201 : 422, reply.text)
      return
    }
    case 'void': {
      const payment = payments[each.which % payments.length]
      if (!payment) return
      assert.equal((await house.ask('DELETE', `/api/v2/payments/${payment.id}`)).status, 204)
      payment.voided = true
    }
  }
}

it('What is due, paid and outstanding agrees with books kept by hand, whatever is done', async () => {
  const currency = fc.constantFrom<Currency[]>('EUR', 'JPY', 'KWD')
  await fc.assert(
    fc.asyncProperty(
      currency,
      booking,
      fc.array(step, { minLength: 6, maxLength: 16, size: 'max' }),
      async (money, first, steps) => {
        const books = await open(money)
        for (const each of [{ do: 'book' as const, booking: first }, ...steps]) {
          await take(books, each)
          await agree(books)
        }
      },
    ),
    { numRuns: 40 },
  )
})
