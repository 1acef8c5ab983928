import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { certificates, noOpenssl } from '../../pms/adapters/cloudevents/certificates.ts'

const password = 'velvet kettle anthem orbit'

describe('Over TLS', { skip: noOpenssl }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  let house: TestAppliance
  let cookies: string[]
  before(async () => {
    const { cert, key } = certificates().server
    writeFileSync(tls.cert, cert)
    writeFileSync(tls.key, key, { mode: 0o600 })
    house = await startAppliance({ tls, sample: false })
    const { headers, status } = await ask('POST', '/api/v2/session/actions/claim', {
      body: { code: house.appliance.pairingCode, name: 'Ida', password },
    })
    assert.equal(status, 201)
    cookies = headers['set-cookie'] ?? []
  })
  after(async () => {
    await house.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Sent {
    body?: unknown
    headers?: Record<string, string>
  }

  function ask(
    method: string,
    path: string,
    { body, headers = {} }: Sent = {},
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }> {
    const sent = {
      'Sec-Fetch-Site': 'same-origin',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    }
    const asked = new Promise<Awaited<ReturnType<typeof ask>>>((resolve, reject) => {
      const options = { method, headers: sent, rejectUnauthorized: false }
      const message = request(house.appliance.url + path, options, async (answer) =>
        resolve({ status: answer.statusCode, headers: answer.headers, text: await text(answer) }),
      )
      message.on('error', reject).end(body === undefined ? '' : JSON.stringify(body))
    })
    return house.during(asked)
  }

  it('both cookies are of this host only, secure, strict and out of reach of scripts', () => {
    assert.match(cookies[0]!, /^__Host-np=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
    assert.match(
      cookies[1]!,
      /^__Host-np-station=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
    )
  })

  it('the cookie counts by its whole name only', async () => {
    const [, value = ''] = /=([\w-]{43});/.exec(cookies[0]!) ?? []
    const statusFor = async (name: string) =>
      (await ask('GET', '/api/v2/units', { headers: { Cookie: `${name}=${value}` } })).status
    assert.equal(await statusFor('__Host-np'), 200)
    assert.equal(await statusFor('np'), 401)
  })

  it('a page of an allowed origin gets no credentials', async () => {
    const { headers } = await ask('GET', '/api/v2/session', { headers: { Origin: 'https://kiosk.example' } })
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })
})
