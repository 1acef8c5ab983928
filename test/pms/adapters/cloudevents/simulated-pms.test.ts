import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { virtualClock } from '../../../../src/host/virtual-clock.ts'
import { readChanges } from '../../../../src/pms/adapters/cloudevents/messages/read-change.ts'
import { clerk } from '../../../../src/simulators/cloudevents/clerk.ts'
import { simulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../../src/simulators/cloudevents/units.ts'
import { monday } from '../../../appliance.ts'
import { aReservation } from '../adapter-contract.ts'

const units = unitsIn(sampleUnits)!
const clock = virtualClock(monday)

/** A PMS in which a clerk was at work. */
function worked(seed: number, deeds = 300) {
  const pms = simulatedPms({ clock, units })
  const somebody = clerk({ book: pms.book, units, now: clock.now, seed })
  const did = Array.from({ length: deeds }, () => somebody.act())
  return { pms, did, log: pms.book.changesAfter(null, 1_000)! }
}

describe('the clerk of a simulated PMS', () => {
  it('does the same with the same seed, and something else with another', () => {
    assert.deepEqual(worked(7).log, worked(7).log)
    assert.notDeepEqual(worked(7).log, worked(8).log)
  })

  it('does everything in his time, and leaves nothing that cannot be understood', async () => {
    const { did, log } = worked(1)
    assert.equal(new Set(did.map((each) => each.did)).size, 9)
    const { refused } = await readChanges(log.changes)
    assert.deepEqual(refused, [])
  })
})

describe('the changes of a simulated PMS', () => {
  it('are the same in pages as at once', () => {
    const { book } = worked(3).pms
    const paged: unknown[] = []
    let cursor: string | null = null
    for (let more = true; more; ) {
      const page: NonNullable<ReturnType<typeof book.changesAfter>> = book.changesAfter(cursor, 7)!
      paged.push(...page.changes)
      ;({ cursor, more } = page)
    }
    assert.deepEqual(paged, book.changesAfter(null, 1_000)!.changes)
    assert.deepEqual(book.changesAfter(cursor, 7)!.changes, [])
  })

  it('report everything that is still so when the older ones were forgotten', () => {
    const { book } = worked(4).pms
    const before = book.changesAfter(null, 1_000)!
    book.forget(200)
    assert.deepEqual(book.changesAfter(null, 1_000), before)
    assert.equal(book.changesAfter('sim.00000000000000000100', 10), null)
    assert.equal(book.changesAfter('other.00000000000000000250', 10), null)
    assert.ok(book.changesAfter('sim.00000000000000000250', 10))
  })

  it('tell of what was deleted, and no more of what is over', () => {
    const { book } = simulatedPms({ clock, units })
    const gone = book.make(aReservation('gone')).externalId
    const over = aReservation('over')
    Object.assign(over.stays[0]!, { startDate: '2026-05-01', endDate: '2026-05-02' })
    book.make(over)
    book.remove(gone)
    const types = book.changesAfter(null, 10)!.changes.map(({ type }) => type)
    assert.deepEqual(types, ['pms.reservation.deleted'])
  })

  it('come by themselves lost, doubled, late or torn as a test asks', () => {
    const pms = simulatedPms({ clock, units })
    const heard: string[] = []
    pms.onNotification((text) => heard.push(/"comment":"(\w+)"/.exec(text)?.[1] ?? 'torn'))
    pms.misbehaviour.notifications.push('lose', 'twice', 'after-the-next')
    for (const comment of ['one', 'two', 'three', 'four']) pms.book.make(aReservation(comment))
    pms.misbehaviour.notifications.push('garbage')
    pms.book.make(aReservation('five'))
    assert.deepEqual(heard, ['two', 'two', 'four', 'three', 'torn'])
  })
})
