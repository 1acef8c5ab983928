import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

/** The terminal does not say what became of a payment. */
const silent = Array.from({ length: 1_000 }, () => ({ at: '*', does: 'silence' as const }))

it('the connection of a terminal is not changed while a payment at it is open', async () => {
  const found = await house.ask('GET', '/api/v2/reservations?filter[reservationIds.searchForm]=NP-1001')
  const [stay] = found.body.data[0].attributes.stays
  house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'late' }, ...silent)
  const paying = await house.ask('POST', `/api/v2/stays/${stay.id}/actions/pay-at-terminal`)
  assert.equal(paying.body.errors[0].code, 'payment-outcome-unknown')
  const open = await house.ask('GET', `/api/v2/stays/${stay.id}/terminal-payment`)

  const path = `/api/config/v1/payment-terminals/${open.body.data.attributes.terminalId}`
  const { attributes } = (await house.ask('GET', path)).body.data
  const change = (body: object) => house.ask('PATCH', path, { body })
  const moved = await change({ path: 'tcp://127.0.0.1:9' })
  assert.deepEqual([moved.status, moved.body.errors[0].code], [409, 'resource-referenced'])
  const { detail, meta } = moved.body.errors[0]
  assert.match(detail, /109\.00 EUR/)
  assert.match(detail, /by hand/)
  assert.deepEqual(meta, { by: 'terminal-payment', count: 1, id: open.body.data.id, stayId: stay.id })
  const { createdAt, updatedAt, revision, ...whole } = attributes
  const replaced = await house.ask('PUT', path, { body: { ...whole, path: 'tcp://127.0.0.1:9' } })
  assert.equal(replaced.status, 409)
  assert.equal((await change({ name: 'Terminal at the door', timeoutSeconds: 60 })).status, 204)
  assert.equal((await house.ask('DELETE', path)).status, 409)

  house.lobby.terminal.misbehaviours.length = 0
  assert.equal((await house.ask('POST', `/api/v2/stays/${stay.id}/actions/pay-at-terminal`)).status, 201)
  assert.equal((await change({ path: 'tcp://127.0.0.1:9' })).status, 204)
})
