import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pairingLines } from '../../../src/cli/simulate/lines-to-try.ts'

const lineFor = (url: string, entry = 'file:///opt/nightporter/nightporter.js') =>
  pairingLines(
    {
      url,
      data: '/var/lib/nightporter',
      isDefault: false,
      certificate: '/etc/box.pem',
      entry: new URL(entry),
    },
    '12345678',
  ).at(-1)!

it('names this machine where the server listens on all addresses', () => {
  for (const url of ['https://0.0.0.0:8443', 'https://[::]:8443'])
    assert.match(lineFor(url), / --url https:\/\/localhost:8443$/)
  assert.match(lineFor('https://10.0.0.0:8443'), / --url https:\/\/10\.0\.0\.0:8443$/)
  assert.match(lineFor('https://192.168.1.10:8443'), / --url https:\/\/192\.168\.1\.10:8443$/)
})

it('names a command that a terminal in a checkout finds', () => {
  const url = 'https://10.0.0.0:8443'
  const entry = new URL('../../../src/nightporter.js', import.meta.url).href
  assert.match(lineFor(url, entry), / npx -s nightporter token pair 12345678 /)
  assert.match(lineFor(url), /pem nightporter token pair 12345678 /)
})
