import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { SyncSide } from '../../../src/pms/sync-contract.ts'
import { silence } from '../../pms/adapters/scripted-adapter.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from '../../pms/sync/linked-house.ts'
import { type PlayedPms, playedPms, reported } from '../../pms/sync/played-pms.ts'
import { passTime } from '../../test-clock.ts'

let house: LinkedHouse
afterEach(() => house.stop())

/** How a PMS is broken: what its side does instead, by the right one. */
type Broken = (right: SyncSide, pms: PlayedPms) => Partial<SyncSide>
type Pull = SyncSide['pull']
type Push = NonNullable<SyncSide['push']>

const fault = (detail: string, more: object = {}) => new DeviceFault('vendor-error', detail, more)
const fails =
  (error: () => Error): Broken =>
  () => ({
    pull: () => Promise.reject(error()),
    push: () => Promise.reject(error()),
  })
const page =
  (change: (page: Awaited<ReturnType<Pull>>) => unknown): Broken =>
  ({ pull }) => ({
    pull: async (cursor, call) => change(await pull(cursor, call)) as never,
  })
const answers =
  (change: (answers: Awaited<ReturnType<Push>>) => unknown): Broken =>
  ({ push }) => ({
    push: async (offers, call) => change(await push!(offers, call)) as never,
  })
const never = () => silence() as never

const kinds: Record<string, Broken> = {
  'cannot be reached': fails(() => new DeviceFault('adapter-timeout', 'Nobody answers.')),
  'fails in everything': fails(() => fault('Something broke.')),
  'crashes its adapter': fails(() => new TypeError('undefined is not a function')),
  'asks for a pause': fails(() => new DeviceFault('adapter-timeout', 'Busy.', { retryAfterSeconds: 20 })),
  'never answers': () => ({ pull: never, push: never }),
  'never answers offers': () => ({ push: never }),
  'gives no page': page(() => null),
  'gives a page without a cursor': page(({ changes, refused }) => ({ changes, refused, more: false })),
  'gives too large a page': page((each) => ({ ...each, changes: Array(2_000).fill({}) })),
  'gives a cursor of a megabyte': page((each) => ({ ...each, cursor: 'x'.repeat(1_000_000) })),
  'has more, with a cursor that stands still': ({ pull }) => ({
    pull: async (cursor, call) => ({ ...(await pull(cursor, call)), cursor: cursor ?? '0', more: true }),
  }),
  'sends changes that are none': page((each) => ({ ...each, changes: [...each.changes, null, 7, 'x', {}] })),
  'sends a revision that is no number': page(({ changes, ...each }) => ({
    ...each,
    changes: [...changes, { is: 'reservation', externalId: 'X', revision: 'new', value: reported('X') }],
  })),
  'sends unit types that nobody knows': page(({ changes, ...each }) => {
    const value = reported('X', { units: [{ unitTypeCode: 'NONE', unitName: null }] })
    return { ...each, changes: [...changes, { is: 'reservation', externalId: 'X', revision: 1, value }] }
  }),
  'gives no answer to an offer': answers(() => []),
  'gives answers that are none': answers((all) => all.map(() => ({ is: 'perhaps' }))),
  'gives an answer without a revision': answers((all) =>
    all.map(() => ({ is: 'accepted', externalId: 'A' })),
  ),
  'gives null for all answers': answers(() => null),
  'refuses everything without a reason': answers((all) => all.map(() => ({ is: 'refused', reason: '' }))),
  'fails over offers': () => ({ push: () => Promise.reject(fault('No offers today.')) }),
}

/** All sentences that a person finds about the PMS. */
async function sentences(): Promise<string[]> {
  const { fault: said, trouble } = (await house.state()) as { fault?: { detail?: string }; trouble?: string }
  const { body } = await house.ask('GET', '/api/config/v1/sync-conflicts')
  const conflicts = body.data.map((each: { attributes: { sentence: string } }) => each.attributes.sentence)
  const quarantined = (await house.quarantined()).map(({ attributes }) => String(attributes.reason))
  return [JSON.stringify(said ?? ''), trouble ?? '', ...conflicts, ...quarantined].filter(
    (each) => each.length > 4,
  )
}

/** The same, and counts the calls. */
function counted(side: SyncSide, calls: { count: number }): Partial<SyncSide> {
  const { pull, push } = side
  return {
    pull(...input) {
      calls.count++
      return pull(...input)
    },
    push(...input) {
      calls.count++
      return push!(...input)
    },
  }
}

/** A desk that is away for ten minutes, in which the heartbeat alone asks thirty times. */
const [awayMs, mostCalls] = [600_000, 150]
/** The most rows of each table, and lines of the journal, that one change on each side may leave. */
const mostRows = { sync_offer: 2, sync_intent: 2, sync_conflict: 2, quarantined_message: 6 }
const mostLines = 200

/** What is stored of the PMS, and how often it was asked, stays small however long it is broken. */
async function expectBounded(calls: { count: number }): Promise<void> {
  const lines = () => house.count('SELECT count(*) FROM journal')
  const [before, from] = [lines(), calls.count]
  await passTime(awayMs)
  assert.ok(calls.count - from <= mostCalls, `${calls.count - from} calls in ten minutes`)
  for (const [table, most] of Object.entries(mostRows)) {
    const rows = house.count(`SELECT count(*) FROM ${table}`)
    assert.ok(rows <= most, `${rows} rows in ${table}`)
  }
  assert.ok(lines() - before <= mostLines, `${lines() - before} lines of the journal`)
}

describe('A PMS that is broken', () => {
  for (const [what, broken] of Object.entries(kinds)) {
    it(`and ${what} is named within a minute, costs little while it lasts, and is synchronised again when it is mended`, async () => {
      const pms = playedPms()
      const right = { ...pms.sync }
      house = await openLinkedHouse({ pms, attributes: { heartbeatSeconds: 20 } })
      pms.report('A', reported('A'))
      await house.synchronise('pull')
      const { id = '' } = (await house.reservation('A')) ?? {}
      const reservation = `/api/v2/reservations/${id}`
      const stay = `${reservation}/stays/${(await house.attributes(reservation)).stays[0].id}`
      const begun = house.clock.now()
      const calls = { count: 0 }
      Object.assign(pms.sync, counted({ ...right, ...broken(right, pms) }, calls))
      pms.report('B', reported('B'))
      const reply = await house.ask('PATCH', stay, { body: { comment: 'Here.' } })
      assert.equal(reply.status, 204, 'the desk goes on')
      pms.news().poke()
      await eventually('a sentence', async () => (await sentences()).length > 0)
      assert.ok(house.clock.now() - begun <= 60_000, `after ${house.clock.now() - begun} ms`)
      await expectBounded(calls)
      Object.assign(pms.sync, right)
      await eventually('what is there', async () => (await house.reservation('B')) !== undefined)
      if (what.startsWith('refuses')) await house.synchronise('push')
      await eventually('what is here', () => pms.value('A')?.stays[0]?.comment === 'Here.')
    })
  }
})
