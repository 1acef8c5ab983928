import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { kioskOf } from '../guest-found.ts'
import { passTime } from '../test-clock.ts'

let house: TestAppliance
/** Confirmation numbers of guests who have not paid. */
let next = 1001
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

async function guest(number = next++) {
  const path = `/api/v2/reservations?filter[reservationIds.searchForm]=NP-${number}`
  const [stay] = (await house.ask('GET', path)).body.data[0].attributes.stays
  const token = await kioskOf(house.ask, stay.id)
  const pay = (key?: string) =>
    house.ask('POST', `/api/v2/stays/${stay.id}/actions/pay-at-terminal`, {
      token,
      ...(key && { headers: { 'Idempotency-Key': key } }),
    })
  const listed = async (what: string) =>
    (await house.ask('GET', `/api/v2/${what}?filter[stayId]=${stay.id}&sort=createdAt`)).body.data.map(
      ({ attributes }: { attributes: object }) => attributes,
    )
  return {
    id: stay.id,
    reservationId: stay.reservationId,
    amount: stay.amount,
    due: stay.outstanding,
    pay,
    payments: () => listed('payments'),
    orders: () => listed('terminal-payments'),
  }
}

describe('a payment at a terminal', () => {
  it('is what is outstanding, recorded once, and answered again for the same key', async () => {
    const { pay, due, payments, orders } = await guest()
    const first = await pay('wish-1')
    assert.equal(first.status, 201, first.text)
    assert.partialDeepStrictEqual(first.body.data.attributes, { amount: due, brand: 'Visa' })
    assert.equal(first.body.meta.outstanding, 0)
    assert.deepEqual((await pay('wish-1')).body, first.body)
    const again = await pay('wish-2')
    assert.deepEqual([again.status, again.body.errors[0].code], [422, 'payment-exceeds-outstanding'])
    assert.equal((await payments()).length, 1)
    assert.deepEqual(
      (await orders()).map(({ state }: { state: string }) => state),
      ['paid'],
    )
  })

  it('is recorded although its number is that of an earlier one of the stay', async () => {
    const { id, reservationId, amount, pay, payments } = await guest(1001)
    const more = { currency: amount.currency, amountWithTax: amount.amountWithTax + 10 }
    const path = `/api/v2/reservations/${reservationId}/stays/${id}`
    assert.equal((await house.ask('PATCH', path, { body: { amount: more } })).status, 204)
    // As another terminal, or one that counts from one again, it gives the number a second time.
    const { payments: known } = house.lobby.terminal
    known.delete([...known.keys()].at(-1) ?? '')
    const second = await pay()
    assert.deepEqual([second.status, second.body.meta?.outstanding], [201, 0], second.text)
    const [first, last, ...others] = await payments()
    assert.deepEqual([last.amount, others], [1_000, []])
    assert.equal(last.terminalTransactionId, first.terminalTransactionId)
  })

  it('that is refused takes nothing, and can be tried again', async () => {
    const { pay, payments } = await guest()
    house.lobby.terminal.guest = 'refuse'
    const { status, body } = await pay('wish-3')
    assert.deepEqual(
      [status, body.errors[0].code, body.errors[0].meta.reason],
      [422, 'payment-refused', 'declined'],
    )
    house.lobby.terminal.guest = 'pay'
    assert.equal((await pay('wish-3')).status, 201)
    assert.equal((await payments()).length, 1)
  })

  it('goes on alone: whoever comes meanwhile waits', async () => {
    const [one, other] = [await guest(), await guest()]
    const { terminal } = house.lobby
    terminal.guest = 'wait'
    const paid = one.pay()
    await until('the payment at the terminal', one.orders, ({ length }) => length === 1)
    const busy = await other.pay()
    assert.deepEqual([busy.status, busy.body.errors[0].code], [409, 'terminal-busy'])
    terminal.decide('pay')
    assert.equal((await paid).status, 201)
  })

  it('of a guest who walks away is canceled', async () => {
    const { pay, payments } = await guest()
    house.lobby.terminal.guest = 'wait'
    const { body } = await pay()
    assert.deepEqual([body.errors[0].code, body.errors[0].meta.reason], ['payment-refused', 'canceled'])
    house.lobby.terminal.guest = 'pay'
    assert.deepEqual(await payments(), [])
  })

  it('whose order the terminal does not know is in doubt for a while, and then known not to have begun', async () => {
    const { pay, payments, orders } = await guest()
    house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'close' })
    for (let asked = 0; asked < 2; asked++) {
      const { status, body } = await pay()
      assert.deepEqual(
        [status, body.errors[0].code, body.errors[0].meta.outcomeUnknown],
        [502, 'payment-outcome-unknown', true],
      )
    }
    for (let waited = 0; waited < 60 && (await orders())[0].state === 'open'; waited++) await passTime(1_000)
    assert.equal((await orders())[0].reason, 'never-arrived')
    assert.deepEqual(await payments(), [])
    assert.equal((await pay()).status, 201)
  })

  for (const [does, count] of [
    ['late', 1],
    ['silence', 0],
  ] as const)
    it(`in doubt (${does}) is told to the desk, and settled by asking the terminal: ${count} payment`, async () => {
      const { id, pay, payments, orders } = await guest()
      const silent = Array.from({ length: 4 }, () => ({ at: '*', does: 'silence' as const }))
      house.lobby.terminal.misbehaviours.push({ at: 'pay', does }, ...silent)
      const { status, body } = await pay(`wish-${does}`)
      assert.deepEqual(
        [status, body.errors[0].code, body.errors[0].meta.outcomeUnknown],
        [502, 'payment-outcome-unknown', true],
      )
      const told = await house.ask(
        'GET',
        `/api/v2/events?filter[subject]=stays/${id}&filter[type]=stay.payment-in-doubt`,
      )
      assert.equal(told.body.data.length, 1)
      const [{ terminalId }] = await orders()
      const kept = await house.ask('DELETE', `/api/config/v1/payment-terminals/${terminalId}`)
      assert.deepEqual([kept.status, kept.body.errors[0].code], [409, 'resource-referenced'])
      house.lobby.terminal.misbehaviours.length = 0
      for (let waited = 0; waited < 60 && (await orders())[0].state === 'open'; waited++)
        await passTime(1_000)
      assert.equal((await payments()).length, count)
      assert.equal((await orders())[0].state, count === 1 ? 'paid' : 'refused')
    })

  it('whose answer was lost is asked for, and not begun again', async () => {
    const { pay, payments } = await guest()
    house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'late' }, { at: 'ask', does: 'garble' })
    const before = house.lobby.terminal.payments.size
    const { status } = await pay()
    assert.equal(status, 201)
    assert.equal(house.lobby.terminal.payments.size, before + 1)
    assert.equal((await payments()).length, 1)
  })

  it('shows no number of a card anywhere', async () => {
    const { body } = await house.ask('GET', '/api/v2/payments')
    assert.doesNotMatch(
      JSON.stringify(
        body.data.map(({ attributes }: { attributes: object }) => ({
          ...attributes,
          reservationId: '',
          stayId: '',
          allotments: [],
        })),
      ),
      /\d{12,19}/,
    )
  })

  it('needs a terminal', async () => {
    const { body } = await house.ask('GET', '/api/config/v1/payment-terminals')
    await house.ask('DELETE', `/api/config/v1/payment-terminals/${body.data[0].id}`)
    const { pay } = await guest()
    const { status, body: refusal } = await pay()
    assert.deepEqual([status, refusal.errors[0].code], [409, 'terminal-missing'])
  })
})
