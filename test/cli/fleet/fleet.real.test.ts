import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import mqtt from 'mqtt'
import { type HouseState, houseState } from '../../../src/pms/adapters/cloudevents/mqtt/state.ts'
import { folderFor } from '../../backup/recovery.ts'
import { type Mosquitto, noMosquitto, startMosquitto } from '../../pms/adapters/cloudevents/mqtt/mosquitto.ts'
import { run } from '../command-line.ts'

const [lisbon, porto] = ['0198a6f0-0000-7000-8000-000000000001', '0198a6f0-0000-7000-8000-000000000002']
const passwords = { [lisbon]: 'of lisbon', [porto]: 'of porto', stream: 'of the stream' }

describe('nightporter fleet', { skip: noMosquitto }, () => {
  let broker: Mosquitto
  before(async () => {
    broker = await startMosquitto(passwords)
  })
  after(() => broker?.close())

  /** What the box of a property leaves at the broker. */
  async function publishes(id: string, data: Partial<HouseState>): Promise<void> {
    const login = { username: id, password: passwords[id]!, ca: broker.ca }
    const client = await mqtt.connectAsync(broker.url, { ...login, protocolVersion: 5 })
    const whole = { state: 'online', clientId: 'box', epoch: 1, ...data } as const
    const message = houseState({ source: () => `urn:property:${id}` }, whole, Date.UTC(2026, 5, 1))
    await client.publishAsync(`nightporter/v1/${id}/state`, JSON.stringify(message), { qos: 1, retain: true })
    await client.endAsync()
  }

  const well: Partial<HouseState> = {
    version: '0.6.0',
    slot: 'A',
    health: { status: 'warn', failing: ['storage:backup'] },
    devices: { pass: 3, warn: 1, fail: 0 },
    backupVerifiedAt: '2026-06-01T03:30:00.000Z',
    clock: { judgement: 'plausible', synced: true },
    update: { available: '0.7.0', step: null, last: null },
  }

  function fleet(t: TestContext, password = passwords.stream, ...options: string[]) {
    const folder = folderFor(t)
    const file = (name: string, value: object) => {
      writeFileSync(join(folder, name), JSON.stringify(value))
      return join(folder, name)
    }
    const credentials = file('credentials.json', { username: 'stream', password })
    const connection = file('connection.json', { serverCa: broker.ca })
    const names = file('names.json', { [lisbon]: 'Hotel Lisbon' })
    const files = ['--credentials', credentials, '--connection', connection, '--names', names]
    return run('fleet', broker.url, ...files, ...options)
  }

  it('lists each box, and says by its exit code that one is away', async (t) => {
    await publishes(lisbon, well)
    const first = await fleet(t)
    assert.equal(first.code, 0, first.stderr)
    await publishes(porto, { state: 'offline' })
    const { code, stdout } = await fleet(t)
    assert.equal(code, 1)
    const [header, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    assert.deepEqual(header!.slice(0, 3), ['PROPERTY', 'STATE', 'VERSION'])
    assert.deepEqual(rows, [
      [
        'Hotel Lisbon',
        'online',
        '0.6.0 A',
        'warn',
        '3 well, 1 not',
        '2026-06-01 03:30',
        '0.7.0',
        'plausible',
        '1',
        'storage:backup',
      ],
      [porto, 'offline', ...Array(6).fill('-'), '1', '-'],
    ])
  })

  it('prints a page, on which what a box says is text', async (t) => {
    await publishes(porto, { version: '<script>alert(1)</script>\u001b[2J' })
    const { stdout } = await fleet(t, passwords.stream, '--html')
    assert.match(stdout, /<td>Hotel Lisbon<\/td><td>online<\/td>/)
    assert.match(stdout, /&lt;script&gt;/)
    assert.ok(!stdout.includes('<script') && !stdout.includes('\u001b'))
    assert.match(stdout, /2 boxes, 0 of them offline or failing/)
  })

  it('says why the broker cannot be used', async (t) => {
    const refused = await fleet(t, 'wrong')
    assert.equal(refused.code, 69)
    assert.match(refused.stderr, /cannot be used: .*[Nn]ot authori[sz]ed/)
    const wrong = await run('fleet', 'https://broker.example')
    assert.equal(wrong.code, 64)
  })
})
