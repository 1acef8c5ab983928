import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { makeKey, openVault, type Vault } from '../../src/host/vault.ts'

describe('the key of a vault', () => {
  it('is made whole, with mode 0600, and leaves no other file', (t) => {
    const path = keyPath(t)
    // What a power cut has left of an earlier try.
    writeFileSync(`${path}.new`, Buffer.alloc(7), { mode: 0o600 })
    makeKey(path)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(readFileSync(path).length, 32)
    assert.deepEqual(readdirSync(join(path, '..')), ['secret.key'])
  })

  it('differs for each appliance, and so does its fingerprint', (t) => {
    const [here, there] = [keyPath(t), keyPath(t)]
    const prints = [vaultAt(here), vaultAt(there), openVault(here)].map(({ fingerprint }) => fingerprint)
    assert.notDeepEqual(readFileSync(here), readFileSync(there))
    assert.notEqual(prints[0], prints[1])
    assert.equal(prints[0], prints[2])
    assert.match(prints[0]!, /^[0-9a-f]{64}$/)
  })

  for (const mode of [0o640, 0o604, 0o660])
    it(`is refused with mode ${mode.toString(8)}`, (t) => {
      const path = keyPath(t)
      makeKey(path)
      chmodSync(path, mode)
      assert.throws(() => openVault(path), {
        message: new RegExp(`secret\\.key can be read.*0${mode.toString(8)}`),
      })
    })

  for (const size of [0, 31, 33])
    it(`is refused with ${size} bytes`, (t) => {
      const path = keyPath(t)
      writeFileSync(path, Buffer.alloc(size), { mode: 0o600 })
      assert.throws(() => openVault(path), {
        message: `${path} is damaged: it has ${size} bytes instead of 32. Restore it from a backup`,
      })
    })

  it('is not made by opening the vault, and needs an existing folder', (t) => {
    const path = keyPath(t)
    assert.throws(() => openVault(path), { code: 'ENOENT' })
    assert.throws(() => makeKey(join(path, 'none', 'secret.key')), { code: 'ENOENT' })
  })
})

describe('a sealed text', () => {
  for (const text of ['1234', '', 'Zimmer 12 · ключ', 'x'.repeat(10_000)])
    it(`is decrypted: ${text.slice(0, 20)}`, (t) => {
      const vault = vaultAt(keyPath(t))
      assert.equal(vault.unseal(vault.seal(text, 'key/1'), 'key/1'), text)
    })

  it('does not show its content, and differs each time', (t) => {
    const vault = vaultAt(keyPath(t))
    const [once, again] = [vault.seal('1234', 'key/1'), vault.seal('1234', 'key/1')]
    assert.match(once, /^v1\.[\w-]+$/)
    assert.notEqual(once, again)
    assert.ok(!Buffer.from(once.slice(3), 'base64url').includes('1234'))
  })

  it('is decrypted after a restart', (t) => {
    const path = keyPath(t)
    const sealed = vaultAt(path).seal('1234', 'key/1')
    assert.equal(openVault(path).unseal(sealed, 'key/1'), '1234')
  })

  it('is not decrypted once any of its bytes is changed', (t) => {
    const vault = vaultAt(keyPath(t))
    const sealed = Buffer.from(vault.seal('1234', 'key/1').slice(3), 'base64url')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = changed[at]! ^ 1
      assert.throws(() => vault.unseal(`v1.${changed.toString('base64url')}`, 'key/1'), refused('key/1'))
    }
  })

  it('is not decrypted for another context, and the error does not show its content', (t) => {
    const vault = vaultAt(keyPath(t))
    const sealed = vault.seal('1234', 'key/1')
    assert.throws(() => vault.unseal(sealed, 'key/2'), refused('key/2'))
  })

  it('is not decrypted with another key', (t) => {
    const sealed = vaultAt(keyPath(t)).seal('1234', 'key/1')
    assert.throws(() => vaultAt(keyPath(t)).unseal(sealed, 'key/1'), refused('key/1'))
  })

  for (const text of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', '1234'])
    it(`is not ${JSON.stringify(text)}`, (t) =>
      assert.throws(() => vaultAt(keyPath(t)).unseal(text, 'key/1'), refused('key/1')))
})

function refused(context: string) {
  return {
    message: `The value encrypted for ${context} cannot be decrypted: it was changed, or encrypted with another key`,
  }
}

function vaultAt(path: string): Vault {
  makeKey(path)
  return openVault(path)
}

function keyPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vault-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'secret.key')
}
