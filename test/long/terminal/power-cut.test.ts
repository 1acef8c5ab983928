import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { simulatePayline, terminal } from '../../../drivers/payline/simulator/simulator.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { type ApplianceChild, applianceChild } from '../../access/appliance-child.ts'
import { until } from '../../access/house-with-doors.ts'
import { sockets } from '../../access/sockets.ts'
import { bookings } from '../../console/kiosk-house.ts'

const data = mkdtempSync(join(tmpdir(), 'nightporter-pay-'))
const device = terminal()
const plugs = sockets()
let daemon: ApplianceChild
/** Runs when a wire is opened, before anything is heard. */
let plugged: (() => void) | null = null
let number = 1001

before(async () => {
  daemon = await applianceChild(data)
  const path = await plugs.plugIn((wire) => {
    plugged?.()
    return simulatePayline(wire, device)
  })
  const { body } = await daemon.ask('GET', '/api/config/v1/payment-terminals')
  const one = `/api/config/v1/payment-terminals/${body.data[0].id}`
  const { status, text } = await daemon.ask('PATCH', one, { body: { path } })
  assert.ok(status < 300, text)
  // Each guest of the sample property has something to pay.
  for (const { id } of (await daemon.ask('GET', '/api/v2/payments')).body.data)
    assert.equal((await daemon.ask('DELETE', `/api/v2/payments/${id}`)).status, 204)
})
after(async () => {
  await daemon.stop()
  plugs.close()
  rmSync(data, { recursive: true, force: true })
})

/** How the program ends, and whether the money was taken by then. */
const kill = () => daemon.kill()
function cutAtPlug(): void {
  plugged = kill
}
const later = (ms: number) => () => void setTimeout(kill, ms)
const cuts: [moment: string, cut: () => void, taken: boolean | null][] = [
  ['before the terminal is asked', () => cutAtPlug(), null],
  ['while the order is on its way', () => push('silence', kill), false],
  ['when the money is taken', () => push('late', kill), true],
  ...[0, 1, 2, 4, 8, 16, 32].map((ms): [string, () => void, boolean] => [
    `${ms} ms after the answer`,
    () => push('pass', later(ms)),
    true,
  ]),
]

/** The terminal hears the order of the payment, and then the program is killed. */
function push(does: Misbehaviour['does'], then: () => void): void {
  device.misbehaviours.push({ at: 'pay', does, then })
}

/** A sample house has twelve guests. */
const ways: [settledBy: string, of: typeof cuts][] = [
  ['the appliance itself', cuts],
  ['the repeated request', cuts.slice(1, 3)],
]

describe('a power cut in mid-payment', () => {
  for (const [settledBy, of] of ways)
    for (const [moment, cut, taken] of of)
      it(`${moment}, settled by ${settledBy}`, async () => {
        const path = `/api/v2/reservations?filter[reservationIds.searchForm]=NP-${number++}`
        const [stay] = (await daemon.ask('GET', path)).body.data[0].attributes.stays
        const pay = () =>
          daemon.ask('POST', `/api/v2/stays/${stay.id}/actions/pay-at-terminal`, {
            headers: { 'Idempotency-Key': `wish-${stay.id}` },
          })
        const listed = async (what: string) =>
          (await daemon.ask('GET', `/api/v2/${what}?filter[stayId]=${stay.id}`)).body.data
        cut()
        await pay().catch(() => {})
        await daemon.ended()
        plugged = null
        device.misbehaviours.length = 0
        await daemon.reboot()
        if (settledBy !== 'the appliance itself') await pay()
        for (let waited = 0; waited < 100; waited++) {
          const orders = await listed('terminal-payments')
          if (
            orders.every(({ attributes }: { attributes: { state: string } }) => attributes.state !== 'open')
          )
            break
          await pause(100)
        }
        const paid = await listed('payments')
        const charged = [...device.payments.values()].filter(({ outcome }) => outcome === 'paid').length
        const { body } = await daemon.ask('GET', '/api/v2/payments?page[size]=100')
        assert.equal(body.data.length, charged, 'every charge is recorded, and nothing else')
        assert.ok(paid.length <= 1)
        if (taken !== null && settledBy === 'the appliance itself') assert.equal(paid.length, taken ? 1 : 0)
      })
})

const cancelCuts: [moment: string, does: Misbehaviour['does'], then: () => void][] = [
  ['before the terminal hears of it', 'silence', kill],
  ['when the terminal has ended the payment', 'late', kill],
  ...[0, 1, 2, 4, 8].map((ms): [string, 'pass', () => void] => [
    `${ms} ms after the answer`,
    'pass',
    later(ms),
  ]),
]

describe('a power cut while a payment is canceled', () => {
  for (const [moment, does, then] of cancelCuts)
    it(`${moment}: the repeated request ends it, and nothing is charged`, async () => {
      const arrival = await bookings(daemon.ask)
      const { stayId } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
      const act = (name: string) => daemon.ask('POST', `/api/v2/stays/${stayId}/actions/${name}`)
      device.guest = 'wait'
      const paying = act('pay-at-terminal').catch(() => {})
      await until(
        'the terminal to wait for the guest',
        async () => device.waiting.size,
        (count) => count === 1,
      )
      device.misbehaviours.push({ at: 'cancel', does, then })
      await act('cancel-terminal-payment').catch(() => {})
      await daemon.ended()
      await paying
      await daemon.reboot()
      const { body } = await until(
        'the payment to end',
        () => act('cancel-terminal-payment'),
        ({ status }) => status !== 409,
      )
      const { state, reason } = body.data.attributes
      assert.deepEqual([state, reason], ['refused', 'canceled'])
      const paid = await daemon.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)
      assert.equal(paid.body.data.length, 0)
      device.guest = 'pay'
      assert.equal((await act('pay-at-terminal')).status, 201)
    })
})
