import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { it, type TestContext } from 'node:test'
import type { Message } from '../../../src/pms/adapters/cloudevents/messages/envelope.ts'
import type {
  ChangesReplied,
  ReservationChanged,
} from '../../../src/pms/adapters/cloudevents/messages/message-data.ts'
import { run, started } from '../command-line.ts'

async function played(t: TestContext, ...options: string[]) {
  const running = await started(/^ {6}-d /, 'simulate', 'pms', '--on', 'http:0', ...options)
  t.after(() => running.stop())
  const [, baseUrl = ''] = /is at (http:\S+)/.exec(running.lines.join('\n')) ?? []
  return { ...running, baseUrl, ask: (path: string) => fetch(baseUrl + path) }
}

it('plays a PMS with reservations of the types that it was told, and says how a box is pointed at it', async (t) => {
  const { lines, ask, baseUrl, stop } = await played(
    t,
    '--clerk',
    '0',
    '--reservations',
    '3',
    '--unit-types',
    'XL:1-2',
  )
  const { changes } = (await (await ask('/changes?limit=10')).json()) as ChangesReplied
  assert.equal(changes.length, 3)
  for (const { data } of changes as Message<ReservationChanged>[]) {
    assert.equal(data.reservation.stays[0]?.units?.[0]?.unitTypeCode, 'XL')
  }
  assert.ok(lines.some((line) => line.includes(`"connection":{"baseUrl":"${baseUrl}"}`)))
  assert.equal((await stop()).code, 0)
})

it('lets its clerk change reservations', async (t) => {
  const options = ['--on', 'http:0', '--clerk', '9999', '--reservations', '1']
  const running = await started(/^The clerk [a-z ]+ SIM\w+-\d+$/, 'simulate', 'pms', ...options)
  t.after(() => running.stop())
})

it('misbehaves as it is told', async (t) => {
  const { ask } = await played(t, '--clerk', '0', '--misbehave', 'pms.changes.requested=busy:30')
  const first = await ask('/changes')
  assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '30'])
  assert.equal((await ask('/changes')).status, 200)
})

const wrong: [string, number, RegExp, string[]][] = [
  ['nowhere', 64, /Expected one --on http:PORT/, ['pms']],
  ['at a wire', 64, /Expected one --on http:PORT/, ['pms', '--on', 'tcp:0']],
  ['beside a device', 64, /simulated alone/, ['pms', 'crt571', '--on', 'http:0']],
  ['with units that are none', 64, /--unit-types/, ['pms', '--on', 'http:0', '--unit-types', 'DBL:9-1']],
  ['with a deed that is none', 64, /DOES one of/, ['pms', '--on', 'http:0', '--misbehave', '*=dance']],
]
for (const [how, code, says, args] of wrong) {
  it(`plays no PMS ${how}`, async () => {
    const ended = await run('simulate', ...args)
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, says)
  })
}

it('plays no PMS where a port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { code, stderr } = await run('simulate', 'pms', '--on', `http:${port}`)
  server.close()
  assert.deepEqual([code, /EADDRINUSE/.test(stderr)], [69, true])
})
