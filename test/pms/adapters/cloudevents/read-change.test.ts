import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  housekeepingChanged,
  leaseChanged,
  reservationChanged,
  reservationDeleted,
} from '../../../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import { readChange, readChanges } from '../../../../src/pms/adapters/cloudevents/messages/read-change.ts'
import { readMessage } from '../../../../src/pms/adapters/cloudevents/messages/read-message.ts'
import fc from '../../../seed.ts'

type Values = Record<string, unknown>

/** The example with something else in its data. */
function changed(change: (data: Values, message: Values) => void): Values {
  const message = structuredClone(reservationChanged) as unknown as Values
  change(message.data as Values, message)
  return message
}

const firstStay = (data: Values) => ((data.reservation as Values).stays as Values[])[0]!

/** The reason for which one message is quarantined, while those around it are read. */
async function reasonFor(message: unknown): Promise<string> {
  const { changes, refused } = await readChanges([reservationDeleted, message, leaseChanged])
  assert.deepEqual(
    changes.map(({ is }) => is),
    ['reservation', 'lease'],
  )
  assert.equal(refused.length, 1)
  const [{ reason, payload }] = refused as [(typeof refused)[0]]
  assert.ok(reason.length > 0 && reason.length <= 500)
  assert.ok(Buffer.byteLength(payload) <= 65_536, `${Buffer.byteLength(payload)} bytes`)
  assert.ok(payload.isWellFormed())
  return reason
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('a change', () => {
  it('is read out of each message that tells of one', async () => {
    const all = [reservationChanged, reservationDeleted, leaseChanged, housekeepingChanged]
    const { changes, refused } = await readChanges(all)
    assert.deepEqual(refused, [])
    const [reservation, deleted, lease, housekeeping] = changes
    assert.deepEqual(reservation, {
      is: 'reservation',
      externalId: 'R-4711',
      revision: 7,
      changedAt: Date.UTC(2026, 6, 1, 14, 3, 8),
      value: reservationChanged.data.reservation,
    })
    assert.ok(deleted?.is === 'reservation' && deleted.value === null)
    assert.ok(lease?.is === 'lease' && lease.validUntil === Date.UTC(2026, 6, 8, 10))
    assert.deepEqual(housekeeping, { is: 'housekeeping', unitName: '201', revision: 4, status: 'Clean' })
  })

  it('takes its name from the message where the reservation says none', async () => {
    const message = changed((data) => {
      ;(data.reservation as Values).externalId = null
    })
    const [read] = (await readChanges([message])).changes
    assert.ok(read?.is === 'reservation' && read.value?.externalId === 'R-4711')
  })
})

describe('a message that cannot be understood is quarantined with a sentence, and stops no other:', () => {
  const cases: [what: string, message: unknown, reason: RegExp][] = [
    [
      'of an unknown type',
      changed((_, message) => (message.type = 'pms.bill.changed')),
      /pms\.bill\.changed/,
    ],
    [
      'of the type of a prototype',
      changed((_, message) => (message.type = 'a.constructor')),
      /a\.constructor/,
    ],
    ['that is no object', 'changes', /The message must be object/],
    ['that is null', null, /The message must be object/],
    ['that is a list', [], /The message must be object/],
    ['of another specification', changed((_, message) => (message.specversion = '0.3')), /specversion/],
    ['without an id', changed((_, message) => delete message.id), /^id is required/],
    ['without data', changed((_, message) => delete message.data), /^data is required/],
    ['without a revision', changed((data) => delete data.revision), /data\/revision is required/],
    ['with half a revision', changed((data) => (data.revision = 1.5)), /data\/revision must be integer/],
    ['with too high a revision', changed((data) => (data.revision = 1e300)), /data\/revision/],
    [
      'with no stay',
      changed((data) => ((data.reservation as Values).stays = [])),
      /stays must have at least 1/,
    ],
    [
      'with a field that is none',
      changed((data) => (firstStay(data).room = '201')),
      /data\/reservation\/stays\/0\/room is not a field/,
    ],
    [
      'with a day that no month has',
      changed((data) => (firstStay(data).startDate = '2026-02-30')),
      /data\/reservation\/stays\/0\/startDate must be a date/,
    ],
    [
      'about two reservations',
      changed((data) => ((data.reservation as Values).externalId = 'R-1')),
      /data\/reservation\/externalId must be that of data\/externalId/,
    ],
    [
      'at a moment that no clock shows',
      changed((data) => (data.changedAt = '2026-06-30T23:59:60Z')),
      /data\/changedAt is not a valid time/,
    ],
    ['with NUL in a text', changed((data) => (data.externalId = 'R\u0000')), /data\/externalId must be text/],
    [
      'with half of a surrogate pair',
      changed((data) => ((data.reservation as Values).comment = 'smile \ud83d')),
      /data\/reservation\/comment must be text without/,
    ],
    [
      'with a prototype of its own',
      JSON.parse(
        JSON.stringify(reservationChanged).replace('"revision":7', '"revision":7,"__proto__":{"a":1}'),
      ),
      /data\/__proto__ is not a field/,
    ],
    ['that nests too deeply', changed((data) => (data.reservation = nested(40))), /nests deeper than 32/],
    [
      'that nests beyond every stack',
      changed((data) => (data.reservation = nested(200_000))),
      /nests deeper/,
    ],
    [
      'that is too large',
      changed((data) => ((data.reservation as Values).comment = 'é'.repeat(200_000))),
      /has \d+ bytes; at most 262144/,
    ],
    [
      'with thousands of faults',
      changed((data) => ((data.reservation as Values).stays = Array.from({ length: 60_000 }, () => ({})))),
      /more than 20000 values/,
    ],
    [
      'with hundreds of faults',
      changed((data) => ((data.reservation as Values).stays = Array.from({ length: 500 }, () => ({})))),
      /stays must have at most 100 items/,
    ],
    [
      'of a lease that ends before it starts',
      { ...leaseChanged, data: { ...leaseChanged.data, endDate: '2026-06-01' } },
      /data\/endDate is before/,
    ],
    [
      'of a unit in no known status',
      { ...housekeepingChanged, data: { unitName: '201', revision: 5, status: 'Sparkling' } },
      /data\/status must be one of Dirty/,
    ],
  ]
  for (const [what, message, reason] of cases) {
    it(`one ${what}`, async () => {
      assert.match(await reasonFor(message), reason)
    })
  }

  it('whatever JSON it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (value, data) => {
        await reasonFor(value)
        await reasonFor({ ...reservationChanged, data })
      }),
      { numRuns: 200 },
    )
  })

  it('whatever bytes it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const read = await readMessage(bytes)
        assert.equal(read.is, 'refused')
      }),
      { numRuns: 200 },
    )
  })

  it('of several hundred kilobytes as bytes, and shows the beginning of it', async () => {
    const bytes = Buffer.from(`"${'é'.repeat(200_000)}"`)
    const read = await readMessage(bytes)
    assert.ok(read.is === 'refused')
    assert.equal(read.refused.size, bytes.length)
    assert.ok(Buffer.byteLength(read.refused.payload) <= 65_536 && read.refused.payload.isWellFormed())
    assert.match(read.refused.payload, /^"éé.*é$/)
  })

  it('and names the reservation it would have been about, where it says one', async () => {
    const message = changed((data) => delete data.revision)
    const { refused } = await readChanges([message])
    assert.equal(refused[0]?.externalId, 'R-4711')
    const read = await readChange(message as never)
    assert.ok(read.is === 'refused' && read.refused.externalId === 'R-4711')
  })
})
