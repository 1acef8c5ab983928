import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { folder, run, type Served, served } from '../command-line.ts'

const { path, remove } = folder()
let house: Served
before(async () => {
  house = await served(join(path, 'data'))
})
after(async () => {
  await house.stop()
  remove()
})

const misbehave = (...args: string[]) => run('simulate', 'misbehave', ...args, '--url', house.url)

it('lists the simulated devices and their commands', async () => {
  const { code, stdout, stderr } = await misbehave()
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^dispenser \(crt571\) behaves well\. Commands: .*move-encoder/m)
  assert.match(stdout, /^encoder \(twn4\) behaves well\. Commands: .*writeBlock/m)
})

it('tells a device to misbehave, and to behave well again', async () => {
  const told = await misbehave('encoder', 'writeBlock=refuse:0000', '--skip', '3')
  assert.equal(told.code, 0, told.stderr)
  assert.match(told.stdout, /^encoder \(twn4\) will misbehave\n {2}writeBlock=refuse:0000 after 3 others$/m)
  const cleared = await misbehave('--clear')
  assert.equal(cleared.code, 0, cleared.stderr)
  assert.match(cleared.stdout, /^encoder \(twn4\) behaves well$/m)
})

it('refuses what no device can do', async () => {
  assert.deepEqual(
    [(await misbehave('encoder', 'jump=late')).code, (await misbehave('printer', 'status=late')).code],
    [1, 66],
  )
  for (const wrong of [['encoder'], ['encoder', 'status'], ['encoder', 'status=explode']])
    assert.equal((await misbehave(...wrong)).code, 64, wrong.join(' '))
  assert.equal((await misbehave('encoder', 'sak=late', '--skip', '1001')).code, 64)
})
