import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Endpoint, endpointsIn } from '../../src/host/firewall/endpoints.ts'
import { expectOutgoing, forgetOutgoing, requestRules } from '../../src/host/firewall/outgoing.ts'
import { firewallRules } from '../../src/host/firewall/rules.ts'
import { firewallState } from '../../src/host/firewall/state.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { monday } from '../appliance.ts'
import fc from '../seed.ts'

type To = Parameters<typeof expectOutgoing>[0]

/** A box, and root's part of its firewall: `loads` makes and loads the rules of what the daemon has left. */
function boxOf(t: TestContext, { isOn = true } = {}) {
  const run = mkdtempSync(join(tmpdir(), 'box-'))
  t.after(() => rmSync(run, { recursive: true, force: true }))
  const [runtime, root] = [join(run, 'nightporter'), join(run, 'nightporter-box')]
  for (const each of [runtime, root]) mkdirSync(each)
  if (isOn) writeFileSync(join(root, 'firewall'), '')
  const clock = virtualClock(monday)
  const began = clock.monotonic()
  const wanted = join(runtime, 'firewall-wanted')
  const also = join(runtime, 'firewall-also')
  return {
    run,
    runtime,
    wanted: () => existsSync(wanted),
    further: () =>
      (existsSync(also) ? readdirSync(also) : []).map((each) => readFileSync(join(also, each), 'utf8')),
    waitedMs: () => clock.monotonic() - began,
    leave: (file: string, text: string) => writeFileSync(join(root, file), text),
    loads() {
      rmSync(wanted, { force: true })
      const endpoints = this.further().flatMap((text) => endpointsIn(JSON.parse(text)))
      this.leave('firewall.nft', firewallRules({ ports: [443], endpoints, isOutOpen: false }))
    },
    /** `meanwhile` happens at each look of the daemon. */
    async expect(to: To, meanwhile: () => void = () => this.wanted() && this.loads()) {
      const sleep = async (ms: number) => {
        clock.advance(ms)
        meanwhile()
      }
      await expectOutgoing(to, { runtime, clock: { ...clock, sleep } })
    },
  }
}

describe('a connection that the configuration does not name', () => {
  const opened: [to: To, endpoint: Omit<Endpoint, 'direction'> | null][] = [
    ['http://10.0.2.2:5006/dav/', { host: '10.0.2.2', port: 5006 }],
    ['sftp://nas.example/backups', { host: 'nas.example', port: 22 }],
    ['https://s3.example:9000/bucket/box', { host: 's3.example', port: 9000 }],
    ['https://[fd00::5]:8443/x', { host: 'fd00::5', port: 8443 }],
    [
      { host: '192.168.1.20', port: 4001 },
      { host: '192.168.1.20', port: 4001 },
    ],
    [
      { host: 'fd00::20', port: 4001 },
      { host: 'fd00::20', port: 4001 },
    ],
    // Open to every host, or on this machine.
    ['https://s3.example/bucket', null],
    ['http://127.0.0.1:5006/', null],
    [{ host: 'localhost', port: 4001 }, null],
    ['http://0.0.0.0:5006/', null],
    [{ host: '::', port: 4001 }, null],
    ['file:///media/stick', null],
  ]
  for (const [to, endpoint] of opened)
    it(`${JSON.stringify(to)} ${endpoint ? 'is let out when root has loaded the rules' : 'needs no rule'}`, async (t) => {
      const box = boxOf(t)
      await box.expect(to)
      assert.deepEqual(box.further(), endpoint ? [JSON.stringify(endpoint)] : [])
      assert.equal(box.waitedMs(), endpoint ? 100 : 0)
      // The second time it is open.
      await box.expect(to, () => assert.fail('it waits again'))
      assert.equal(box.wanted(), false)
    })

  it('is let out whatever its host and port, beside those before', async (t) => {
    const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain())
    const port = fc.integer({ min: 1, max: 65_535 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ host, port }), { minLength: 1, maxLength: 5 }), async (all) => {
        const box = boxOf(t)
        for (const each of all) await box.expect(each)
        for (const each of all) await box.expect(each, () => assert.fail('it is closed again'))
        assert.ok(box.waitedMs() <= all.length * 100)
      }),
      { numRuns: 30 },
    )
  })

  it('waits no longer than a minute for root, and asks nothing where no firewall is on', async (t) => {
    const silent = boxOf(t)
    await silent.expect('http://10.0.2.2:5006/', () => {})
    assert.equal(silent.waitedMs(), 60_000)
    const off = boxOf(t, { isOn: false })
    await off.expect('http://10.0.2.2:5006/')
    requestRules(off.runtime)
    assert.deepEqual([off.waitedMs(), off.wanted()], [0, false])
    await expectOutgoing('http://10.0.2.2:5006/', { runtime: undefined })
  })

  it('is closed again at the next start of the daemon', async (t) => {
    const box = boxOf(t)
    await box.expect('http://10.0.2.2:5006/')
    forgetOutgoing(box.runtime)
    box.loads()
    await box.expect('http://10.0.2.2:5006/')
    assert.equal(box.waitedMs(), 200)
  })
})

