import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import { ConfigRefused } from '../../src/config.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { certificates, noOpenssl } from '../pms/adapters/cloudevents/certificates.ts'

describe('TLS', { skip: noOpenssl }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  let pairs: ReturnType<typeof certificates>
  let house: TestAppliance
  before(async () => {
    pairs = certificates()
    use(pairs.server)
    house = await startAppliance({ tls })
  })
  after(async () => {
    await house.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function use({ cert, key }: { cert: string; key: string }): void {
    writeFileSync(tls.cert, cert)
    writeFileSync(tls.key, key, { mode: 0o600 })
  }

  /** The protocol and the name of the certificate of a connection. */
  async function spoken(options: ConnectionOptions = {}): Promise<[protocol: string | null, name: string]> {
    const { port } = new URL(house.appliance.url)
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, ...options })
    try {
      await once(socket, 'secureConnect')
      return [socket.getProtocol(), String(socket.getPeerCertificate().subject.CN)]
    } finally {
      socket.destroy()
    }
  }

  it('is 1.3, and 1.2 with forward secrecy only', async () => {
    assert.deepEqual(await spoken(), ['TLSv1.3', 'server'])
    assert.deepEqual(await spoken({ maxVersion: 'TLSv1.2' }), ['TLSv1.2', 'server'])
    const old = [
      { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA' },
      { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' },
    ] as const
    for (const options of old) await assert.rejects(spoken(options))
  })

  it('uses a renewed certificate without a restart, once both files are there', async () => {
    writeFileSync(tls.cert, pairs.client.cert)
    await house.during(house.clock.sleep(300_000))
    assert.deepEqual(await spoken(), ['TLSv1.3', 'server'])
    use(pairs.client)
    await house.during(house.clock.sleep(150_000))
    assert.deepEqual(await spoken(), ['TLSv1.3', 'client'])
  })

  it('is refused with a key that other users may read', async () => {
    for (const mode of [0o640, 0o604, 0o602]) {
      chmodSync(tls.key, mode)
      await assert.rejects(startAppliance({ tls }), (error) => {
        assert.ok(error instanceof ConfigRefused)
        assert.match(
          error.message,
          /key\.pem can be read or written by other users of this machine \(mode 06/,
        )
        return true
      })
    }
  })

  it('takes a key that systemd passes as a credential, whose access list counts as a right of the group', async (t) => {
    const credentials = join(folder, 'credentials')
    mkdirSync(credentials, { mode: 0o700 })
    const key = join(credentials, 'box.key')
    writeFileSync(key, pairs.client.key, { mode: 0o440 })
    writeFileSync(tls.cert, pairs.client.cert)
    await assert.rejects(startAppliance({ tls: { ...tls, key } }), ConfigRefused)
    process.env.CREDENTIALS_DIRECTORY = credentials
    t.after(() => delete process.env.CREDENTIALS_DIRECTORY)
    const other = await startAppliance({ tls: { ...tls, key } })
    await other.stop()
    // A file in a folder below it is not one that systemd passed.
    await assert.rejects(
      startAppliance({ tls: { ...tls, key: join(credentials, '../key.pem') } }),
      ConfigRefused,
    )
  })
})
