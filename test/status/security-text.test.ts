import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Request } from '../../src/jsonapi/route.ts'
import { securityTextRoute } from '../../src/status/security-text.ts'

const now = Date.UTC(2026, 10, 23, 12)

async function fields(contact: string | null, host = 'box.local:8443', socket: object = { encrypted: true }) {
  const header = (name: string) => (name === 'host' ? host : '')
  const { handle } = securityTextRoute(contact, () => now)
  const { text = '', type } = await handle({ header, message: { socket } } as Request)
  assert.equal(type, 'text/plain; charset=utf-8')
  return text.trimEnd().split('\n')
}

describe('security.txt', () => {
  it('has contact, end and policy as RFC 9116 says', async () => {
    assert.deepEqual(await fields('mailto:security@hotel.example'), [
      'Contact: mailto:security@hotel.example',
      'Expires: 2027-05-23T00:00:00.000Z',
      'Policy: https://box.local:8443/handbook/security',
      'Preferred-Languages: en, de',
      'Canonical: https://box.local:8443/.well-known/security.txt',
    ])
  })

  it('names the page of the handbook without a contact, and repeats no host that is none', async () => {
    const lines = await fields(null, 'evil\nContact: x', {})
    assert.equal(lines[0], 'Contact: http://localhost/handbook/security')
    assert.equal(lines.length, 5)
    assert.match((await fields(null, '[fe80::1]:8443')).join(), /https:\/\/\[fe80::1\]:8443\//)
  })
})
