import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { DeviceFault, type FaultCode } from '../../../../../src/devices/fault.ts'
import { reservationChanged } from '../../../../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import type { Fault } from '../../../../../src/simulators/cloudevents/misbehaviour.ts'
import { anOffer, aReservation, calling, pullAll } from '../../adapter-contract.ts'
import { type HttpBench, httpBench } from './http-bench.ts'

let bench: HttpBench
beforeEach(async () => {
  bench = await httpBench()
})
afterEach(async () => {
  await bench.close()
  assert.deepEqual(bench.failures, [])
})

type Expected = { code: FaultCode; says: RegExp; unknown: boolean }

async function failure(work: Promise<unknown>): Promise<DeviceFault> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DeviceFault, String(error))
  return error
}

function expectFault(fault: DeviceFault, { code, says, unknown }: Expected): void {
  assert.deepEqual([fault.code, fault.outcomeUnknown], [code, unknown], fault.message)
  assert.match(fault.message, says)
}

const pull = () => bench.side.pull(null, calling())
const push = (comment = 'offered') => bench.side.push!([anOffer(aReservation(comment))], calling())
const misbehave = (fault: Fault) => bench.pms.misbehaviour.faults.push(fault)

describe('what a PMS over HTTP does instead of answering is reported as its fault:', () => {
  const cases: [Fault['does'], pulled: Expected, pushed?: Expected][] = [
    ['cut-before', timeout(/broke the connection off/, false), timeout(/broke the connection off/, true)],
    ['cut-after', timeout(/broke the connection off/, false), timeout(/broke the connection off/, true)],
    ['half', timeout(/broke the connection off/, false), timeout(/broke the connection off/, true)],
    ['garbage', vendor(/not JSON/)],
    ['unauthorized', vendor(/refused our credentials: 401 to GET changes/)],
    ['forbidden', vendor(/does not allow this: 403/)],
    ['fail', vendor(/failed: 500 to GET changes: Something broke/)],
    ['redirect', vendor(/redirects to another address, which is not followed: 302/)],
    [
      'busy',
      timeout(/is overloaded or in maintenance: 503.*The night audit is running/, false),
      timeout(/503/, false),
    ],
    ['too-many', timeout(/limits the rate of requests: 429/, false), timeout(/429/, false)],
  ]
  for (const [does, pulled, pushed] of cases) {
    it(does, async () => {
      misbehave({ at: 'pms.changes.requested', does })
      expectFault(await failure(pull()), pulled)
      await bench.reopen()
      misbehave({ at: 'pms.reservations.offered', does })
      expectFault(await failure(push()), pushed ?? { ...pulled, says: /./ })
      await bench.reopen()
      assert.equal((await push()).length, 1)
    })
  }

  function timeout(says: RegExp, unknown: boolean): Expected {
    return { code: 'adapter-timeout', says, unknown }
  }
  /** Its own rule says that nobody knows what came of it. */
  function vendor(says: RegExp): Expected {
    return { code: 'vendor-error', says, unknown: true }
  }

  it('nobody there', async () => {
    await bench.server.close()
    expectFault(
      await failure(push()),
      timeout(/cannot be reached \(the machine at this address accepts no connection at this port\)/, false),
    )
  })
})

