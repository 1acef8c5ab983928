import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { certificates, noOpenssl } from '../pms/adapters/cloudevents/certificates.ts'
import fc from '../seed.ts'

describe('The port of TLS', { skip: noOpenssl }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
  let house: TestAppliance
  let port: number
  before(async () => {
    const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    const { server } = certificates()
    writeFileSync(tls.cert, server.cert)
    writeFileSync(tls.key, server.key, { mode: 0o600 })
    house = await startAppliance({ tls })
    port = Number(new URL(house.appliance.url).port)
  })
  after(async () => {
    await house.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends bytes without TLS, in these parts, and returns all that comes back until the connection ends. */
  async function sent(...parts: (string | Buffer)[]): Promise<string> {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    await once(socket, 'connect')
    socket.setNoDelay(true)
    for (const part of parts) {
      socket.write(part)
      await new Promise(setImmediate)
    }
    if (!socket.closed) await once(socket, 'close')
    return text
  }
  const locationOf = (answer: string) => /^Location: (.*)\r$/m.exec(answer)?.[1]

  it('redirects a request without TLS to the same host and path', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      const answer = await sent(`${method} /desk?a=1 HTTP/1.1\r\nHost: box.example:${port}\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 308 /, method)
      assert.equal(locationOf(answer), `https://box.example:${port}/desk?a=1`)
    }
  })

  it('redirects any host and path', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.domain(),
          fc.ipV4(),
          fc
            .ipV6()
            .filter((each) => !each.includes('%'))
            .map((each) => `[${each}]`),
        ),
        fc.webPath(),
        fc.option(fc.integer({ min: 1, max: 65_535 })),
        async (name, path, at) => {
          const host = at === null ? name : `${name}:${at}`
          const answer = await sent(`GET ${path || '/'} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
          assert.equal(locationOf(answer), `https://${host}${path || '/'}`)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('redirects a request with the whole URL to its path', async () => {
    for (const [url, path] of [
      [`http://box.example:${port}/desk?a=1`, '/desk?a=1'],
      ['HTTP://box.example/setup', '/setup'],
      ['http://box.example', '/'],
      ['http://box.example?a=/b', '/'],
      ['http://10.0.0.7:8443//x', '//x'],
      ['*', '/'],
    ] as const) {
      const answer = await sent(`OPTIONS ${url} HTTP/1.1\r\nHost: box.example\r\n\r\n`)
      assert.equal(locationOf(answer), `https://box.example${path}`, url)
    }
  })

  it('reads a request that comes in parts', async () => {
    const answer = await sent('G', 'ET /set', 'up HTTP/1.1\r\nHo', 'st: box.example\r\n', '\r\n')
    assert.equal(locationOf(answer), 'https://box.example/setup')
  })

  it('answers with its address where no usable host is named', async () => {
    for (const host of [
      '',
      'Host: \r\n',
      'Host: a/b\r\n',
      'Host: user@box\r\n',
      'Host: box.example, other\r\n',
    ]) {
      const answer = await sent(`GET /desk HTTP/1.1\r\n${host}\r\n`)
      assert.match(answer, /^HTTP\/1\.1 400 /, host)
      assert.match(
        answer,
        new RegExp(`no host that can be used.*Use https://127\\.0\\.0\\.1:${port}/desk\n$`),
        host,
      )
      assert.equal(locationOf(answer), undefined)
    }
    assert.match(await sent('GET / HTTP/1.0\r\n\r\n'), /400 [\s\S]*https:\/\/127\.0\.0\.1/)
  })

  it('serves nothing without TLS, also later on the connection', async () => {
    const one = 'GET /readyz HTTP/1.1\r\nHost: box.example\r\n\r\n'
    const answer = await sent(one + one + one)
    assert.deepEqual(
      [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['308'],
    )
    const body = 'POST /api/config/v1/pairing HTTP/1.1\r\nHost: box.example\r\nContent-Length: 70000\r\n\r\n'
    assert.match(await sent(body, Buffer.alloc(70_000, 'x')), /^HTTP\/1\.1 308 /)
  })

  it('ends connections that speak neither, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        // A handshake that is not one is refused by TLS.
        const answer = await sent(Buffer.from(bytes), '\r\n\r\n', '\r\n'.repeat(9_000))
        assert.doesNotMatch(answer, /^HTTP\/1\.1 200/)
      }),
      { numRuns: 20 },
    )
    const reset = connect(port, '127.0.0.1')
    await once(reset, 'connect')
    reset.resetAndDestroy()
    const ready = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    ready.write('GET /readyz HTTP/1.1\r\nHost: box.example\r\nConnection: close\r\n\r\n')
    const [chunk] = await once(ready, 'data')
    assert.match(String(chunk), /^HTTP\/1\.1 200/)
    ready.destroy()
  })

  it('takes a TLS handshake that comes byte by byte, and refuses a request without a host', async () => {
    const raw = connect(port, '127.0.0.1')
    await once(raw, 'connect')
    raw.setNoDelay(true)
    const slow = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        for (const byte of chunk) raw.write(Buffer.from([byte]))
        done()
      },
    })
    raw.on('data', (chunk) => slow.push(chunk))
    const secure = connectTls({ socket: slow, rejectUnauthorized: false })
    await once(secure, 'secureConnect')
    secure.write('GET /desk HTTP/1.1\r\n\r\n')
    const [chunk] = await once(secure, 'data')
    assert.match(String(chunk), /^HTTP\/1\.1 400 [\s\S]*Use https:\/\/127/)
    secure.destroy()
    raw.destroy()
  })

  it('redirects what a client of HTTP sends', async () => {
    const sending = request({ port, host: '127.0.0.1', path: '/api/v2/status', agent: false }).end()
    const [response] = await once(sending, 'response')
    assert.equal(response.statusCode, 308)
    assert.equal(response.headers.location, `https://127.0.0.1:${port}/api/v2/status`)
    response.resume()
    await once(response, 'end')
  })
})
