import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import { diskWatch } from '../../../src/store/disk/disk-watch.ts'
import { heartbeat } from '../../../src/store/disk/heartbeat.ts'
import { elapse } from '../../test-clock.ts'

const never = new Promise<never>(() => {})
const unknown = {
  code: 'storage-failing',
  options: { meta: { retryAfterSeconds: 30, outcomeUnknown: true } },
}

describe('a call that waits', () => {
  it('on a slow disk is answered after more than three beats, and a later one goes on', async () => {
    const disk = diskWatch()
    const first = disk.within(never)
    disk.beat(false)
    const work = Promise.withResolvers<string>()
    const second = disk.within(work.promise)
    for (let beat = 2; beat <= 4; beat++) disk.beat(true)
    await assert.rejects(first, unknown)
    work.resolve('done')
    assert.equal(await second, 'done')
    // Other calls are taken as before: a slow disk answers them.
    assert.equal(disk.trouble(), null)
    assert.equal(disk.isHanging(), false)
  })

  it('for a device, while no command waits, goes on for ten minutes', async () => {
    const disk = diskWatch()
    const work = Promise.withResolvers<string>()
    const [taken, stuck] = [disk.within(work.promise), disk.within(never)]
    for (let beat = 1; beat <= 120; beat++) disk.beat(false)
    work.resolve('taken')
    assert.equal(await taken, 'taken')
    disk.beat(false)
    await assert.rejects(stuck, unknown)
    assert.equal(disk.isSlow(), false)
  })

  it('makes the disk slow for ten minutes', () => {
    const disk = diskWatch()
    disk.beat(true)
    for (let beat = 1; beat < 120; beat++) disk.beat(false)
    assert.equal(disk.isSlow(), true)
    disk.beat(false)
    assert.equal(disk.isSlow(), false)
  })

  it('is answered when the appliance stops: what it has begun may be written', async () => {
    const disk = diskWatch()
    const asked = [disk.within(never), disk.within(never)]
    disk.abandon()
    for (const each of asked)
      await assert.rejects(each, {
        code: 'starting-up',
        message: /not known yet/,
        options: { meta: { retryAfterSeconds: 5, outcomeUnknown: true } },
      })
  })
})

it('a beat is counted each period, whether the writer answers or not', () => {
  const clock = virtualClock(0)
  let passed = 0
  let hung = 0
  const heart = heartbeat(
    { clock, everyMs: 5_000 },
    {
      post: () => {},
      isInTrouble: () => false,
      hangs: () => hung++,
      answers: () => {},
      passed: () => passed++,
    },
  )
  elapse(clock, 30_000)
  assert.deepEqual([passed, hung], [6, 1])
  heart.stop()
  assert.equal(clock.next(), null)
})
