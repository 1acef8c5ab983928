import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { folder, run, runWith, type Served, served } from './command-line.ts'

const { path, remove } = folder()
let house: Served
before(async () => {
  house = await served(join(path, 'data'), '--empty')
})
after(async () => {
  await house.stop()
  remove()
})

const token = (secret: string, ...args: string[]) =>
  runWith({ NIGHTPORTER_TOKEN: secret }, 'token', ...args, '--url', house.url)

let admin = ''

it('gives an administrator for the code of the first start, once', async () => {
  const [, code = ''] = / token pair (\d{8}) --url /.exec(house.lines.join('\n')) ?? []
  const paired = await run('token', 'pair', `${code.slice(0, 4)} ${code.slice(4)}`, '--url', house.url)
  assert.equal(paired.code, 0, paired.stderr)
  admin = paired.stdout.trim()
  assert.match(admin, /^lk_live_/)
  const again = await run('token', 'pair', code, '--url', house.url)
  assert.equal(again.code, 77)
})

it('makes, lists and revokes tokens', async () => {
  const made = await token(
    admin,
    'create',
    'Lobby kiosk',
    '--role',
    'kiosk',
    '--scope',
    'keys.read',
    '--scope',
    'units.read',
  )
  assert.equal(made.code, 0, made.stderr)
  const kiosk = made.stdout.trim()
  assert.match(made.stderr, /not shown again/)
  const line =
    (await token(admin, 'list')).stdout.split('\n').find((each) => each.endsWith('\tLobby kiosk')) ?? ''
  const [id = '', rights, end, used] = line.split('\t')
  assert.deepEqual([rights, end, used], ['kiosk,keys.read,units.read', 'never expires', 'never used'])
  assert.equal((await token(kiosk, 'list')).code, 77)
  assert.equal((await token(admin, 'revoke', id)).code, 0)
  assert.equal((await token(admin, 'revoke', id)).code, 66)
  const refused = await runWith({ NIGHTPORTER_TOKEN: kiosk }, 'check-in', 'NP-1', '--url', house.url)
  assert.equal(refused.code, 77)
})

it('puts a new token in the place of another, which opens yet', async () => {
  const made = await token(admin, 'create', 'Back office', '--role', 'admin')
  const [, id = ''] = /Token (\S+) /.exec(made.stderr) ?? []
  const rotated = await token(admin, 'rotate', id)
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(rotated.stderr, /the old token stays valid until \d{4}-/)
  const both = [made.stdout.trim(), rotated.stdout.trim()]
  assert.equal(new Set(both).size, 2)
  for (const secret of both) assert.equal((await token(secret, 'list')).code, 0)
  assert.equal((await token(admin, 'rotate', 'nobody')).code, 66)
})

it('lets one more start show a code when the tokens of administrators are lost', async () => {
  const data = join(path, 'data')
  assert.equal((await run('token', 'reopen', '--data', join(path, 'nobody'))).code, 66)
  const asked = await run('token', 'reopen', '--data', data)
  assert.equal(asked.code, 0, asked.stderr)
  await house.stop()
  house = await served(data)
  const [, code = ''] = / token pair (\d{8}) --url /.exec(house.lines.join('\n')) ?? []
  const paired = await run('token', 'pair', code, '--url', house.url)
  assert.equal(paired.code, 0, paired.stderr)
  for (const secret of [admin, paired.stdout.trim()]) assert.equal((await token(secret, 'list')).code, 0)
  await house.stop()
  house = await served(data)
  assert.doesNotMatch(house.lines.join('\n'), /[Pp]airing/)
})

it('refuses a role or a scope that there is not: 1', async () => {
  assert.equal((await token(admin, 'create', 'X', '--role', 'king')).code, 1)
  assert.equal((await token(admin, 'create', 'X', '--role', 'kiosk', '--scope', 'keys.steal')).code, 1)
})
