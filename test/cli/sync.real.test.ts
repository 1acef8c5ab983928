import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { monday } from '../appliance.ts'
import { keptConflict } from '../pms/sync/kept-conflict.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from '../pms/sync/linked-house.ts'
import { reported } from '../pms/sync/played-pms.ts'
import { settableClock } from '../test-clock.ts'
import { run } from './command-line.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse({ clock: settableClock(monday) })
})
after(() => house.stop())

const sync = (...args: string[]) => run('sync', ...args, '--url', house.appliance.url)

it('tells in its help what each command does and how it ends', async () => {
  for (const command of ['status', 'pull', 'push', 'conflicts']) {
    const { code, stdout } = await run('sync', command, '--help')
    assert.equal(code, 0)
    assert.match(stdout, /Exit codes:\n {2}0 /)
    assert.match(stdout, /--json/)
  }
})

it('fetches, and says what came of it', async () => {
  house.pms.report('R1', reported('R1'))
  const pulled = await sync('pull')
  assert.deepEqual([pulled.code, pulled.stderr], [0, ''])
  assert.match(pulled.stdout, /^Opera: 1 received, 1 applied/)
  const again = await sync('pull', '--all', '--json')
  assert.partialDeepStrictEqual(JSON.parse(again.stdout), [
    { name: 'Opera', received: 1, applied: 0, ignored: 1 },
  ])
  const pushed = await sync('push', '--pms', 'Opera')
  assert.equal(pushed.code, 0, pushed.stderr)
})

it('says that all is in step, and with 75 that something is left', async () => {
  await eventually('in step', async () => (await house.state()).outbox === 0)
  const well = await sync('status')
  assert.equal(well.code, 0, well.stdout)
  assert.match(well.stdout, /^Opera: connected, synchronised at 2026-06-01T/)
  house.pms.send({ is: 'folio' })
  await sync('pull')
  const ill = await sync('status')
  assert.equal(ill.code, 75)
  assert.match(ill.stdout, /1 of its messages could not be processed \(quarantined\)/)
  const [state] = JSON.parse((await sync('status', '--json')).stdout)
  assert.partialDeepStrictEqual(state, { id: house.configurationId, attributes: { quarantined: 1 } })
})

it('says that the PMS is away', async () => {
  house.pms.cut()
  await eventually('away', async () => (await house.state()).state === 'disconnected')
  const away = await sync('pull')
  assert.equal(away.code, 75, away.stderr)
  assert.match(away.stderr, /The cable is out/)
  const { unitTypeId } = await house.rooms(2)
  const waiting = ['1 reservation waits to be sent to it', '2 reservations wait to be sent to it']
  for (const [index, sentence] of waiting.entries()) {
    await house.stay({ startDate: '2026-07-01', endDate: '2026-07-03', units: [{ unitTypeId }] })
    await eventually('in the outbox', async () => (await house.state()).outbox === index + 1)
    const { stdout } = await sync('status')
    assert.match(stdout, /^Opera: disconnected/)
    assert.ok(stdout.includes(`\n  ${sentence}\n`), stdout)
  }
  house.pms.mend()
  await eventually('told', async () => (await house.state()).outbox === 0)
})

it('lists conflicts in sentences, and has one of the sides chosen', async () => {
  const found = await house.reservation('R1')
  const stays = (found?.attributes as unknown as { stays: { id: string }[] } | undefined)?.stays
  const of = { configurationId: house.configurationId, reservationId: found!.id, stayId: stays![0]!.id }
  const id = keptConflict(house.data, of)
  const listed = await sync('conflicts')
  assert.equal(listed.code, 1, listed.stderr)
  assert.equal(listed.stdout, `${id}\tPms\tThe PMS changed the comment.\n`)
  const chosen = await sync('conflicts', '--choose', `${id}=Local`)
  assert.deepEqual([chosen.code, chosen.stdout.trim()], [0, ''], chosen.stderr)
})

it('refuses what it does not know', async () => {
  assert.equal((await sync('conflicts', '--choose', 'this=Pms')).code, 64)
  assert.equal((await sync('status', '--pms', 'Nobody')).code, 66)
  assert.equal((await run('sync', 'status', '--url', 'http://127.0.0.1:9')).code, 69)
  assert.equal((await sync('status', '--token', 'lk_test_nobody')).code, 77)
})
