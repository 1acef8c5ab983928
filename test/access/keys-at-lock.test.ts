import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  asTheyMayReturn,
  keysAtDoor,
  keysOf,
  keysThatMayReturn,
} from '../../src/access/keys/doors/lock-order.ts'
import { expirable, revivable } from '../../src/access/keys/revoke-keys.ts'
import { type Key, type KeyStatus, key } from '../../src/access/resources/key.ts'
import { neverOver } from '../../src/access/resources/key-door.ts'
import type { Transaction } from '../../src/resource/command.ts'
import fc from '../seed.ts'
import { bareKeys, now } from './bare-keys.ts'

const statuses = [
  'virtual',
  'pendingWrite',
  'unknown',
  'live',
  'superseded',
  'blocked',
  'invalidated',
  'expired',
  'revocationPending',
  'removed',
  'failed',
] as const satisfies KeyStatus[]

interface Given {
  status: KeyStatus
  isOther: boolean
  lock: string
  extra: string | null
  /** Of its doors, in their order. */
  closed: boolean[]
  ended: boolean[]
  proof: 'validity-over' | 'card-erased' | null
  /** Hours from now. */
  until: number
  /** How many hours later its lock has it: null for a key of an earlier release, Infinity where that is not known. */
  later: number | null
}

/** Keys of two lock systems whose lock codes are the same. */
const anyKey: fc.Arbitrary<Given> = fc
  .record({
    status: fc.constantFrom(...statuses),
    isOther: fc.boolean(),
    lock: fc.constantFrom('1', '2'),
    extra: fc.constantFrom(null, '1', '2'),
    closed: fc.tuple(fc.boolean(), fc.boolean()),
    ended: fc.tuple(fc.boolean(), fc.boolean()),
    proof: fc.constantFrom(null, null, 'validity-over' as const, 'card-erased' as const),
    until: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -30, max: 2 })),
    later: fc.constantFrom(0, 0, 1, 13, null, Number.POSITIVE_INFINITY),
  })
  .map((each) => ({ ...each, extra: each.extra === each.lock ? null : each.extra }))

const hours = 3_600_000

/** Stores them, the oldest first. Returns their ids. */
function stored(tx: Transaction, { one, other }: { one: string; other: string }, given: Given[]): string[] {
  const ids: string[] = []
  for (const { status, isOther, lock, extra, closed, ended, proof, until, later } of given) {
    const extras = extra ? [extra] : []
    const doorRows = [lock, ...extras].map((code, at) => ({
      name: code,
      lock: code,
      number: 1,
      proof: closed[at] ? ('lock-acknowledged' as const) : null,
      endedById: ended[at] ? (ids[0] ?? null) : null,
    }))
    const { id } = tx.insert(key, {
      unitName: lock,
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      providerId: isOther ? other : one,
      keyType: 'keyCard',
      validFrom: now - 10 * hours,
      validUntil: now + until * hours,
      endsAtLock: later === null ? null : Math.min(now + (until + later) * hours, neverOver),
      status,
      lock,
      extraUnits: extras,
      extraLocks: extras,
      proof,
      doorRows,
    } as never)
    ids.push(id)
  }
  return ids
}

const idsOf = (rows: readonly Key[]) => rows.map(({ id }) => id)
const some = fc.uniqueArray(fc.constantFrom(...statuses), { maxLength: 6 })

