import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { NetworkRefused, networkChanges } from '../../src/box/network/network-changes.ts'
import { tryNetwork } from '../../src/box/network/try-network.ts'
import { prepare } from '../../src/box/prepare.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { monday, startAppliance } from '../appliance.ts'

function boxOf(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'box-'))
  t.after(() => rmSync(root, { recursive: true }))
  const places = {
    root,
    data: join(root, 'data'),
    kept: join(root, 'kept'),
    file: join(root, 'nightporter.txt'),
  }
  mkdirSync(places.data)
  const clock = virtualClock(monday)
  let reloads = 0
  let failing = 0
  const changes = networkChanges(places)
  return {
    ...places,
    changes,
    prepared: () => prepare(places),
    unit: () => readFileSync(join(root, 'run/systemd/network/10-wired.network'), 'utf8'),
    reloads: () => reloads,
    /** So many of the next reloads fail. */
    failReloads(count: number): void {
      failing = count
    },
    /** What root's unit does; `meanwhile` happens at each of its looks. */
    async tried(meanwhile: (pastMs: number) => void = () => {}) {
      const began = clock.monotonic()
      const sleep = async (ms: number) => {
        clock.advance(ms)
        meanwhile(clock.monotonic() - began)
      }
      const reload = () => {
        if (failing-- > 0) throw new Error('no answer')
        reloads++
      }
      return {
        result: await tryNetwork(places, { clock: { ...clock, sleep }, reload }),
        ms: clock.monotonic() - began,
      }
    },
  }
}

const fixed = { address: '192.168.7.5/24', gateway: '192.168.7.1' }
const refused = (why: RegExp) => (error: unknown) =>
  error instanceof NetworkRefused && why.test(error.message)

describe('a change of the network', () => {
  it('is undone after two minutes unless it is confirmed', async (t) => {
    const box = boxOf(t)
    box.prepared()
    const before = box.unit()
    const id = box.changes.begin(fixed)
    assert.throws(() => box.changes.begin(fixed), refused(/Another change is on trial/))
    let during = ''
    const { result, ms } = await box.tried(() => {
      during = box.unit()
      assert.equal(box.changes.read()!.trial!.id, id)
    })
    assert.match(during, /Address=192\.168\.7\.5\/24\nGateway=192\.168\.7\.1/)
    assert.deepEqual([result, ms, box.unit(), box.reloads()], ['undone', 120_000, before, 2])
    const { trial, last } = box.changes.read()!
    assert.deepEqual([trial, last], [null, { id, result: 'undone' }])
    assert.throws(() => box.changes.confirm(id, '192.168.7.5'), refused(/not on trial any more/))
  })

  it('stays when it is confirmed at the new address, and over starts', async (t) => {
    const box = boxOf(t)
    box.prepared()
    const id = box.changes.begin(fixed)
    const { result, ms } = await box.tried((past) => {
      if (past < 30_000 || existsSync(join(box.data, 'network/confirmed'))) return
      assert.throws(() => box.changes.confirm(id, '192.168.1.9'), refused(/open the page at 192\.168\.7\.5/))
      assert.throws(() => box.changes.confirm(id, '127.0.0.1'), refused(/new address only/))
      assert.throws(() => box.changes.confirm('another', '192.168.7.5'), refused(/not on trial/))
      box.changes.confirm(id, '::ffff:192.168.7.5')
    })
    assert.deepEqual([result, ms, box.reloads()], ['kept', 30_000, 1])
    const { verdicts } = box.prepared()
    assert.match(box.unit(), /Address=192\.168\.7\.5/)
    assert.match(String(verdicts.at(-1)?.says), /was changed on the page/)
    // A name in the file takes nothing back; a line of the network does.
    writeFileSync(box.file, 'name = lisbon')
    box.prepared()
    assert.match(box.unit(), /Address=192\.168\.7\.5/)
    writeFileSync(box.file, 'address = 10.0.0.5/24')
    box.prepared()
    assert.match(box.unit(), /Address=10\.0\.0\.5/)
  })

  it('is undone by a power cut', async (t) => {
    const box = boxOf(t)
    box.prepared()
    box.changes.begin(fixed)
    await assert.rejects(
      box.tried(() => {
        throw new Error('no power')
      }),
    )
    assert.match(box.unit(), /Address=192/)
    box.prepared()
    assert.match(box.unit(), /DHCP=yes/)
    assert.equal((await box.tried()).result, null)
  })

  it('is undone when the machine does not take it, and later when it does not take it back', async (t) => {
    const box = boxOf(t)
    box.prepared()
    const before = box.unit()
    const id = box.changes.begin(fixed)
    box.failReloads(1)
    await assert.rejects(box.tried(), { message: 'no answer' })
    // Its unit starts the program again.
    assert.deepEqual([(await box.tried()).result, box.unit()], ['undone', before])
    assert.deepEqual(box.changes.read()!.last, { id, result: 'undone' })
    box.changes.begin(fixed)
    await assert.rejects(
      box.tried((pastMs) => {
        if (pastMs > 100_000) box.failReloads(1)
      }),
      { message: 'no answer' },
    )
    const { result, ms } = await box.tried()
    assert.deepEqual([result, ms, box.unit(), box.reloads()], ['undone', 0, before, 3])
    assert.equal(box.changes.read()!.trial, null)
  })

  it('puts no line of its own into the unit, whoever has written the file', async (t) => {
    const box = boxOf(t)
    box.prepared()
    mkdirSync(join(box.data, 'network'))
    for (const settings of [
      { address: '10.0.0.5/24\n[Match]\nName=*' },
      { address: 'dhcp', gateway: '10.0.0.1\nDHCP=no' },
      { dns: ['1.1.1.1\nx=y'] },
      { ntp: ['pool.ntp.org\nx=y'] },
      { dns: '1.1.1.1' },
    ]) {
      writeFileSync(join(box.data, 'network/wanted.json'), JSON.stringify({ id: 'x', settings }))
      assert.equal((await box.tried()).result, null)
    }
    assert.equal(box.reloads(), 0)
  })

  it('is refused where the machine is no box', async (t) => {
    const house = await startAppliance()
    t.after(() => house.stop())
    const path = '/api/config/v1/network'
    assert.equal((await house.ask('GET', path)).body.data.attributes.isImage, false)
    const { status, body } = await house.ask('POST', `${path}/actions/try`, { body: fixed })
    assert.deepEqual([status, body.errors[0].code], [409, 'network-refused'])
    const wrong = await house.ask('POST', `${path}/actions/try`, { body: { address: '10.0.0.5' } })
    assert.deepEqual([wrong.status, wrong.body.errors[0].source.pointer], [422, '/data/attributes/address'])
  })
})
