import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest, looksLikeToken, newToken } from '../../src/auth/secrets/token-format.ts'

describe('a token', () => {
  for (const environment of ['live', 'test'] as const)
    it(`for ${environment} has its form and a right checksum`, () => {
      const token = newToken(environment)
      assert.match(token, new RegExp(`^lk_${environment}_[0-9A-Za-z]{22}_[0-9A-Za-z]{6}$`))
      assert.equal(looksLikeToken(token), true)
    })

  it('differs each time', () => assert.notEqual(newToken('live'), newToken('live')))

  it('has the same checksum in all releases', () =>
    assert.equal(looksLikeToken('lk_live_0123456789ABCDEFGHIJKL_1j0kuL'), true))

  it('is detected with a single wrong character', () => {
    const token = newToken('live')
    const start = 'lk_live_'.length
    for (let place = start; place < token.length; place++) {
      if (token[place] === '_') continue
      const typo = token.slice(0, place) + (token[place] === 'a' ? 'b' : 'a') + token.slice(place + 1)
      assert.equal(looksLikeToken(typo), false, typo)
    }
  })

  const others = [
    '',
    'demo',
    'lk_live_',
    newToken('live').slice(0, -1),
    `${newToken('live')}x`,
    ` ${newToken('live')}`,
  ]
  for (const text of others)
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(looksLikeToken(text), false))

  it('belongs to its environment', () =>
    assert.equal(looksLikeToken(newToken('test').replace('_test_', '_live_')), false))

  it('is stored as its SHA-256', () =>
    assert.equal(
      digest('abc').toString('hex'),
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    ))
})
