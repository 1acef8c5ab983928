import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { backgroundWork, lateAfterMs } from '../../src/host/background-work.ts'
import { Ring } from '../../src/recorder/ring.ts'
import { testClock } from '../test-clock.ts'

it('a recorder whose disk has failed once tries again without new lines, and is late only until the disk works', async (t) => {
  const clock = testClock({ always: false })
  const background = backgroundWork({ clock, failed: assert.fail })
  const data = mkdtempSync(join(tmpdir(), 'np-ring-'))
  t.after(() => rmSync(data, { recursive: true }))
  const folder = join(data, 'flight')
  writeFileSync(folder, 'in the way')
  const said: unknown[] = []
  let number = 0
  const disk = new Ring({
    clock,
    background,
    folder,
    bytes: 65_536,
    heads: () => ['head\n'],
    next: () => ++number,
    stopped: (error) => said.push((error as NodeJS.ErrnoException).code),
    resumed: (lost) => said.push(lost),
  })
  const isLate = () => background.states()[0]?.isLate
  disk.append('one\n')
  await clock.during(clock.sleep(lateAfterMs.recorder + 60_000))
  assert.deepEqual([said, isLate()], [['EEXIST'], true])
  rmSync(folder)
  await clock.during(clock.sleep(120_000))
  assert.deepEqual([said, isLate()], [['EEXIST', 1], false])
  await disk.close()
  assert.deepEqual([clock.next(), background.states()], [null, []])
})
