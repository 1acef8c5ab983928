import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { statusPage } from '../../src/box/page.ts'
import { report } from '../../src/box/report.ts'
import { screenLines } from '../../src/box/screen.ts'
import { boxFiles, readPairingCode, readState } from '../../src/box/state.ts'
import { systemClock } from '../../src/host/clock.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { monday } from '../appliance.ts'

const folderOf = () => mkdtempSync(join(tmpdir(), 'box-'))

function reporting(folder: string) {
  const failed = (error: Error) => assert.fail(error)
  return report({ clock: systemClock, folder, host: '::', port: 8443, isSecured: true, failed })
}

async function pageOf(test: TestContext, folder: string): Promise<(path: string) => Promise<string>> {
  const server = statusPage({ clock: systemClock, folder }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  test.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
}

describe('the state of a box', () => {
  it('says what the daemon does, and that it has become silent', (test) => {
    const folder = folderOf()
    assert.equal(readState(folder, Date.now()), null)
    const told = reporting(folder)
    test.after(told.close)
    told.is('out-of-order', 'The database is damaged.')
    const state = readState(folder, Date.now())
    assert.deepEqual(
      [state?.phase, state?.message, state?.isSilent],
      ['out-of-order', 'The database is damaged.', false],
    )
    assert.equal(readState(folder, Date.now() + 31_000)?.isSilent, true)
  })

  it('gives the pairing code to the user of the daemon alone, and removes it when it is used', (test) => {
    const folder = folderOf()
    const told = reporting(folder)
    let code: string | null = '12345678'
    told.is('running')
    told.pairingCode(() => code)
    assert.equal(readPairingCode(folder), '12345678')
    assert.equal(statSync(join(folder, boxFiles.pairingCode)).mode & 0o777, 0o600)
    assert.doesNotMatch(readFileSync(join(folder, boxFiles.state), 'utf8'), /12345678/)
    code = null
    told.is('running')
    assert.equal(existsSync(join(folder, boxFiles.pairingCode)), false)
    test.after(told.close)
  })
})

describe('the page of a box', () => {
  it('says how it is without the daemon, and never shows the pairing code', async (test) => {
    const folder = folderOf()
    const page = await pageOf(test, folder)
    assert.match(await page('/'), /Starting/)
    const told = reporting(folder)
    test.after(told.close)
    told.is('running')
    told.pairingCode(() => '12345678')
    const running = await page('/')
    assert.match(running, /In service/)
    assert.match(running, /https:\/\/127\.0\.0\.1:8443\/desk/)
    assert.doesNotMatch(running + (await page('/state.json')), /12345678/)
    told.trouble(() => 'The disk is full. Nothing was written.')
    const limited = await page('/')
    assert.match(limited, /In service with limits.*The disk is full\./s)
    assert.match(limited, /\/desk/)
    assert.doesNotMatch(limited, /Desks and kiosks can work/)
    told.is('out-of-order', 'The key <is> missing.')
    const broken = await page('/')
    assert.match(broken, /Out of order/)
    assert.match(broken, /The key &lt;is&gt; missing\./)
    assert.doesNotMatch(broken, /\/desk/)
  })

  it('ends after a minute without a request, whoever has begun one, so that the next request starts it again', async () => {
    const clock = virtualClock(monday)
    const server = statusPage({ clock, folder: folderOf() }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [socket] = (await once(server, 'connection')) as [Socket]
    client.write('GET / HTTP/1.1\r\nHost: box')
    while (socket.bytesRead === 0) await new Promise(setImmediate)
    const closed = Promise.all([once(server, 'close'), once(client, 'close')])
    clock.fire()
    await closed
  })
})

describe('the screen of a box', () => {
  const state = {
    phase: 'running',
    version: '1.2.3',
    since: monday,
    message: '',
    trouble: null,
    restore: null,
    host: '::',
    port: 8443,
    isSecured: true,
    isSilent: false,
  } as const
  const facts = {
    state,
    name: 'nightporter-lisbon',
    addresses: ['192.168.1.10'],
    leftOut: [],
    fingerprint: 'AAAA BBBB\nCCCC DDDD',
    pairingCode: '12345678',
    verdicts: [{ line: 3, text: 'colour = red', isGood: false, says: 'not a setting' }],
    supportEndsAt: null,
    now: monday + 1_000,
  }

  it('shows what an installer needs, in 80 columns', () => {
    const lines = screenLines(facts)
    const text = lines.join('\n')
    for (const each of [
      'In service',
      'nightporter-lisbon.local',
      'https://192.168.1.10:8443/setup',
      '1234 5678',
      'AAAA BBBB',
      'NO  line 3: colour = red (not a setting)',
    ])
      assert.ok(text.includes(each), `${each} is missing in:\n${text}`)
    for (const line of lines) assert.ok(line.length <= 80, line)
  })

  it('shows the addresses that it does not offer, with the reason', () => {
    const leftOut = [{ address: '172.17.0.1', interface: 'docker0', reason: 'virtual' }] as const
    const text = screenLines({ ...facts, addresses: [], leftOut }).join(' ')
    assert.match(text, /Not offered: 172\.17\.0\.1 \(docker0\): a bridge for containers/)
    assert.doesNotMatch(text, /https:/)
  })

  it('says that the support console is open, and for how long', () => {
    assert.doesNotMatch(screenLines(facts).join('\n'), /SUPPORT/)
    const open = screenLines({ ...facts, supportEndsAt: facts.now + 41.5 * 60_000 }).join(' ')
    assert.match(open, /SUPPORT CONSOLE is open for 42 more min\./)
  })

  it('shows no pairing code while the box is out of order or has none, and says when the cable is out', () => {
    const damaged = { ...state, phase: 'out-of-order', message: 'The database is damaged.' } as const
    assert.doesNotMatch(screenLines({ ...facts, state: damaged }).join('\n'), /1234 5678/)
    assert.doesNotMatch(screenLines({ ...facts, pairingCode: null }).join('\n'), /Pairing code/)
    assert.match(screenLines({ ...facts, addresses: [] }).join('\n'), /is the network cable in\?/)
    assert.match(screenLines({ ...facts, state: { ...state, isSilent: true } }).join('\n'), /Not answering/)
  })

  it('says how far a restore is, and how long a migration lasts', () => {
    const titleOf = (changes: object, now = monday) =>
      screenLines({ ...facts, state: { ...state, ...changes }, now }).join(' ')
    const restore = { step: 'unpacking', bytes: 31e6, totalBytes: 50e6, secondsLeft: 130 } as const
    assert.match(
      titleOf({ restore }),
      /In service\. .* unpacked: 31\.0 of\s+50\.0 MB \(62 %\), about 2 minutes left/,
    )
    assert.match(titleOf({ restore: { ...restore, step: 'checking' } }), /A backup is being checked\./)
    const migrating = titleOf({ phase: 'migrating' }, monday + 190_000)
    assert.match(
      migrating,
      /Changing the data for a new version\. .*Do not pull the plug\. It has taken\s+3 minutes so far/,
    )
    assert.doesNotMatch(titleOf({}, monday + 190_000), /so far/)
  })
})