describe('the keys at a lock', () => {
  it('are those of each status one after the other, whose main door has the lock, newest first', (test) => {
    const { during, ...house } = bareKeys(test)
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 12 }), some, (given, wanted) => {
        during((tx) => {
          const ids = stored(tx, house, given)
          const newestFirst = given.map((each, at) => ({ ...each, id: ids[at]! })).toReversed()
          const expected = wanted.flatMap((status) =>
            newestFirst.filter((each) => each.status === status && each.lock === '1' && !each.isOther),
          )
          const found = keysOf(tx, { providerId: house.one, lock: '1' }, ...wanted)
          assert.deepEqual(
            idsOf(found),
            expected.map(({ id }) => id),
          )
        })
      }),
      { numRuns: 100 },
    )
  })

  it('are those with the lock at any door that is open and not taken over', (test) => {
    const { during, ...house } = bareKeys(test)
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 12 }), some, (given, wanted) => {
        during((tx) => {
          const ids = stored(tx, house, given)
          const at = { providerId: house.one, lock: '2' }
          const isTaken = (each: Given, place: 0 | 1) => each.ended[place] && each !== given[0]
          const opens = (each: Given, mayReturn: boolean) =>
            [each.lock, each.extra].some(
              (code, place) =>
                code === '2' &&
                !each.closed[place] &&
                (!isTaken(each, place as 0 | 1) || (mayReturn && place === 0)),
            )
          // The first key has taken over all those that were taken over.
          const isUndecided = given[0]?.status === 'pendingWrite' || given[0]?.status === 'unknown'
          const idsAt = (status: KeyStatus, mayReturn: boolean) =>
            ids.filter((_, index) => {
              const each = given[index]!
              if (mayReturn && !(isUndecided && isTaken(each, 0))) return false
              return each.status === status && !each.isOther && opens(each, mayReturn)
            })
          const asked = wanted.filter((status) => status !== 'superseded')
          assert.deepEqual(
            idsOf(keysAtDoor(tx, at, ...asked)),
            asked.flatMap((status) => idsAt(status, false)),
          )
          assert.deepEqual(idsOf(keysThatMayReturn(tx, at)), idsAt('superseded', true))
        })
      }),
      { numRuns: 100 },
    )
  })

  it('are none without a lock, and none of a status that is not asked for', (test) => {
    const { during, ...house } = bareKeys(test)
    const live = fc.sample(anyKey, 1).map((each) => ({ ...each, status: 'live' as const, isOther: false }))
    during((tx) => {
      stored(tx, house, live)
      const { one: providerId } = house
      assert.deepEqual(keysAtDoor(tx, { providerId }, 'live'), [])
      assert.deepEqual(keysThatMayReturn(tx, { providerId, lock: null }), [])
      assert.deepEqual(keysOf(tx, { providerId, lock: '3' }, 'live'), [])
      for (const lock of ['1', '2']) {
        assert.deepEqual(keysOf(tx, { providerId, lock }, 'blocked', 'unknown'), [])
        assert.deepEqual(keysAtDoor(tx, { providerId, lock }, 'blocked', 'unknown'), [])
      }
    })
  })

  it('are more than a thousand where a lock has them', (test) => {
    const { during, ...house } = bareKeys(test)
    const base = { isOther: false, lock: '1', extra: null, proof: null, until: 1, later: 0 }
    const many = Array.from({ length: 1_001 }, (_, at) => ({
      ...base,
      status: at === 0 ? ('live' as const) : ('blocked' as const),
      closed: [false],
      ended: [false],
    }))
    during((tx) => {
      const [oldest] = stored(tx, house, many)
      const at = { providerId: house.one, lock: '1' }
      assert.equal(keysOf(tx, at, 'live', 'blocked').length, 1_001)
      assert.equal(keysOf(tx, at, 'blocked', 'live').at(-1)?.id, oldest)
      assert.equal(keysAtDoor(tx, at, 'live', 'blocked')[0]?.id, oldest)
      assert.equal(keysAtDoor(tx, at, 'blocked', 'live').length, 1_001)
    })
  })
})

it('keys that may return are found without a look at all that a lock has had', (test) => {
  const { db } = bareKeys(test)
  const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT rid FROM key WHERE ${asTheyMayReturn}`).all(null, '1')
  const steps = (plan as { detail: string }[]).map(({ detail }) => detail)
  assert.equal(steps[0], 'SEARCH key USING INTEGER PRIMARY KEY (rowid=?)')
  assert.deepEqual(
    steps.filter((step) => /^SCAN (key|key_door)\b|key_door .*\((lock=\?|owner=\?)\)/.test(step)),
    [],
    steps.join('; '),
  )
})

/** The end of a key at its lock, in hours from now: that of an earlier release ends within a day, which may have 25 hours. */
const atLock = ({ until, later }: Given) => until + (later ?? 25)

/** Statuses of keys that end with their window, and of those that come back when it is not over. */
const ends = ['live', 'superseded', 'blocked', 'revocationPending', 'unknown', 'virtual']
const comesBack = ['expired', 'invalidated', 'removed', 'superseded', 'blocked', 'unknown']

it('keys whose window is over are found by one question, of whatever status, and so are those that ended too early', (test) => {
  const { during, ...house } = bareKeys(test)
  fc.assert(
    fc.property(fc.array(anyKey, { maxLength: 12 }), (given) => {
      during((tx) => {
        const ids = stored(tx, house, given)
        const idsWhere = (holds: (each: Given) => boolean) => ids.filter((_, at) => holds(given[at]!))
        assert.deepEqual(
          idsOf(tx.select(key, expirable(now))),
          idsWhere((each) => ends.includes(each.status) && each.proof === null && atLock(each) < 0),
        )
        assert.deepEqual(
          idsOf(tx.select(key, revivable(now))),
          idsWhere(
            (each) =>
              comesBack.includes(each.status) &&
              each.proof === 'validity-over' &&
              atLock(each) > 0 &&
              each.until > -25,
          ),
        )
      })
    }),
    { numRuns: 100 },
  )
})