describe('a PMS over HTTP', () => {
  it('is left alone for as long as it said, and asked again afterwards; other requests go on', async () => {
    misbehave({ at: 'pms.changes.requested', does: 'busy', retryAfterSeconds: 120 })
    await failure(pull())
    const { length } = bench.pms.requests
    bench.clock.advance(119_000)
    assert.match((await failure(pull())).message, /no requests for another 1 s/)
    assert.equal(bench.pms.requests.length, length)
    assert.equal((await push()).length, 1)
    bench.clock.advance(1_000)
    assert.equal((await pull()).changes.length, 1)
  })

  it('is asked again after an hour where it said a year', async () => {
    misbehave({ at: 'pms.changes.requested', does: 'busy', retryAfterSeconds: 31_536_000 })
    await failure(pull())
    assert.match((await failure(pull())).message, /no requests for another 3600 s/)
    bench.clock.advance(3_600_000)
    assert.deepEqual((await pull()).changes, [])
  })

  it('that ends a kept connection as it is asked is asked once more', async () => {
    await pull()
    misbehave({ at: 'pms.changes.requested', does: 'cut-before' })
    assert.deepEqual((await pull()).changes, [])
    assert.equal(bench.pms.requests.length, 3)
  })

  it('is not waited for longer because the clock was set back', async () => {
    misbehave({ at: 'pms.changes.requested', does: 'too-many', retryAfterSeconds: 120 })
    await failure(pull())
    bench.clock.set(bench.clock.now() - 86_400_000)
    assert.deepEqual((await pull()).changes, [])
  })

  it('is asked for fewer changes when a page of them is too large', async () => {
    for (let count = 0; count < 60; count++) await bench.book(aReservation(`number ${count}`))
    misbehave({ at: 'pms.changes.requested', does: 'huge' })
    const page = await pull()
    assert.equal(page.changes.length, 50)
    assert.equal((await pullAll(bench.side, null)).changes.length, 60)
    const limits = bench.pms.requests.map(({ data }) => (data as { limit: number }).limit)
    assert.deepEqual(limits.slice(0, 2), [500, 50])
  })

  it('fails by its page when even a single change is too large', async () => {
    misbehave({ at: 'pms.changes.requested', does: 'huge', times: 4 })
    assert.match((await failure(pull())).message, /more than 8388608 bytes/)
  })

  it('that has forgotten the cursor is asked for everything', async () => {
    const externalId = await bench.book(aReservation('first'))
    const { cursor } = await pullAll(bench.side, null)
    for (let count = 0; count < 5; count++) await bench.comment(externalId, `change ${count}`)
    bench.pms.book.forget(4)
    await assert.rejects(bench.side.pull(cursor, calling()), { code: 'page-cursor-unknown' })
    const { changes } = await pullAll(bench.side, null)
    assert.deepEqual(
      changes.map((each) => each.is === 'reservation' && each.value?.comment),
      ['change 4'],
    )
  })

  it('is not asked for the body again where nothing has changed, and tells what has', async () => {
    const { cursor } = await pullAll(bench.side, null)
    await bench.side.pull(cursor, calling())
    assert.equal(bench.server.unchanged, 0)
    const same = await bench.side.pull(cursor, calling())
    assert.equal(bench.server.unchanged, 1)
    assert.deepEqual(same, { changes: [], refused: [], isChecked: true, cursor, more: false })
    await bench.book(aReservation('news'))
    assert.equal((await bench.side.pull(cursor, calling())).changes.length, 1)
  })

  it('that mixes what is hostile into a page is heard nevertheless', async () => {
    await bench.book(aReservation('in order'))
    bench.pms.misbehaviour.hostile.push(
      null,
      { type: 'x' },
      { ...reservationChanged, data: { revision: -1 } },
    )
    const page = await pull()
    assert.deepEqual([page.changes.length, page.refused.length], [1, 3])
  })

  it('that forgets to answer one of several offers fails them all, to be offered again', async () => {
    const offers = [anOffer(aReservation('one')), anOffer(aReservation('two'))]
    bench.pms.book.answers.set(offers[0]!.id, { id: 'another', is: 'refused', reason: 'No.' })
    assert.match((await failure(bench.side.push!(offers, calling()))).message, /no answer to the offer/)
  })

  it('whose answer to one offer cannot be understood refuses that one alone', async () => {
    const offers = [anOffer(aReservation('one')), anOffer(aReservation('two'))]
    const { id } = offers[0]!
    bench.pms.book.answers.set(id, { id, is: 'accepted', externalId: '', revision: 0 })
    const [one, two] = await bench.side.push!(offers, calling())
    assert.ok(one?.is === 'refused' && two?.is === 'accepted')
    assert.match(one.reason, /cannot be used: answer\/externalId must not be empty/)
  })

  it('is offered much in several requests, each of which it can read', async () => {
    const guestComment = 'x'.repeat(2_000)
    const stay = { ...aReservation('').stays[0]!, guestComment, comment: guestComment }
    const long = aReservation('long', { stays: Array.from({ length: 100 }, () => stay) })
    const answers = await bench.side.push!(
      Array.from({ length: 5 }, () => anOffer(long)),
      calling(),
    )
    assert.equal(answers.filter(({ is }) => is === 'accepted').length, 5)
    assert.equal(bench.pms.requests.length, 3)
  })

  it('receives the events of the house, and the same again when its answer was lost', async () => {
    const event = { ...reservationChanged, type: 'unit.status-changed' } as never
    misbehave({ at: 'events', does: 'cut-after' })
    await failure(bench.side.publish!([event], calling()))
    await bench.side.publish!([event], calling())
    assert.deepEqual(
      bench.pms.received.map(({ type }) => type),
      ['unit.status-changed', 'unit.status-changed'],
    )
  })
})
