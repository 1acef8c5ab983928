import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'

/** The terminal says nothing any more. */
const dead = Array.from({ length: 1_000 }, () => ({ at: '*', does: 'silence' as const }))
const reason = 'Frau Rossi has shown the receipt of the terminal.'

describe('a payment that a person settles by hand', () => {
  let house: TestAppliance
  let clerk: string
  let kiosk: string
  /** Each guest has another night, so that a room is left. */
  let night = 10
  before(async () => {
    house = await startAppliance()
    const tokenOf = async (role: string) =>
      (await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })).body.meta.token
    clerk = await tokenOf('frontdesk')
    kiosk = await tokenOf('kiosk')
  })
  after(() => house.stop())
  afterEach(() => {
    house.lobby.terminal.misbehaviours.length = 0
    house.lobby.terminal.guest = 'pay'
  })

  async function booked() {
    const type = await house.ask('GET', '/api/v2/unit-types/DBL')
    const stay = {
      startDate: `2026-07-${night}`,
      endDate: `2026-07-${++night}`,
      status: 'Confirmed',
      personCount: { adults: 1 },
      units: [{ unitTypeId: type.body.data.id }],
      reservationIds: [],
      amount: { currency: 'EUR', amountWithTax: 90 },
      profiles: [{ firstName: 'Ada', lastName: 'Rossi' }],
    }
    const made = await house.ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })
    assert.equal(made.status, 201, made.text)
    return made.body.data.attributes.stays[0]
  }

  const guest = async () => payer(await booked())

  function payer({
    id,
    reservationId,
    outstanding,
  }: {
    id: string
    reservationId: string
    outstanding: number
  }) {
    const pay = (body: object = {}) =>
      house.ask('POST', `/api/v2/stays/${id}/actions/pay-at-terminal`, { body })
    const last = async () => (await house.ask('GET', `/api/v2/stays/${id}/terminal-payment`)).body.data
    const settle = async (body: object, token = clerk, stayId = id) =>
      house.ask('POST', `/api/v2/stays/${stayId}/actions/settle-terminal-payment`, {
        token,
        body: { terminalPaymentId: (await last()).id, reason, ...body },
      })
    const payments = async () =>
      (await house.ask('GET', `/api/v2/payments?filter[stayId]=${id}`)).body.data.map(
        ({ attributes }: { attributes: { amount: number } }) => attributes.amount,
      )
    /** Cash, unless the body says otherwise. */
    const record = (body: object = {}, at = `reservations/${reservationId}/stays/${id}`) =>
      house.ask('POST', `/api/v2/${at}/actions/record-payment`, {
        body: { currency: 'EUR', amount: outstanding, brand: 'Cash', ...body },
      })
    return { id, reservationId, due: outstanding, pay, last, settle, payments, record }
  }

  /** The terminal dies at the payment; `late`: it has taken the amount. */
  async function inDoubt(does: 'late' | 'silence', paying = guest) {
    const one = await paying()
    house.lobby.terminal.misbehaviours.push({ at: 'pay', does }, ...dead)
    assert.equal((await one.pay()).body.errors[0].code, 'payment-outcome-unknown')
    return one
  }
  /** A guest stands at the terminal. Returns the answer to the payment, when the guest has decided. */
  async function stands(pay: () => Promise<Reply>) {
    const { terminal } = house.lobby
    terminal.guest = 'wait'
    const paying = pay()
    await until(
      'the terminal to wait for the guest',
      async () => terminal.waiting.size,
      (count) => count === 1,
    )
    return () => paying
  }
  async function comesBack() {
    house.lobby.terminal.misbehaviours.length = 0
    await passTime(60_000)
  }
  const codeOf = ({ status, body }: { status: number; body: { errors?: { code: string }[] } | null }) =>
    body?.errors ? `${status} ${body.errors[0]?.code}` : status

  it('as charged is recorded once, also when the terminal reports it later', async () => {
    const { id, due, last, settle, payments } = await inDoubt('late')
    const settled = await settle({ charged: true })
    assert.equal(settled.status, 200, settled.text)
    assert.equal(settled.body.data.attributes.state, 'paid')
    assert.deepEqual(await payments(), [due])
    assert.equal((await settle({ charged: true })).status, 200, 'a repeat')
    assert.equal(codeOf(await settle({ charged: false })), '409 payment-settled')
    await comesBack()
    assert.deepEqual(await payments(), [due])

    const type = 'stay.payment-settled-by-hand'
    const audit = await house.ask('GET', `/api/config/v1/audit-entries?filter[type]=${type}`)
    const about = { terminalPaymentId: (await last()).id, charged: true, amount: due, currency: 'EUR' }
    assert.deepEqual(
      audit.body.data.map(({ attributes }: { attributes: { data: object } }) => attributes.data),
      [{ reason, ...about }],
    )
    const events = await house.ask('GET', `/api/v2/events?filter[type]=${type}&filter[subject]=stays/${id}`)
    assert.partialDeepStrictEqual(events.body.data[0].attributes.event.data, about)
    assert.doesNotMatch(events.text, /Rossi/, 'a reason may name a guest')
  })

  it('as not charged takes no amount, and the guest may pay again', async () => {
    const { due, pay, last, settle, payments } = await inDoubt('silence')
    assert.equal((await settle({ charged: false })).status, 200)
    assert.partialDeepStrictEqual((await last()).attributes, {
      state: 'refused',
      reason: 'not-charged',
      inDoubtSince: null,
    })
    await comesBack()
    assert.deepEqual(await payments(), [])
    assert.equal((await pay()).status, 201)
    assert.deepEqual(await payments(), [due])
  })

  it('as not charged is recorded when the terminal comes back and has taken the amount', async () => {
    const { due, last, settle, payments } = await inDoubt('late')
    assert.equal((await settle({ charged: false })).status, 200)
    assert.deepEqual(await payments(), [])
    await comesBack()
    assert.deepEqual(await payments(), [due])
    assert.equal((await last()).attributes.state, 'paid')
  })

  it('as not charged keeps its stay as long as the terminal may report that it has taken the amount', async () => {
    const { reservationId, due, settle, payments } = await inDoubt('late')
    assert.equal((await settle({ charged: false })).status, 200)
    const deleted = await house.ask('DELETE', `/api/v2/reservations/${reservationId}`)
    assert.equal(codeOf(deleted), '409 resource-referenced')
    await comesBack()
    assert.deepEqual(await payments(), [due])
  })

  it('no longer keeps the terminal from being changed or removed', async () => {
    const { last, settle } = await inDoubt('late')
    const path = `/api/config/v1/payment-terminals/${(await last()).attributes.terminalId}`
    const change = (to: string) => house.ask('PATCH', path, { body: { path: to } })
    assert.equal((await change('tcp://127.0.0.1:9')).status, 409)
    assert.equal((await settle({ charged: true })).status, 200)
    assert.equal((await change('tcp://127.0.0.1:9')).status, 204)
    assert.equal((await change('simulated:terminal')).status, 204)
  })

  it('needs the scope, a reason, and the payment of this stay', async () => {
    const { settle, payments } = await inDoubt('late')
    const charged = true
    assert.equal(codeOf(await settle({ charged }, kiosk)), '403 scope-required')
    assert.equal(codeOf(await settle({ charged, reason: '-' })), '422 validation-failed')
    assert.equal(codeOf(await settle({ charged, reason: undefined })), '422 validation-failed')
    assert.equal(codeOf(await settle({ charged }, clerk, (await guest()).id)), '404 not-found')
    assert.deepEqual(await payments(), [])
    await settle({ charged })
  })

  it('is not one that the guest is just paying', async () => {
    const { pay, settle } = await guest()
    const paying = await stands(pay)
    assert.equal(codeOf(await settle({ charged: false })), '409 terminal-busy')
    house.lobby.terminal.decide('pay')
    assert.equal((await paying()).status, 201)
  })

  it('is not taken in cash too while it is open, unless the stay owes both', async () => {
    const { id, reservationId, due, pay, payments, record } = await guest()
    const paying = await stands(pay)
    const underWay = '409 payment-under-way'
    const refused = await record()
    assert.equal(codeOf(refused), underWay)
    assert.match(refused.body.errors[0].detail, /\d\.\d\d EUR .* Wait until it has ended, or cancel it/)
    assert.equal(codeOf(await record({ amount: 1 })), underWay)
    assert.equal(codeOf(await record({}, `reservations/${reservationId}`)), underWay)
    const path = `/api/v2/reservations/${reservationId}/stays/${id}`
    const amount = { currency: 'EUR', amountWithTax: due / 100 + 20 }
    assert.equal((await house.ask('PATCH', path, { body: { amount } })).status, 204)
    assert.equal((await record({ amount: 2_000 })).status, 201, 'owed beside what the terminal takes')
    assert.equal(codeOf(await record({ amount: 1 })), underWay)
    house.lobby.terminal.decide('pay')
    assert.equal((await paying()).status, 201)
    assert.deepEqual((await payments()).sort(), [due, 2_000].sort())
    assert.equal(codeOf(await pay()), '422 payment-exceeds-outstanding', 'after cash')
  })

  it('is asked for at its own terminal from another one, and not while a guest pays there', async () => {
    const one = await inDoubt('late')
    assert.match((await one.record()).body.errors[0].detail, /Settle that payment by hand first/)
    house.lobby.terminal.misbehaviours.length = 0
    const { terminalId } = (await one.last()).attributes
    const body = { name: 'Second', driver: 'json-line', path: 'simulated:terminal' }
    const second = await house.ask('POST', '/api/config/v1/payment-terminals', { body })
    const paying = await stands(async () => (await guest()).pay({ terminalId }))
    const there = { terminalId: second.body.data.id }
    assert.equal(codeOf(await one.pay(there)), '409 terminal-busy')
    house.lobby.terminal.decide('pay')
    assert.equal((await paying()).status, 201)
    assert.equal((await one.pay(there)).status, 201)
    assert.deepEqual(await one.payments(), [one.due])
    await house.ask('DELETE', `/api/config/v1/payment-terminals/${there.terminalId}`)
  })

  it('as recorded at the desk with its number is not recorded again by the terminal', async () => {
    const { due, last, payments, record } = await inDoubt('late')
    const taken = [...house.lobby.terminal.payments.values()].at(-1)
    const terminalTransactionId = taken?.outcome === 'paid' ? taken.transactionId : ''
    assert.equal((await record({ brand: 'Visa', terminalTransactionId })).status, 201)
    await comesBack()
    assert.equal((await last()).attributes.state, 'paid')
    assert.deepEqual(await payments(), [due])
  })

  it('has a reason that is erased with the guest', async () => {
    const stay = await booked()
    const { settle } = await inDoubt('silence', async () => payer(stay))
    assert.equal((await settle({ charged: false })).status, 200)
    const erased = await house.ask('POST', `/api/v2/profiles/${stay.profiles[0].id}/actions/erase`)
    assert.equal(erased.status, 200, erased.text)
    const audit = await house.ask('GET', `/api/config/v1/audit-entries?filter[subject]=stays/${stay.id}`)
    const lines: { type: string; data: object }[] = audit.body.data.map(
      ({ attributes }: { attributes: { type: string; data: object } }) => attributes,
    )
    const line = lines.find(({ type }) => type === 'stay.payment-settled-by-hand')
    assert.partialDeepStrictEqual(line?.data, { reason: null, charged: false, currency: 'EUR' })
    assert.doesNotMatch(audit.text, /Rossi/)
  })
})
