import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { monday, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { bookings } from '../console/kiosk-house.ts'
import { kioskOf } from '../guest-found.ts'
import { settableClock } from '../test-clock.ts'

/** Guests at the kiosk of a house who owe 109.00 EUR, on days of their own because the rooms are few. */
async function guestsOf(house: TestAppliance) {
  const arrival = await bookings(house.ask)
  let days = 0
  const nextDay = () => new Date(monday + ++days * 86_400_000).toISOString().slice(0, 10)
  return async () => {
    const { stayId } = await arrival({
      startDate: nextDay(),
      endDate: nextDay(),
      amount: { currency: 'EUR', amountWithTax: 109 },
    })
    const token = await kioskOf(house.ask, stayId)
    const act = (name: string) => house.ask('POST', `/api/v2/stays/${stayId}/actions/${name}`, { token })
    const listed = async (what: string) =>
      (await house.ask('GET', `/api/v2/${what}?filter[stayId]=${stayId}`)).body.data
    return {
      stayId,
      pay: () => act('pay-at-terminal'),
      cancel: () => act('cancel-terminal-payment'),
      last: () => house.ask('GET', `/api/v2/stays/${stayId}/terminal-payment`, { token }),
      recorded: async () => (await listed('payments')).length,
      orders: async () => (await listed('terminal-payments')).map(endOf),
    }
  }
}

interface Told {
  data: { by: { id: string; name: string | null } }
}

const endOf = ({
  attributes: { state, reason },
}: {
  attributes: { state: string; reason: string | null }
}) => (reason === null ? state : `${state}: ${reason}`)
const codeOf = ({ status, body }: Reply) => [status, body.errors?.[0].code ?? endOf(body.data)]

/** What a request for the payment answers when it was canceled. */
function expectCanceled({ status, body }: Reply): void {
  const [{ code, meta }] = body.errors
  assert.deepEqual([status, code, meta.reason], [422, 'payment-refused', 'canceled'])
}

describe('the cancellation of a payment at a terminal', () => {
  let house: TestAppliance
  let guest: Awaited<ReturnType<typeof guestsOf>>
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
    guest = await guestsOf(house)
  })
  after(() => house.stop())
  afterEach(() => {
    house.lobby.terminal.misbehaviours.length = 0
    house.lobby.terminal.guest = 'pay'
  })

  /** A guest who is at the terminal and does not pay. */
  async function waiting() {
    const { terminal } = house.lobby
    terminal.guest = 'wait'
    const one = await guest()
    const paying = one.pay()
    await until(
      'the terminal to wait for the guest',
      async () => terminal.waiting.size,
      (count) => count === 1,
    )
    return { ...one, paying }
  }

  it('ends it at the terminal at once, and charges nothing; the guest may pay later', async () => {
    const { pay, cancel, last, paying, recorded, orders } = await waiting()
    assert.deepEqual(codeOf(await last()), [200, 'open'], 'who asks for the outcome changes nothing')
    assert.deepEqual(codeOf(await cancel()), [200, 'refused: canceled'])
    expectCanceled(await paying)
    assert.deepEqual(codeOf(await last()), [200, 'refused: canceled'])
    assert.deepEqual([await recorded(), await orders()], [0, ['refused: canceled']])
    assert.deepEqual(codeOf(await cancel()), [200, 'refused: canceled'], 'a repeat changes nothing')
    house.lobby.terminal.guest = 'pay'
    assert.equal((await pay()).status, 201)
    assert.deepEqual(codeOf(await cancel()), [200, 'paid'], 'what was paid stays paid')
    assert.equal(await recorded(), 1)
  })

  it('leaves it taken when the guest has paid at that moment', async () => {
    const { terminal } = house.lobby
    const { cancel, paying, recorded } = await waiting()
    const then = () => terminal.decide('pay')
    terminal.misbehaviours.push({ at: 'cancel', does: 'pass', then })
    assert.deepEqual(codeOf(await cancel()), [200, 'paid'])
    assert.equal((await paying).status, 201)
    assert.equal(await recorded(), 1)
  })

  it('has one outcome for the guest, the terminal and the books, whatever comes first', async () => {
    const { terminal } = house.lobby
    for (let round = 0; round < 20; round++) {
      const { cancel, paying, recorded } = await waiting()
      const canceled = cancel()
      await new Promise((done) => setTimeout(done, (round % 10) / 2))
      terminal.decide('pay')
      const [end, paid] = await Promise.all([canceled, paying])
      const isPaid = [...terminal.payments.values()].at(-1)?.outcome === 'paid'
      assert.deepEqual(codeOf(end), [200, isPaid ? 'paid' : 'refused: canceled'])
      assert.equal(paid.status, isPaid ? 201 : 422)
      assert.equal(await recorded(), isPaid ? 1 : 0)
    }
  })

  it('that comes with the payment itself has one outcome too', async () => {
    for (let round = 0; round < 10; round++) {
      house.lobby.terminal.guest = round % 2 ? 'wait' : 'pay'
      const { pay, cancel, recorded } = await guest()
      const paying = pay()
      await new Promise((done) => setTimeout(done, round / 2))
      const early = await cancel()
      // The box may not have heard of the payment yet.
      const end = early.status === 404 ? await cancel() : early
      const { status } = await paying
      assert.deepEqual(codeOf(end), [200, status === 201 ? 'paid' : 'refused: canceled'])
      assert.equal(await recorded(), status === 201 ? 1 : 0)
    }
  })

  it('whose answer is lost has ended all the same', async () => {
    house.lobby.terminal.misbehaviours.push({ at: 'cancel', does: 'late' })
    const { cancel, paying, recorded } = await waiting()
    assert.deepEqual(codeOf(await cancel()), [200, 'refused: canceled'])
    expectCanceled(await paying)
    assert.equal(await recorded(), 0)
  })

  it('needs a payment', async () => {
    const { cancel } = await guest()
    assert.deepEqual(codeOf(await cancel()), [404, 'not-found'])
  })

  it('is the act of the person who cancels', async () => {
    const { stayId, paying } = await waiting()
    const path = `/api/v2/stays/${stayId}/actions/cancel-terminal-payment`
    const { body } = await house.ask('POST', path)
    await paying
    const events = await house.ask('GET', `/api/v2/events?filter[subject]=terminal-payments/${body.data.id}`)
    const by = events.body.data.map(
      ({ attributes }: { attributes: { event: Told } }) => attributes.event.data.by,
    )
    assert.deepEqual(
      by.map(({ id, name }: Told['data']['by']) => name ?? id),
      ['kiosk', 'demo'],
    )
  })
})

describe('the cancellation of a payment whose outcome is unknown', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  it('stays unknown while the terminal is silent, and then ends the payment', async () => {
    const { terminal } = house.lobby
    const { pay, cancel, recorded, orders } = await (await guestsOf(house))()
    terminal.guest = 'wait'
    const silent = (count: number) =>
      Array.from({ length: count }, () => ({ at: '*', does: 'silence' as const }))
    terminal.misbehaviours.push({ at: 'pay', does: 'late' }, ...silent(30))
    assert.deepEqual(codeOf(await pay()), [502, 'payment-outcome-unknown'])
    assert.deepEqual(codeOf(await cancel()), [502, 'payment-outcome-unknown'])
    assert.deepEqual(await orders(), ['open'])
    terminal.misbehaviours.length = 0
    assert.deepEqual(codeOf(await cancel()), [200, 'refused: canceled'])
    assert.deepEqual([await recorded(), await orders()], [0, ['refused: canceled']])
  })
})
