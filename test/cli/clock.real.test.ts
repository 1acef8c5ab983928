import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { folder, run, type Served, served } from './command-line.ts'

const { path, remove } = folder()
let house: Served
before(async () => {
  house = await served(join(path, 'data'))
})
after(async () => {
  await house.stop()
  remove()
})

const clock = (...args: string[]) => run('clock', ...args, '--url', house.url)

it('shows the time of the house, and whether it can be believed', async () => {
  const { code, stdout, stderr } = await clock('show')
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d Europe\/Lisbon \(plausible\)$/m)
})

it('states another, and refuses what cannot be', async () => {
  const stated = await clock('state', '2027-04-01', '09:30')
  assert.equal(stated.code, 0, stated.stderr)
  assert.match(stated.stdout, /^2027-04-01 09:30 Europe\/Lisbon \(stated by a person; the machine shows /)
  assert.match((await clock('show')).stdout, /^2027-04-01 09:3\d /)
  const early = await clock('state', '2001-01-01', '09:30')
  assert.equal(early.code, 1)
  assert.match(early.stderr, /The stated time is earlier than the build of this program/)
  assert.equal((await clock('state', '2027-04-01', 'noon')).code, 1)
  assert.equal((await clock('state', '2027-04-01')).code, 64)
})
