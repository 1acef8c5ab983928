import assert from 'node:assert/strict'
import { createServer as httpServer, type RequestListener } from 'node:http'
import { createServer as tcpServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import driver from '../../../drivers/ttlock/driver.ts'
import { knownCodes } from '../../../drivers/ttlock/errors.ts'
import { opens } from '../../../drivers/ttlock/simulator/simulated-cloud.ts'
import { DeviceFault, type FaultCode } from '../../../src/devices/fault.ts'
import type { OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import { testClock } from '../../test-clock.ts'
import { call, fault, held, setupBasics } from '../lock-system-bench.ts'
import { type House, type HouseOptions, house, noon, pinGrant } from './house.ts'

async function at(test: TestContext, options: HouseOptions = {}): Promise<House> {
  const made = await house(options)
  test.after(() => made.close())
  return made
}

const doubt = (code: FaultCode) => code === 'vendor-error' || code === 'lock-system-timeout'

/** Every errcode: what an add, a deletion and a reading are told. The first column is what the vendor's page lists. */
const rows: [errcode: number, add: FaultCode, read: FaultCode][] = [
  [1, 'vendor-error', 'lock-system-retry'],
  [90000, 'vendor-error', 'lock-system-retry'],
  [10000, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [10001, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [10003, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [10004, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [10007, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [10011, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [20002, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [-2018, 'lock-system-auth-failed', 'lock-system-auth-failed'],
  [30005, 'lock-system-rejected', 'lock-system-rejected'],
  [30006, 'lock-system-retry', 'lock-system-retry'],
  [30007, 'lock-system-limit', 'lock-system-limit'],
  [30008, 'lock-system-rejected', 'lock-system-rejected'],
  [80000, 'clock-skew', 'clock-skew'],
  [80002, 'lock-system-rejected', 'lock-system-rejected'],
  [-3, 'lock-system-rejected', 'lock-system-rejected'],
  [-1003, 'unit-unknown', 'unit-unknown'],
  [-2025, 'lock-system-rejected', 'lock-system-rejected'],
  [-4043, 'unsupported-operation', 'unsupported-operation'],
  [-4056, 'lock-system-limit', 'lock-system-limit'],
  [-1007, 'lock-system-rejected', 'lock-system-rejected'],
  [-1026, 'lock-system-rejected', 'lock-system-rejected'],
  [-2009, 'lock-system-rejected', 'lock-system-rejected'],
  [-2032, 'pin-unavailable', 'pin-unavailable'],
  [-3006, 'lock-system-rejected', 'lock-system-rejected'],
  [-3007, 'pin-unavailable', 'pin-unavailable'],
  [-3008, 'lock-system-rejected', 'lock-system-rejected'],
  [-3009, 'lock-system-limit', 'lock-system-limit'],
  [-2012, 'lock-system-unreachable', 'lock-system-unreachable'],
  [-3002, 'lock-system-unreachable', 'lock-system-unreachable'],
  [-3003, 'lock-system-busy', 'lock-system-busy'],
  [-3034, 'lock-system-unreachable', 'lock-system-unreachable'],
  [-3035, 'lock-system-unreachable', 'lock-system-unreachable'],
  [-3036, 'lock-system-unreachable', 'lock-system-unreachable'],
  [-3037, 'lock-system-busy', 'lock-system-busy'],
  [-4037, 'lock-system-rejected', 'lock-system-rejected'],
  [4711, 'vendor-error', 'lock-system-rejected'],
  [-9999, 'vendor-error', 'lock-system-rejected'],
]

const tokenOver = [10003, 10004]

describe('an errcode of the cloud', () => {
  it('is in the table below if it is in the driver’s', () => {
    const here = new Set(rows.map(([errcode]) => errcode))
    assert.deepEqual(
      knownCodes.filter((code) => !here.has(code)),
      [],
    )
  })

  for (const [errcode, add, read] of rows) {
    const times = tokenOver.includes(errcode) ? 2 : 1
    const refuse = (made: House, at: string) => {
      for (let n = 0; n < times; n++)
        made.cloud.misbehaviours.push({ at, does: 'refuse', code: String(errcode) })
    }

    it(`${errcode}, given to a new PIN, is ${add}`, async (test) => {
      const made = await at(test)
      refuse(made, 'add')
      await assert.rejects(made.system.create(pinGrant(), call()), told(add, doubt(add), errcode))
      assert.equal(made.writes().length, times)
      assert.equal(made.cloud.locks[0]!.memory.size, 0)
    })

    it(`${errcode}, given to a list, is ${read}, and nothing is in doubt`, async (test) => {
      const made = await at(test)
      refuse(made, 'listPasscodes')
      await assert.rejects(made.system.find!(pinGrant(), call()), told(read, false, errcode))
    })

    const gone = errcode === -2009
    it(`${errcode}, given to a revocation, ${gone ? 'says that it is so already' : `is ${add}`}`, async (test) => {
      const made = await at(test)
      const grant = pinGrant()
      const key = await made.system.create(grant, call())
      refuse(made, 'delete')
      const revoked = made.system.revoke!(held(grant, key), call())
      if (gone) await revoked
      else await assert.rejects(revoked, told(add, doubt(add), errcode))
    })
  }
})

function told(code: FaultCode, unknown: boolean, errcode: number) {
  return (error: unknown) => {
    assert.ok(fault(code, unknown)(error))
    assert.equal((error as DeviceFault).vendorCode, String(errcode))
    return true
  }
}

describe('the cloud’s own rules', () => {
  it('a PIN that the lock has is unavailable, and the first one stays', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    await system.create(grant, call())
    const other = pinGrant({ ...grant, validUntil: grant.validUntil + 86_400_000 })
    await assert.rejects(system.create(other, call()), fault('pin-unavailable', false))
    assert.equal(opens(cloud, 1001, grant.pin!, noon + 1), true)
    assert.equal(opens(cloud, 1001, grant.pin!, other.validUntil - 1), false)
  })

  it('the same PIN at another lock is another key', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    await system.create(grant, call())
    await system.create({ ...grant, lock: '1002' }, call())
    assert.deepEqual(
      [1001, 1002, 1003].map((lock) => opens(cloud, lock, grant.pin!, noon + 1)),
      [true, true, false],
    )
  })

  it('a PIN that only the lock calls too simple is unavailable', async (test) => {
    const { system } = await at(test)
    await assert.rejects(system.create(pinGrant({ pin: '911187' }), call()), fault('pin-unavailable', false))
  })

  it('a lock takes no more PINs than it can, and one more after one is gone', async (test) => {
    const { system, cloud } = await at(test, { cloud: { capacity: 2 } })
    const first = pinGrant()
    const key = await system.create(first, call())
    await system.create(pinGrant(), call())
    await assert.rejects(system.create(pinGrant(), call()), fault('lock-system-limit', false))
    await system.revoke!(held(first, key), call())
    await system.create(pinGrant(), call())
    assert.equal(cloud.locks[0]!.memory.size, 2)
  })

  it('a gateway that is offline, that others keep busy, or that there is none of', async (test) => {
    const { system, cloud } = await at(test)
    const gateway = cloud.gateways.get('first')!
    gateway.online = false
    await assert.rejects(system.create(pinGrant(), call()), fault('lock-system-unreachable', false))
    assert.equal(system.state().line, 'online', 'the cloud itself is there')
    gateway.online = true
    gateway.busy = true
    await assert.rejects(system.create(pinGrant(), call()), fault('lock-system-busy', false))
    const nowhere = system.create(pinGrant({ lock: '1003' }), call())
    await assert.rejects(nowhere, fault('lock-system-unreachable', false))
    const unknown = system.create(pinGrant({ lock: '999' }), call())
    await assert.rejects(unknown, fault('unit-unknown', false))
    gateway.busy = false
    await system.create(pinGrant(), call())
  })

  it('a clock that is more than five minutes off', async (test) => {
    let off = 0
    const clock = testClock()
    const wrong = { ...clock, now: () => clock.now() + off }
    const { system } = await at(test, { setup: { clock }, cloud: { clock: wrong } })
    for (const [skew, heard] of [
      [-7 * 60_000, 'clock-skew'],
      [7 * 60_000, 'clock-skew'],
      [4 * 60_000, null],
    ] as const) {
      off = skew
      const asked = system.create(pinGrant(), call())
      if (heard) await assert.rejects(asked, fault(heard, false))
      else await asked
      const measured = await system.clockSkew!(call())
      assert.ok(Math.abs(measured! - skew) < 30_000, `${measured} ms`)
    }
  })
})

describe('what is no answer of the cloud', () => {
  /** The way of it, and whether a write that met it may have been carried out. */
  const strange: [does: 'garble' | 'refuse', code: string, add: FaultCode, read: FaultCode][] = [
    ['garble', 'cut', 'lock-system-timeout', 'lock-system-unreachable'],
    ['garble', 'drop', 'lock-system-timeout', 'lock-system-unreachable'],
    ['garble', 'huge', 'lock-system-timeout', 'lock-system-unreachable'],
    ['garble', 'html', 'vendor-error', 'lock-system-retry'],
    ['garble', 'empty', 'vendor-error', 'lock-system-retry'],
    ['garble', 'http500', 'vendor-error', 'lock-system-retry'],
    ['garble', 'http502', 'vendor-error', 'lock-system-retry'],
    ['garble', 'http504', 'vendor-error', 'lock-system-retry'],
    ['garble', 'http408', 'vendor-error', 'lock-system-retry'],
    ['garble', 'http204', 'vendor-error', 'lock-system-retry'],
    ['garble', 'redirect', 'vendor-error', 'lock-system-retry'],
    ['refuse', 'http307', 'lock-system-rejected', 'lock-system-rejected'],
    ['refuse', 'http403', 'lock-system-rejected', 'lock-system-rejected'],
    ['refuse', 'http404', 'lock-system-rejected', 'lock-system-rejected'],
    ['refuse', 'http429', 'lock-system-retry', 'lock-system-retry'],
  ]
  for (const [does, code, add, read] of strange) {
    it(`${code}: a write is ${add}, a reading is ${read}`, async (test) => {
      const { system, cloud, writes } = await at(test)
      const grant = pinGrant()
      cloud.misbehaviours.push({ at: 'add', does, code })
      await assert.rejects(system.create(grant, call()), fault(add, doubt(add)))
      assert.equal(opens(cloud, 1001, grant.pin!, noon + 1), does === 'garble')
      cloud.misbehaviours.push({ at: 'listPasscodes', does, code })
      await assert.rejects(system.find!(grant, call()), fault(read, false))
      assert.equal((await system.find!(grant, call())) !== null, does === 'garble')
      assert.equal(writes().length, 1, 'nothing is written twice')
    })
  }

  it('a command that is not acknowledged is in doubt, and takes nothing away', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    const longer = { ...grant, validUntil: grant.validUntil + 3_600_000 }
    cloud.gateways.get('first')!.online = false
    const ways = [
      () => system.revoke!(held(grant, key), call()),
      () => system.revoke!(held(grant, { reference: null, uid: null }), call()),
      () => system.change!(held(grant, key), longer, call()),
    ]
    for (const [index, ask] of ways.entries()) {
      const at = index === 2 ? 'change' : 'delete'
      cloud.misbehaviours.push({ at, does: 'garble', code: 'empty' })
      await assert.rejects(ask(), fault('vendor-error', true))
    }
    assert.ok(opens(cloud, 1001, grant.pin!, noon + 1))
  })

  it('a login that is no answer leaves nothing in doubt', async (test) => {
    const { system, cloud, writes } = await at(test)
    for (const code of ['cut', 'html', 'http500', 'empty']) {
      cloud.misbehaviours.push({ at: 'token', does: 'garble', code })
      await assert.rejects(system.create(pinGrant(), call()), (error) => {
        assert.ok(error instanceof DeviceFault)
        assert.equal(error.outcomeUnknown, false, code)
        return true
      })
    }
    assert.equal(writes().length, 0)
  })

  it('an answer within a slow minute is an answer', async (test) => {
    const { system, cloud } = await at(test)
    cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'slow300' })
    await system.create(pinGrant(), call())
  })

  it('its own time limit ends a request for somebody who would wait longer', async (test) => {
    const { system, cloud } = await at(test, { connection: { timeoutMs: 300 } })
    cloud.misbehaviours.push({ at: 'add', does: 'silence' })
    await assert.rejects(system.create(pinGrant(), call()), fault('lock-system-timeout', true))
  })

  it('somebody who leaves while the command is under way does not know', async (test) => {
    const { system, cloud } = await at(test)
    const leaving = new AbortController()
    const then = () => leaving.abort()
    cloud.misbehaviours.push({ at: 'add', does: 'late', then })
    const asked = system.create(pinGrant(), call(20_000, leaving.signal))
    await assert.rejects(asked, fault('lock-system-timeout', true))
    assert.equal(system.state().line, 'online', 'the line is not to blame')
  })
})

describe('a cloud that is not reached', () => {
  const { clientId, clientSecret, username, password } = {
    clientId: 'a',
    clientSecret: 'b',
    username: 'c',
    password: 'd',
  }

  function at(test: TestContext, baseUrl: string): OnlineLockSystem {
    const system = driver.open({
      ...setupBasics,
      clock: testClock(),
      connection: { baseUrl, timeoutMs: 500 },
      credentials: { clientId, clientSecret, username, password },
      openWire: () => Promise.reject(new Error('there is no wire')),
    })
    test.after(() => system.close())
    return system
  }

  async function isUnreachable(system: OnlineLockSystem): Promise<string> {
    const [asked] = await Promise.allSettled([system.create(pinGrant(), call())])
    assert.ok(asked.status === 'rejected')
    assert.ok(fault('lock-system-unreachable', false)(asked.reason))
    assert.equal(system.state().line, 'offline')
    return asked.reason.message
  }

  async function listening(test: TestContext, server: ReturnType<typeof tcpServer>): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    test.after(() => server.close())
    return (server.address() as { port: number }).port
  }

  it('refuses the connection', async (test) => {
    const server = tcpServer()
    const port = await listening(test, server)
    await new Promise((resolve) => server.close(resolve))
    assert.match(await isUnreachable(at(test, `http://127.0.0.1:${port}`)), /accepts no connection/)
  })

  it('has no address', async (test) => {
    await isUnreachable(at(test, 'https://cloud.invalid'))
  })

  it('speaks no TLS', async (test) => {
    const port = await listening(
      test,
      httpServer((_, response) => void response.end('{}')),
    )
    await isUnreachable(at(test, `https://127.0.0.1:${port}`))
  })

  it('takes the connection and stays silent before any of the request could leave', async (test) => {
    let bytes = 0
    const server = tcpServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        bytes += chunk.length
      })
    })
    const port = await listening(test, server)
    assert.match(await isUnreachable(at(test, `https://127.0.0.1:${port}`)), /not reached in time/)
    assert.ok(bytes > 0, 'the greeting of TLS, and nothing behind it')
  })

  it('is believed a refusal with another status, and no success', async (test) => {
    let status = 400
    let body: object = { errcode: -3002, errmsg: '' }
    const answering: RequestListener = (request, response) => {
      request.resume()
      if (request.url === '/oauth2/token')
        return void response.end('{"access_token":"t","expires_in":7776000}')
      response.writeHead(status).end(JSON.stringify(body))
    }
    const system = at(test, `http://127.0.0.1:${await listening(test, httpServer(answering))}`)
    const expected: [number, object, FaultCode][] = [
      [400, { errcode: -3002 }, 'lock-system-unreachable'],
      [200, { errcode: '-3003' }, 'lock-system-busy'],
      [500, { errcode: -3002 }, 'vendor-error'],
      [400, { keyboardPwdId: 7 }, 'lock-system-rejected'],
      [201, { keyboardPwdId: 7 }, 'vendor-error'],
      [200, { errcode: 'none' }, 'vendor-error'],
      [200, { errcode: 0.5 }, 'vendor-error'],
      [200, [], 'vendor-error'],
    ]
    for (const [nextStatus, nextBody, code] of expected) {
      status = nextStatus
      body = nextBody
      await assert.rejects(system.create(pinGrant(), call()), fault(code, doubt(code)))
    }
    status = 200
    body = { keyboardPwdId: 7 }
    assert.deepEqual(await system.create(pinGrant(), call()), { reference: '7', uid: null })
    body = { errcode: 0 }
    assert.deepEqual(await system.create(pinGrant(), call()), { reference: null, uid: null })
  })
})
