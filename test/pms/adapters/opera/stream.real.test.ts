import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { hintsOf } from '../../../../src/pms/adapters/opera/hints.ts'
import { operaStream } from '../../../../src/pms/adapters/opera/stream.ts'
import type { ChangePage } from '../../../../src/pms/sync-contract.ts'
import { simulatedOpera } from '../../../../src/simulators/opera/simulated-opera.ts'
import { monday } from '../../../appliance.ts'
import { eventually, until } from '../../../eventually.ts'
import { elapse, testClock } from '../../../test-clock.ts'
import { pullAll } from '../adapter-contract.ts'
import { type OperaBench, operaBench, reservationsIn } from './bench.ts'

async function listening(t: TestContext) {
  const there = await simulatedOpera({ startMs: monday })
  there.tokens.push({ token: 'token-1', until: Number.POSITIVE_INFINITY })
  const clock = testClock({ wallMs: monday })
  const hints = hintsOf()
  const seen = { pokes: 0, tokens: 0 }
  const stop = operaStream({
    client: {
      async accessToken() {
        seen.tokens++
        return 'token-1'
      },
    },
    settings: there,
    chainCode: 'CHN',
    clock,
    hints,
    poke: () => seen.pokes++,
  })
  t.after(async () => {
    stop()
    await there.close()
  })
  return { there, clock, hints, seen, stop }
}

/** Pulls again and again until a page is what is wanted; its cursor. */
async function pulledUntil(
  bench: OperaBench,
  from: string | null,
  isWanted: (page: ChangePage) => boolean,
): Promise<string> {
  let cursor = from
  const look = async () => {
    const page = await pullAll(bench.side, cursor)
    cursor = page.cursor
    return page
  }
  return (await eventually('the page', look, isWanted)).cursor
}

it('The stream names the reservations that have changed, and everything is polled for after each connection', async (t) => {
  const { there, hints, seen } = await listening(t)
  await until(() => there.stream.hasConsumer())
  assert.equal(seen.pokes, 1)
  const id = there.book()
  await until(() => seen.pokes === 2)
  assert.deepEqual(hints.some(), [id])
})

it('The stream is opened again ten seconds after it ended, and what happened meanwhile comes then', async (t) => {
  const { there, clock, hints, seen } = await listening(t)
  await until(() => there.stream.hasConsumer())
  there.stream.cut()
  await until(() => !there.stream.hasConsumer())
  const id = there.book()
  await until(() => {
    elapse(clock, 1_000)
    return there.stream.hasConsumer()
  })
  await until(() => seen.pokes >= 3)
  assert.deepEqual([hints.some(), seen.tokens], [[id], 2])
  await until(() => {
    elapse(clock, 1_000)
    return there.stream.pings() > 0
  })
})

it('The stream is replayed from the last event, also when OHIP has forgotten the place of its consumer', async (t) => {
  const { there, clock, hints } = await listening(t)
  await until(() => there.stream.hasConsumer())
  const first = there.book()
  await until(() => hints.some().length === 1)
  hints.remove([first])
  there.stream.cut()
  await until(() => !there.stream.hasConsumer())
  const missed = there.book()
  there.stream.forgetPlace()
  await until(() => {
    elapse(clock, 1_000)
    return there.stream.hasConsumer()
  })
  await until(() => hints.some().includes(missed))
  assert.deepEqual(hints.some(), [first, missed], 'from the last event that was received on')
})

it('The offset of the stream is stored with the cursor, and a new connection begins there', async (t) => {
  const bench = await operaBench({ chainCode: 'CHN' })
  t.after(() => bench.close())
  let { cursor } = await pullAll(bench.side, null)
  await until(() => bench.there.stream.hasConsumer())
  const id = bench.there.book()
  bench.there.stream.send(id, 'UPDATE RESERVATION')
  cursor = await pulledUntil(bench, cursor, (page) => JSON.parse(page.cursor).stream !== null)
  assert.match(JSON.parse(cursor).stream, /^\d+$/)
  bench.reopen()
  await until(() => !bench.there.stream.hasConsumer())
  const missed = bench.there.book({ arrival: '2026-09-01', departure: '2026-09-04' })
  bench.there.stream.forgetPlace()
  await pullAll(bench.side, cursor)
  await until(() => bench.there.stream.hasConsumer())
  const isThere = (page: ChangePage) => reservationsIn(page).some(({ externalId }) => externalId === missed)
  await pulledUntil(bench, cursor, isThere)
})

it('The stream has one consumer, and ends with the adapter', async (t) => {
  const { there, clock, stop } = await listening(t)
  await until(() => there.stream.hasConsumer())
  const client = { accessToken: async () => 'token-1' }
  const second = operaStream({
    client,
    settings: there,
    chainCode: 'CHN',
    clock,
    hints: hintsOf(),
    poke() {},
  })
  t.after(second)
  await until(() => there.stream.refusals.includes(4409))
  assert.ok(there.stream.hasConsumer())
  second()
  stop()
  await until(() => !there.stream.hasConsumer())
})

it('A stay far ahead that the stream names is reported with the next round, however late', async (t) => {
  const bench = await operaBench({ chainCode: 'CHN' })
  t.after(() => bench.close())
  let pokes = 0
  bench.side.follow!({ changes() {}, line() {}, poke: () => pokes++ })
  await pullAll(bench.side, null)
  await until(() => bench.there.stream.hasConsumer())
  const far = bench.there.book({ arrival: '2026-09-01', departure: '2026-09-04' })
  const today = bench.there.book()
  let { cursor } = await pullAll(bench.side, null)
  bench.there.stream.hold(true)
  bench.there.change(far, { departure: '2026-09-05' })
  for (let change = 0; change < 70; change++) bench.there.change(today, { adults: 1 })
  for (let round = 0; round < 2; round++) cursor = (await pullAll(bench.side, cursor)).cursor
  const before = pokes
  bench.there.stream.hold(false)
  await until(() => pokes > before)
  const found = reservationsIn(await pullAll(bench.side, cursor))
  const [change] = found.filter(({ externalId }) => externalId === far)
  assert.equal(change?.value?.stays[0]?.endDate, '2026-09-05')
})
