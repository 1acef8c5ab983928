import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { askAt } from '../../appliance.ts'
import { identity, withKey } from '../../backup/recovery.ts'
import { folder, run, served } from '../../cli/command-line.ts'

it('moves a property to another box: the old one makes no keys, and the new one takes over', async (t) => {
  const [from, to] = [folder(), folder()]
  const old = await served(from.path)
  const box = await served(to.path, '--empty')
  t.after(async () => {
    await old.stop()
    await box.stop()
    from.remove()
    to.remove()
  })
  withKey(from.path)
  const key = join(from.path, 'key')
  writeFileSync(key, identity)
  const checkIn = (guest: string, url: string) => run('check-in', guest, '--url', url, '--token', 'demo')
  assert.equal((await checkIn('NP-1001', old.url)).code, 0)
  const [, code = ''] = /Pairing code (\d{8})/.exec(box.lines.join('\n')) ?? []
  const move = (digits: string) =>
    run('backup', 'move', box.url, '--code', digits, '--identity', key, '--url', old.url, '--token', 'demo')

  const wrong = await move(code === '00000000' ? '00000001' : '00000000')
  assert.notEqual(wrong.code, 0)
  assert.match(wrong.stderr, /The old box has the property as before, and makes keys/)
  assert.equal((await checkIn('NP-1002', old.url)).code, 0)

  const moved = await move(code)
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /has the property, with epoch \d+\. Units to check: 0\./)
  const fenced = await checkIn('NP-1003', old.url)
  assert.match(fenced.stderr, /restored to a newer box, so this one makes no keys/)
  const epoch = async (url: string) => (await askAt(url, 'GET', '/api/config/v1/epoch')).body.data.attributes
  const [before, after] = [await epoch(old.url), await epoch(box.url)]
  assert.deepEqual([before.isFenced, before.seen, after.isFenced], [true, after.epoch, false])
  const keys = async (url: string) => (await askAt(url, 'GET', '/api/v2/access/keys')).body.data.length
  assert.equal(await keys(box.url), 2)
  const { body } = await askAt(old.url, 'GET', '/api/v2/events?filter[type]=system.handed-over')
  assert.equal(body.data.length, 2)
})
