import assert from 'node:assert/strict'
import { it } from 'node:test'
import { applyChanges, type ChangesInput } from '../../../src/pms/sync/inbound/apply.ts'
import type { StayPorts } from '../../../src/reservation/stays/stay-policy.ts'
import { command } from '../../../src/resource/command.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { openBareProperty } from './bare-property.ts'
import { noon } from './house.ts'
import { named } from './reservation-samples.ts'

/** The keys refuse a stay with a comment of the guest when its row is written already. */
const ports: StayPorts = {
  keysFollow(tx, _before, { id, guestComment }) {
    tx.journal('test.keys-followed', `stays/${id}`)
    if (guestComment) throw new Problem('validation-failed', 'No.', { pointer: '/guestComment' })
  },
  letKeysWait() {},
  keyedUnits: () => [],
  everHadKey: () => false,
  isBeingPaid: () => false,
  hasShownCard: () => false,
  allotmentsFor: () => [] as never,
}

it('a report that is refused after its stay was written leaves nothing of that behind, and is stored without what was refused', (test) => {
  const house = openBareProperty(noon)
  test.after(house.close)
  const apply = command('test/apply', (tx, input: ChangesInput) => applyChanges(tx, input, ports))
  const report = (revision: number, guestComment: string | null, comment: string) =>
    house.run(apply, {
      configurationId: house.configurationId,
      direction: 'Both',
      policy: {},
      changes: [
        {
          is: 'reservation',
          externalId: 'R1',
          revision,
          changedAt: null,
          value: named('R1', { units: [{ unitTypeCode: 'DBL' }], guestComment, comment }),
        },
      ],
    } as never)
  const stays = () =>
    house.db.prepare('SELECT comment, guestComment, revision FROM stay ORDER BY rid').all() as object[]
  const followed = () =>
    house.db.prepare("SELECT count(*) FROM journal WHERE type = 'test.keys-followed'").pluck().get()
  report(1, 'A quiet room.', 'New.')
  assert.deepEqual(stays(), [{ comment: 'New.', guestComment: null, revision: 1 }])
  assert.equal(followed(), 1)
  report(2, null, 'Changed.')
  report(3, 'A high floor.', 'Changed again.')
  assert.deepEqual(stays(), [{ comment: 'Changed again.', guestComment: null, revision: 3 }])
  assert.equal(followed(), 3)
})
