import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { folder, run, runWith, type Served, served } from './command-line.ts'

const { path, remove } = folder()
let house: Served
let admin = ''
before(async () => {
  house = await served(join(path, 'data'), '--empty')
  const [, code = ''] = / token pair (\d{8}) --url /.exec(house.lines.join('\n')) ?? []
  admin = (await run('token', 'pair', code, '--url', house.url)).stdout.trim()
})
after(async () => {
  await house.stop()
  remove()
})

const account = (...args: string[]) =>
  runWith({ NIGHTPORTER_TOKEN: admin }, 'account', ...args, '--url', house.url)

it('adds, lists, resets and disables accounts', async () => {
  const made = await account('add', 'Ana', '--role', 'frontdesk', '--scope', 'audit.read', '--language', 'pt')
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /^[2-9A-Z]{5}-[2-9A-Z]{5}\n$/)
  const line = (await account('list')).stdout.trim()
  assert.match(line, /\tfrontdesk,audit\.read\twaits for its code\tpt\tAna$/)
  const reset = await account('reset', 'ana')
  assert.equal(reset.code, 0, reset.stderr)
  assert.notEqual(reset.stdout, made.stdout)
  assert.equal((await account('disable', 'Ana')).code, 0)
  assert.match((await account('list')).stdout, /\tdisabled\t/)
  assert.equal((await account('disable', line.split('\t')[0]!, '--undo')).code, 0)
  assert.equal((await account('add', 'ANA', '--role', 'frontdesk')).code, 1)
  assert.equal((await account('reset', 'nobody')).code, 66)
})
