import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'

/** The terminal says nothing. */
const silent = Array.from({ length: 1_000 }, () => ({ at: '*', does: 'silence' as const }))

describe('a payment that a restart of the box left open', () => {
  let house: TestAppliance
  let next = 1001
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const pathOf = (stayId: string) => `/api/v2/stays/${stayId}/actions/pay-at-terminal`

  async function nextStay(): Promise<string> {
    const found = await house.ask(
      'GET',
      `/api/v2/reservations?filter[reservationIds.searchForm]=NP-${next++}`,
    )
    return found.body.data[0].attributes.stays[0].id
  }

  /** The box is started again while a guest stands at the terminal. */
  async function leftOpen(meanwhile: () => void): Promise<string> {
    const id = await nextStay()
    const { terminal } = house.lobby
    terminal.guest = 'wait'
    const paying = house.ask('POST', pathOf(id)).catch(() => {})
    await until(
      'the terminal to wait for the guest',
      async () => terminal.waiting.size,
      (count) => count === 1,
    )
    await house.restart(meanwhile)
    await paying
    return id
  }
  const last = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/stays/${stayId}/terminal-payment`)).body.data.attributes

  it('is in doubt when the terminal stays silent beyond the time of the guest', async () => {
    const stayId = await leftOpen(() => house.lobby.terminal.misbehaviours.push(...silent))
    assert.deepEqual([(await last(stayId)).state, (await last(stayId)).inDoubtSince], ['open', null])
    await passTime(200_000)
    assert.notEqual((await last(stayId)).inDoubtSince, null)
    const told = `/api/v2/events?filter[subject]=stays/${stayId}&filter[type]=stay.payment-in-doubt`
    assert.equal((await house.ask('GET', told)).body.data.length, 1)
    house.lobby.terminal.misbehaviours.length = 0
    await passTime(20_000)
    assert.equal((await last(stayId)).state, 'refused')
  })

  it('is canceled by the desk also while the box asks the silent terminal for it', async () => {
    const { misbehaviours } = house.lobby.terminal
    const stayId = await leftOpen(() => misbehaviours.push(...silent))
    await passTime(200_000)
    const before = misbehaviours.length
    while (misbehaviours.length === before) await passTime(100)
    misbehaviours.length = 0
    const canceling = house.ask('POST', `/api/v2/stays/${stayId}/actions/cancel-terminal-payment`)
    await passTime(6_000)
    const { status, text } = await canceling
    assert.equal(status, 200, text)
    assert.partialDeepStrictEqual(await last(stayId), { state: 'refused', reason: 'canceled' })
  })

  it('answers the repeat of its request with the payment, when it was settled meanwhile', async () => {
    const headers = { 'Idempotency-Key': 'the-guest-pays' }
    const stayId = await nextStay()
    house.lobby.terminal.guest = 'pay'
    house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'late' }, ...silent)
    const lost = await house.ask('POST', pathOf(stayId), { headers })
    assert.equal(lost.body.errors[0].code, 'payment-outcome-unknown')
    await house.restart(() => {
      house.lobby.terminal.misbehaviours.length = 0
    })
    await until(
      'the payment to be settled',
      () => last(stayId),
      ({ state }) => state === 'paid',
    )
    const { paymentId, amount } = await last(stayId)
    const repeated = await house.ask('POST', pathOf(stayId), { headers })
    assert.equal(repeated.status, 201, repeated.text)
    assert.equal(repeated.body.data.id, paymentId)
    assert.deepEqual([repeated.body.data.attributes.amount, repeated.body.meta.outstanding], [amount, 0])
    const again = await house.ask('POST', pathOf(stayId), { headers })
    assert.deepEqual([again.status, again.body.data.id], [201, paymentId])
    assert.equal(again.headers.get('Idempotency-Replayed'), 'true')
    const other = await house.ask('POST', pathOf(stayId), { headers: { 'Idempotency-Key': 'another' } })
    assert.deepEqual([other.status, other.body.errors[0].code], [422, 'payment-exceeds-outstanding'])
  })

  it('is canceled at a terminal that still waits after the time of the guest', async () => {
    const stayId = await leftOpen(() => {})
    await passTime(200_000)
    assert.partialDeepStrictEqual(await last(stayId), { state: 'refused', reason: 'canceled' })
    assert.equal([...house.lobby.terminal.payments.values()].at(-1)?.outcome, 'refused')
  })

  /** The line dies after the order was sent, and the terminal does not know it when the line is back. */
  async function sentInto(pay: () => Promise<Reply>) {
    house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'close' })
    const lost = await pay()
    assert.deepEqual([lost.status, lost.body.errors[0].code], [502, 'payment-outcome-unknown'], lost.text)
  }
  const paid = { outcome: 'paid', transactionId: '000999', brand: 'Visa' } as const
  const paymentsOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body.data.length

  it('is not taken twice when its order reaches the terminal after the line was back', async () => {
    const stayId = await nextStay()
    const pay = () => house.ask('POST', pathOf(stayId))
    await sentInto(pay)
    const { id } = (await house.ask('GET', `/api/v2/stays/${stayId}/terminal-payment`)).body.data
    assert.equal((await last(stayId)).state, 'open')
    assert.equal((await pay()).body.errors[0].code, 'payment-outcome-unknown')
    house.lobby.terminal.payments.set(id, paid)
    const found = await pay()
    assert.equal(found.status, 201, found.text)
    assert.equal(await paymentsOf(stayId), 1)
    assert.equal((await last(stayId)).state, 'paid')
  })

  it('has ended when the terminal has not known it for a while, and a later report is recorded', async () => {
    const stayId = await nextStay()
    await sentInto(() => house.ask('POST', pathOf(stayId)))
    const { id } = (await house.ask('GET', `/api/v2/stays/${stayId}/terminal-payment`)).body.data
    await passTime(20_000)
    assert.equal((await last(stayId)).state, 'open')
    // The line dies again: the order has the whole time from when it is back.
    house.lobby.terminal.misbehaviours.push(...silent.slice(0, 2))
    await passTime(30_000)
    assert.equal((await last(stayId)).state, 'open')
    await passTime(40_000)
    assert.partialDeepStrictEqual(await last(stayId), { state: 'refused', reason: 'never-arrived' })
    house.lobby.terminal.payments.set(id, paid)
    await passTime(20_000)
    assert.equal((await last(stayId)).state, 'paid')
    assert.equal(await paymentsOf(stayId), 1)
  })

  it('whose order could not be sent has not begun, and the guest pays at once at another terminal', async () => {
    const body = { name: 'Dead', driver: 'json-line', path: 'tcp://127.0.0.1:1' }
    const dead = await house.ask('POST', '/api/config/v1/payment-terminals', { body })
    assert.equal(dead.status, 201, dead.text)
    const stayId = await nextStay()
    const [other] = (await house.ask('GET', '/api/config/v1/payment-terminals')).body.data
    const pay = (terminalId: string) => house.ask('POST', pathOf(stayId), { body: { terminalId } })
    const refused = await pay(dead.body.data.id)
    assert.deepEqual(
      [refused.status, refused.body.errors[0].code, refused.body.errors[0].meta.outcomeUnknown],
      [502, 'terminal-offline', false],
      refused.text,
    )
    assert.equal((await last(stayId)).reason, 'never-started')
    house.lobby.terminal.guest = 'pay'
    const taken = await pay(other.id)
    assert.equal(taken.status, 201, taken.text)
  })
})
