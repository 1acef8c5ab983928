import assert from 'node:assert/strict'
import { request } from 'node:http'
import { hostname } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

/** The status that the token demo is answered with. `fetch` sets the host by itself, so this is asked without it. */
function statusFor(headers: Record<string, string>): Promise<number> {
  const options = { headers: { Authorization: 'Bearer demo', ...headers } }
  return new Promise((resolve, reject) => {
    request(`${house.appliance.url}/api/v2/units`, options, (message) => {
      message.resume().on('end', () => resolve(message.statusCode!))
    })
      .on('error', reject)
      .end()
  })
}

describe('the token demo', () => {
  const own = ['127.0.0.1', 'localhost', 'LOCALHOST:8080', '[::1]:8080', '127.0.0.2:1', hostname()]
  for (const host of own) {
    it(`is accepted for ${host === hostname() ? 'the name of this machine' : host}`, async () => {
      assert.equal(await statusFor({ Host: host }), 200)
    })
  }

  for (const host of ['rebound.example', 'localhost.example', '127.0.0.1.example:8080', '203.0.113.7']) {
    it(`is refused for ${host}`, async () => {
      assert.equal(await statusFor({ Host: host }), 401)
    })
  }

  for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP']) {
    it(`is refused behind a proxy that sends ${name}`, async () => {
      assert.equal(await statusFor({ [name]: '192.0.2.1' }), 401)
    })
  }
})

describe('every answer', () => {
  it('has the media type that it declares', async () => {
    for (const path of ['/api/v2/units', '/nowhere', '/docs', '/healthz', '/api/v2/units/none']) {
      const { headers } = await house.ask('GET', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
  })
})
