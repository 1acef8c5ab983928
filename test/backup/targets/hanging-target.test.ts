import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BackupTarget } from '../../../src/backup/targets/backup-target.ts'
import { deliveries } from '../../../src/backup/targets/deliveries.ts'
import { backgroundWork } from '../../../src/host/background-work.ts'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import type { Writer } from '../../../src/resource/command.ts'
import { monday } from '../../appliance.ts'
import { elapse } from '../../test-clock.ts'

const hour = 3_600_000

it('a delivery that a person has begun and that never ends makes the deliveries late', async () => {
  const clock = virtualClock(monday)
  const background = backgroundWork({ clock, failed: (error) => assert.fail(String(error)) })
  const file = { id: 'b', name: 'b.tar.gz.age', reason: 'asked', takenAt: monday, bytes: 1 } as const
  const begun = Promise.withResolvers<void>()
  const own = deliveries({
    reader: { rows: () => [] },
    writer: { execute: () => assert.fail('nothing was delivered') } as unknown as Writer,
    clock,
    background,
    folder: '/backups',
    list: async () => [file],
    unseal: (sealed) => sealed,
    zone: () => 'UTC',
    mayRemove: () => true,
    carryOut: (_, { signal }) => {
      begun.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    failed: (error) => assert.fail(String(error)),
  })
  const target = { id: 't', name: 'NAS', kind: 'folder', url: 'file:///nas' } as BackupTarget
  const sent = own.send(target, { actor: { by: 'desk', requestId: null } })
  sent.catch(() => {})
  await begun.promise
  const isLate = () => background.states().map(({ name, isLate }) => [name, isLate])
  for (let quarters = 0; quarters < 4 * 13; quarters++) {
    elapse(clock, hour / 4)
    await new Promise(setImmediate)
  }
  assert.deepEqual(isLate(), [['backup-targets', true]])
  await own.close()
  await assert.rejects(sent, /stopping/)
  assert.deepEqual(isLate(), [])
})