describe('the state of the firewall', () => {
  const listed = (...elements: [string, number][]) =>
    JSON.stringify({
      nftables: [
        { metainfo: { version: '1.1.3' } },
        {
          set: {
            name: 'refused',
            elem: elements.map((concat) => ({ elem: { val: { concat }, expires: 3_597 } })),
          },
        },
      ],
    })
  const empty = JSON.stringify({ nftables: [{ set: { name: 'refused' } }] })

  const cases: [text: string, refused: string[]][] = [
    [listed(['10.0.0.9', 8080]), ['10.0.0.9:8080']],
    [`${listed(['10.0.0.9', 8080], ['10.0.0.7', 22])}\n${empty}\n`, ['10.0.0.9:8080', '10.0.0.7:22']],
    [`${empty}\n${listed(['fd00::9', 8080])}`, ['[fd00::9]:8080']],
    [JSON.stringify({ nftables: [{ set: { elem: [{ concat: ['10.0.0.9', 8080] }] } }] }), ['10.0.0.9:8080']],
    [`${empty}\n${empty}`, []],
    ['', []],
    ['{"nftables": [', []],
  ]
  for (const [text, refused] of cases)
    it(`names what was refused: ${JSON.stringify(refused)}`, (t) => {
      const box = boxOf(t)
      box.leave('firewall-refused.json', text)
      assert.deepEqual(firewallState(box.runtime), { isOn: true, problem: null, refused })
    })

  it('names the first eight of many, and never fails for what root has left', (t) => {
    const box = boxOf(t)
    box.leave(
      'firewall-refused.json',
      listed(...Array.from({ length: 20 }, (_, at) => ['10.0.0.9', at] as [string, number])),
    )
    const state = firewallState(box.runtime)
    assert.equal(state?.isOn && state.refused.length, 8)
    fc.assert(
      fc.property(fc.string(), (text) => {
        box.leave('firewall-refused.json', text)
        assert.ok(firewallState(box.runtime)?.isOn)
      }),
    )
  })

  it('has the reason of rules that are not loaded, and says where none is on', (t) => {
    const box = boxOf(t)
    box.leave('firewall-problem', 'syntax error\n')
    assert.deepEqual(firewallState(box.runtime), { isOn: true, problem: 'syntax error', refused: [] })
    assert.deepEqual(firewallState(boxOf(t, { isOn: false }).runtime), { isOn: false })
    assert.equal(firewallState(undefined), null)
    const other = mkdtempSync(join(tmpdir(), 'machine-'))
    t.after(() => rmSync(other, { recursive: true }))
    assert.equal(firewallState(join(other, 'nightporter')), null)
  })
})
