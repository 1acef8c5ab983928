import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const kiosk = 'https://kiosk.example:8443'

/** Asks with an origin, which fetch would not let anybody choose. */
function ask(house: TestAppliance, method: string, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const asked = request(house.appliance.url + path, { method, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
    })
    asked.once('error', reject)
    asked.end()
  })
}

const preflight = (origin: string) => ({
  Origin: origin,
  'Access-Control-Request-Method': 'PATCH',
  'Access-Control-Request-Headers': 'authorization,content-type,if-match',
})
const units = '/api/v2/units'
const demo = { Authorization: 'Bearer demo' }
const told = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

describe('a page of an origin that is allowed', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ allowedOrigins: [kiosk] })
  })
  after(() => house.stop())

  it('may use any method and header, after a preflight without a token', async () => {
    const { status, headers } = await ask(house, 'OPTIONS', units, preflight(kiosk))
    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-origin'], kiosk)
    assert.equal(headers['access-control-allow-headers'], 'authorization,content-type,if-match')
    assert.match(String(headers['access-control-allow-methods']), /PATCH/)
    assert.equal(headers['access-control-max-age'], '600')
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })

  it('may call the private network from the internet', async () => {
    const asked = { ...preflight(kiosk), 'Access-Control-Request-Private-Network': 'true' }
    const { headers } = await ask(house, 'OPTIONS', units, asked)
    assert.equal(headers['access-control-allow-private-network'], 'true')
  })

  const answers: [what: string, status: number, headers: Record<string, string>][] = [
    ['an answer', 200, demo],
    ['a refusal', 401, {}],
  ]
  for (const [what, expected, token] of answers) {
    it(`sees ${what} and its headers`, async () => {
      const { status, headers } = await ask(house, 'GET', units, { ...token, Origin: kiosk })
      assert.equal(status, expected)
      assert.equal(headers['access-control-allow-origin'], kiosk)
      assert.match(String(headers['access-control-expose-headers']), /ETag.*RateLimit.*X-Request-Id/)
      assert.match(String(headers.vary), /Origin/)
    })
  }

  it('is refused when its origin only looks similar', async () => {
    for (const origin of [
      `${kiosk}.evil.example`,
      'http://kiosk.example:8443',
      'https://kiosk.example',
      'null',
    ]) {
      const { status, headers } = await ask(house, 'OPTIONS', units, preflight(origin))
      assert.deepEqual([status, told(headers)], [405, []], origin)
      const answered = await ask(house, 'GET', units, { ...demo, Origin: origin })
      assert.deepEqual([answered.status, told(answered.headers)], [200, []], origin)
    }
  })
})

describe('a page of any origin', () => {
  it('gets no CORS headers when none is allowed', async () => {
    const house = await startAppliance()
    const { status, headers } = await ask(house, 'OPTIONS', units, preflight(kiosk))
    assert.deepEqual([status, told(headers)], [405, []])
    const answered = await ask(house, 'GET', units, { ...demo, Origin: kiosk })
    assert.deepEqual([answered.status, told(answered.headers)], [200, []])
    await house.stop()
  })
})
