import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'

/** The terminal says nothing any more. */
const dead = Array.from({ length: 1_000 }, () => ({ at: '*', does: 'silence' as const }))
const reason = 'Frau Rossi has shown the receipt of the terminal.'

describe('a payment that a person settles by hand', () => {
  let house: TestAppliance
  let clerk: string
  let kiosk: string
  let next = 1001
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

  async function guest() {
    const found = await house.ask(
      'GET',
      `/api/v2/reservations?filter[reservationIds.searchForm]=NP-${next++}`,
    )
    return payer(found.body.data[0].attributes.stays[0])
  }

  function payer({
    id,
    reservationId,
    outstanding,
  }: {
    id: string
    reservationId: string
    outstanding: number
  }) {
    const pay = () => house.ask('POST', `/api/v2/stays/${id}/actions/pay-at-terminal`)
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
    return { id, reservationId, due: outstanding, pay, last, settle, payments }
  }

  /** The terminal dies at the payment; `late`: it has taken the amount. */
  async function inDoubt(does: 'late' | 'silence', paying = guest) {
    const one = await paying()
    house.lobby.terminal.misbehaviours.push({ at: 'pay', does }, ...dead)
    assert.equal((await one.pay()).body.errors[0].code, 'payment-outcome-unknown')
    return one
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
    const { terminal } = house.lobby
    const { pay, settle } = await guest()
    terminal.guest = 'wait'
    const paying = pay()
    await until(
      'the terminal to wait for the guest',
      async () => terminal.waiting.size,
      (count) => count === 1,
    )
    assert.equal(codeOf(await settle({ charged: false })), '409 terminal-busy')
    terminal.decide('pay')
    assert.equal((await paying).status, 201)
  })

  it('as recorded at the desk with its number is not recorded again by the terminal', async () => {
    const { id, reservationId, due, last, payments } = await inDoubt('late')
    const taken = [...house.lobby.terminal.payments.values()].at(-1)
    const path = `/api/v2/reservations/${reservationId}/stays/${id}/actions/record-payment`
    const terminalTransactionId = taken?.outcome === 'paid' ? taken.transactionId : ''
    const body = { currency: 'EUR', amount: due, brand: 'Visa', terminalTransactionId }
    assert.equal((await house.ask('POST', path, { body })).status, 201)
    await comesBack()
    assert.equal((await last()).attributes.state, 'paid')
    assert.deepEqual(await payments(), [due])
  })

  it('has a reason that is erased with the guest', async () => {
    const type = await house.ask('GET', '/api/v2/unit-types/DBL')
    const stays = [
      {
        startDate: '2026-06-01',
        endDate: '2026-06-02',
        status: 'Confirmed',
        personCount: { adults: 1 },
        units: [{ unitTypeId: type.body.data.id }],
        reservationIds: [],
        amount: { currency: 'EUR', amountWithTax: 90 },
        profiles: [{ firstName: 'Ada', lastName: 'Rossi' }],
      },
    ]
    const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
    assert.equal(made.status, 201, made.text)
    const [stay] = made.body.data.attributes.stays
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
