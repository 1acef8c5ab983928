import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { it, type TestContext } from 'node:test'
import type { MewsReservation } from '../../../src/pms/adapters/mews/records.ts'
import { run, started } from '../command-line.ts'

async function played(t: TestContext, ...options: string[]) {
  const running = await started(/^ {6}-d /, 'simulate', 'mews', '--on', 'http:0', ...options)
  t.after(() => running.stop())
  const told = running.lines.join('\n')
  const [, address = ''] = /is at (http:\S+)/.exec(told) ?? []
  const { connection, credentials } = JSON.parse(/-d '(.*)'/.exec(told)?.[1] ?? 'null')
  const ask = async (operation: string, body: object) => {
    const said = { ClientToken: credentials.clientToken, AccessToken: credentials.accessToken, ...body }
    const url = `${connection.platformAddress}/api/connector/v1/${operation}`
    const reply = await fetch(url, { method: 'POST', body: JSON.stringify(said) })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const reservations = async () => {
    const { body } = await ask('reservations/getAll/2023-06-06', { Limitation: { Count: 100 } })
    return body.Reservations as MewsReservation[]
  }
  return { ...running, address, connection, ask, reservations }
}

it('plays Mews with reservations and rooms of the types that it was told, and says how a box is pointed at it', async (t) => {
  const options = ['--clerk', '0', '--reservations', '3', '--unit-types', 'XL:1-2']
  const { address, connection, ask, reservations, stop } = await played(t, ...options)
  assert.equal(connection.platformAddress, address)
  const booked = await reservations()
  assert.deepEqual(booked.map((each) => each.Number).sort(), ['100', '101', '102'])
  const { body } = await ask('resources/getAll', {})
  assert.deepEqual(
    (body.Resources as { Name: string }[]).map(({ Name }) => Name),
    ['1', '2'],
  )
  assert.equal((await stop()).code, 0)
})

it('tells what a house has it do', async (t) => {
  const { ask, reservations, stop } = await played(t, '--clerk', '0', '--reservations', '1')
  const [booked] = await reservations()
  await ask('reservations/cancel', { ReservationIds: [booked?.Id], Notes: 'No longer wanted.' })
  const { stdout } = await stop()
  assert.match(stdout, /The appliance called reservations\/cancel: 100 is Canceled/)
})

it('lets its clerk book and change reservations', async (t) => {
  const options = ['--on', 'http:0', '--clerk', '9999', '--reservations', '1']
  const running = await started(/^The clerk [a-z ]+ \d+$/, 'simulate', 'mews', ...options)
  t.after(() => running.stop())
})

it('misbehaves as it is told', async (t) => {
  const { ask } = await played(t, '--clerk', '0', '--misbehave', 'resources/getAll=429')
  assert.equal((await ask('resources/getAll', {})).status, 429)
  assert.equal((await ask('resources/getAll', {})).status, 200)
})

const wrong: [string, RegExp, string[]][] = [
  ['nowhere', /Expected one --on http:PORT/, ['mews']],
  ['at a broker', /Expected one --on http:PORT/, ['mews', '--on', 'mqtt:mqtt://127.0.0.1']],
  ['beside another', /simulated alone/, ['mews', 'pms', '--on', 'http:0']],
  ['with units that are none', /--unit-types/, ['mews', '--on', 'http:0', '--unit-types', 'DBL:9-1']],
  ['with a deed that is none', /DOES being/, ['mews', '--on', 'http:0', '--misbehave', 'x/y=dance']],
]
for (const [how, says, args] of wrong) {
  it(`plays no Mews ${how}`, async () => {
    const { code, stderr } = await run('simulate', ...args)
    assert.equal(code, 64, stderr)
    assert.match(stderr, says)
  })
}

it('plays no Mews where a port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { code, stderr } = await run('simulate', 'mews', '--on', `http:${port}`)
  server.close()
  assert.deepEqual([code, /EADDRINUSE/.test(stderr)], [69, true])
})
