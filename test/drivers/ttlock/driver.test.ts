import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import driver from '../../../drivers/ttlock/driver.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { testClock } from '../../test-clock.ts'
import { call, held, setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { house, pinGrant } from './house.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
const validConnection = ajv.compile(driver.connection)
const validCredentials = ajv.compile(driver.credentials)
const credentials = { clientId: 'a', clientSecret: 'b', username: 'c', password: 'd' }

describe('the driver ttlock', () => {
  it('needs a person for its credentials', () => {
    assert.equal(driver.generate(), null)
    assert.ok(validCredentials(credentials))
    for (const name of Object.keys(credentials)) {
      assert.ok(!validCredentials({ ...credentials, [name]: undefined }), name)
      assert.ok(!validCredentials({ ...credentials, [name]: '' }), name)
    }
    assert.ok(!validCredentials({ ...credentials, accessToken: 'x' }))
  })

  it('keeps secret what is secret', () => {
    const { properties } = driver.credentials as { properties: Record<string, { writeOnly?: boolean }> }
    assert.deepEqual(
      Object.keys(properties).filter((name) => properties[name]!.writeOnly),
      ['clientSecret', 'password'],
    )
  })

  it('accepts its own examples, and nothing at all', () => {
    for (const example of [{}, ...(driver.connection.examples as object[])])
      assert.ok(validConnection(example))
  })

  const addresses: [boolean, string][] = [
    [true, 'https://euapi.ttlock.com'],
    [true, 'https://cnapi.ttlock.com/'],
    [true, 'https://cloud.example:8443/api'],
    [true, 'http://127.0.0.1:8080'],
    [true, 'http://localhost'],
    [true, 'http://10.1.2.3'],
    [true, 'http://192.168.1.20:8080/ttlock'],
    [true, 'http://172.16.0.1'],
    [true, 'http://172.31.255.1'],
    [true, 'http://[::1]:8080'],
    [true, 'http://[fd12:3456::1]'],
    [false, 'http://euapi.ttlock.com'],
    [false, 'http://172.32.0.1'],
    [false, 'http://11.1.2.3'],
    [false, 'http://10.1.2.3.example.com'],
    [false, 'http://10.1.2.3@example.com'],
    [false, 'http://localhost.example.com'],
    [false, 'http://localhost@example.com'],
    [false, 'http://[2001:db8::1]'],
    [false, 'https://user:password@cloud.example'],
    [false, 'https://cloud.example/?a=b'],
    [false, 'https://cloud.example/#a'],
    [false, 'https://'],
    [false, 'ftp://cloud.example'],
    [false, 'file:///etc/passwd'],
    [false, 'cloud.example'],
    [false, 'https://cloud.example\n'],
  ]
  for (const [valid, baseUrl] of addresses)
    it(`${valid ? 'takes' : 'refuses'} the address ${JSON.stringify(baseUrl)}`, () => {
      assert.equal(validConnection({ baseUrl }), valid)
      if (valid) assert.ok(URL.canParse(baseUrl))
    })

  const connections: [boolean, object][] = [
    [true, { timeoutMs: 30_000, settleMs: 0, callsPerMinute: 1, gateways: { A: ['1'], B: [] } }],
    [false, { timeoutMs: 0 }],
    [false, { settleMs: -1 }],
    [false, { callsPerMinute: 0 }],
    [false, { gateways: { A: ['Room 1'] } }],
    [false, { gateways: { '': ['1'] } }],
    [false, { password: 'x' }],
  ]
  for (const [valid, connection] of connections)
    it(`${valid ? 'takes' : 'refuses'} the connection ${JSON.stringify(connection)}`, () =>
      assert.equal(validConnection(connection), valid))
})

describe('the line to the cloud', () => {
  it('is found, lost, looked for, found again and closed, and each is told once', async (test) => {
    const made = await house()
    test.after(() => made.close())
    assert.equal(made.cloud.requests.length, 0, 'looking needs no name')
    await made.unplug()
    for (let n = 0; n < 3; n++) await assert.rejects(made.system.create(pinGrant(), call()), DeviceFault)
    const { line, fault, since } = made.system.state()
    assert.equal(line, 'offline')
    assert.match(
      fault!.message,
      /^Doors: the cloud cannot be reached: the machine at this address accepts no connection at this port$/,
    )
    assert.ok(since <= made.clock.now())
    await made.plug()
    assert.equal(made.system.state().fault, null)
    await made.system.close()
    await made.system.close()
    assert.deepEqual(
      made.events.map(({ bay, what }) => `${bay} ${what}`),
      ['Doors online', 'Doors lost', 'Doors online', 'Doors closed'],
    )
    assert.equal(made.system.state().line, 'offline')
    await assert.rejects(made.system.find!(pinGrant(), call()), /is closed/)
  })

  it('does not mind a listener who throws', async (test) => {
    const warned = once(process, 'warning')
    const log = () => {
      throw new Error('a listener that fails')
    }
    const { system, close } = await house({ setup: { log } })
    test.after(close)
    await system.create(pinGrant(), call())
    const [warning] = await warned
    assert.match(warning.message, /a listener that fails/)
  })
})

describe('secrets', () => {
  it('are in no text of ours, whatever the cloud says back', async (test) => {
    const secrets = {
      clientId: 'client-0815',
      clientSecret: 'secret & more',
      username: 'house@example.com',
      password: 'pass word',
    }
    const said = new Set<string>(Object.values(secrets))
    let answer: (sent: string) => string = () => '{}'
    // It throws back everything that it was sent, in each way that it can say something.
    const server = createServer((request, response) => {
      let form = ''
      request.on('data', (chunk) => {
        form += chunk
      })
      request.on('end', () => {
        const sent = new URLSearchParams(form || new URL(request.url!, 'http://x').search)
        for (const name of ['accessToken', 'keyboardPwd', 'searchStr', 'password', 'refresh_token'])
          if (sent.has(name)) said.add(sent.get(name)!)
        const tokens = { access_token: 'token-4711', refresh_token: 'refresh-4712', expires_in: 7776000 }
        const isLogin = request.url === '/oauth2/token' && logins-- > 0
        response.end(isLogin ? JSON.stringify(tokens) : answer(`${form} ${[...sent.values()].join(' ')}`))
      })
    })
    let logins = 1
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const texts: string[] = []
    const clock = testClock()
    const system = driver.open({
      ...setupBasics,
      clock,
      connection: { baseUrl: `http://127.0.0.1:${port}`, settleMs: 0 },
      credentials: secrets,
      openWire: () => Promise.reject(new Error('there is no wire')),
      log: ({ what, fault }) => texts.push(what, textOf(fault)),
      record: (direction, text) => texts.push(`${direction} ${text}`),
    })
    test.after(async () => {
      await system.close()
      server.close()
    })
    await until(clock, () => system.state().line === 'online')
    const grant = pinGrant()
    const answers = [
      (sent: string) => JSON.stringify({ errcode: 1, errmsg: sent }),
      (sent: string) => JSON.stringify({ errcode: 4711, errmsg: `${sent} ${sent}` }),
      (sent: string) => JSON.stringify({ errcode: 10004, errmsg: sent }),
      (sent: string) => `<html>${sent}</html>`,
      (sent: string) => JSON.stringify({ list: sent }),
      (sent: string) => JSON.stringify({ errcode: sent, errmsg: sent }),
    ]
    for (const each of answers) {
      answer = each
      const all = [
        system.create(grant, call()),
        system.find!(grant, call()),
        system.change!(held(grant, { reference: null, uid: null }), grant, call()),
        system.revoke!(held(grant, { reference: '5', uid: null }), call()),
        system.extension!('unit-list', call()),
      ]
      for (const asked of await Promise.allSettled(all))
        if (asked.status === 'rejected') texts.push(textOf(asked.reason), textOf(system.state().fault))
    }
    const everything = texts.join('\n')
    assert.ok(said.size >= 7, `${said.size} secrets were sent`)
    assert.ok(everything.includes('errcode=4711') && everything.includes('***'))
    for (const secret of said) {
      assert.ok(!everything.includes(secret), `${secret} in ${everything}`)
      assert.ok(!everything.includes(encodeURIComponent(secret)), secret)
    }
    assert.ok(!everything.includes('token-4711') && !everything.includes('refresh-4712'))
  })
})

/** All that a log could show of it, with what it was caused by. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const vendorCode = thrown instanceof DeviceFault ? thrown.vendorCode : ''
  return `${thrown.stack} ${vendorCode} ${thrown.cause ? textOf(thrown.cause) : ''}`
}
