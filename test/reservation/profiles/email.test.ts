import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emailSchema, profileEmails } from '../../../src/reservation/values/email.ts'
import { refusal } from '../refusal.ts'
import { accepts } from '../schema-check.ts'

describe('An email', () => {
  it('has its domain in lower case, its name as it is, and is private unless it says otherwise', () => {
    assert.deepEqual(profileEmails([{ address: 'Anna.K@Example.ORG', type: null }]), [
      { address: 'Anna.K@example.org', type: 'Private', primary: true },
    ])
  })

  it('keeps what it says', () => {
    const emails = profileEmails([
      { address: 'a@b.c' },
      { address: 'd@e.f', type: 'Business', primary: true },
    ])
    assert.deepEqual(emails[1], { address: 'd@e.f', type: 'Business', primary: true })
  })

  it('stays verified while its address stays, whatever a body says', () => {
    const kept = {
      address: 'a@b.c',
      type: 'Private',
      primary: true,
      verifiedAt: '2026-05-01T10:00:00Z',
    } as const
    const [same, other] = profileEmails(
      [{ address: 'a@B.C' }, { address: 'x@b.c', verifiedAt: '2026-01-01' }],
      [kept],
    )
    assert.equal(same?.verifiedAt, kept.verifiedAt)
    assert.equal(other && 'verifiedAt' in other, false)
  })

  it('is one of several that are primary: refused', () => {
    const emails = [
      { address: 'a@b.c', primary: true },
      { address: 'd@e.f', primary: true },
    ]
    assert.throws(() => profileEmails(emails), refusal('validation-failed', '/emails/1/primary'))
  })

  const forms: [address: unknown, boolean][] = [
    ['a@b', true],
    ['o’neill+hotel@münchen.example', true],
    ['a@b@c', false],
    ['a b@c.d', false],
    ['a@', false],
    ['@b', false],
    ['plain', false],
    [`${'a'.repeat(249)}@b.cd`, true],
    [`${'a'.repeat(250)}@b.cd`, false],
    [null, false],
  ]
  for (const [address, valid] of forms) {
    it(`${String(address).slice(0, 40)} ${valid ? 'can' : 'cannot'} be its address`, () => {
      assert.equal(accepts(emailSchema, { address, verifiedAt: 'ignored' }), valid)
    })
  }
})
