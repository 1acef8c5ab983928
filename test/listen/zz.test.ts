import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { startAppliance } from '../appliance.ts'
import { certificates } from '../pms/adapters/cloudevents/certificates.ts'

it('x', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const { server } = certificates()
  writeFileSync(tls.cert, server.cert)
  writeFileSync(tls.key, server.key, { mode: 0o600 })
  const house = await startAppliance({ tls })
  const s = connect(Number(new URL(house.appliance.url).port), '127.0.0.1')
  await once(s, 'connect')
  s.on('error', () => {})
  await new Promise((r) => setTimeout(r, 50))
  const t0 = performance.now()
  await house.stop()
  console.log('stop', performance.now() - t0)
})
