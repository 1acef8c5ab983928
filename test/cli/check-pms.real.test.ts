import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { systemClock } from '../../src/host/clock.ts'
import { serveHttp } from '../../src/simulators/cloudevents/http-server.ts'
import { serveMqtt } from '../../src/simulators/cloudevents/mqtt-server.ts'
import { simulatedPms } from '../../src/simulators/cloudevents/simulated-pms.ts'
import { startMqttBroker } from '../pms/adapters/cloudevents/mqtt/broker/mqtt-broker.ts'
import { run } from './command-line.ts'

const open = () => simulatedPms({ clock: systemClock, units: { DBL: ['201', '202'] } })
const chosen = ['--unit-type', 'DBL', '--unit', '202']

it('checks a PMS over HTTP with its token, and prints what was sent, expected and came', async (t) => {
  const access = { token: 'of-the-box' }
  const { baseUrl, close } = await serveHttp(open(), { port: 0, access, clock: systemClock })
  t.after(close)
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-check-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'credentials.json')
  writeFileSync(file, JSON.stringify(access))
  const { code, stdout } = await run('check-pms', baseUrl, '--credentials', file, ...chosen)
  assert.equal(code, 0, stdout)
  assert.match(
    stdout,
    /^pass {2}A new reservation\n {6}expected: .+\n {6}sent: .+"offers".+\n {6}came: .+"accepted"/m,
  )
  assert.match(stdout, /\d+ passed, 0 failed, 0 skipped\n$/)
  const refused = await run('check-pms', baseUrl, '--read-only', '--json')
  assert.equal(refused.code, 1)
  const { results } = JSON.parse(refused.stdout)
  assert.match(results[0].reason, /401/)
})

it('checks a PMS at a broker', async (t) => {
  const broker = await startMqttBroker()
  t.after(() => broker.kill())
  const { close } = await serveMqtt({ url: broker.url, pmsOf: open, clock: systemClock })
  t.after(close)
  const { code, stdout } = await run('check-pms', broker.url, ...chosen)
  assert.equal(code, 0, stdout)
})

it('says that a PMS cannot be reached, and what it expects', async () => {
  assert.equal((await run('check-pms', 'http://127.0.0.1:1', '--read-only')).code, 69)
  const wrong = await run('check-pms', 'ftp://127.0.0.1')
  assert.equal(wrong.code, 64)
  assert.match(wrong.stderr, /Expected https:/)
})
