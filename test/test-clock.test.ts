import assert from 'node:assert/strict'
import { argon2, argon2Sync, webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip, gzip } from 'node:zlib'
import { testClock } from './test-clock.ts'

const { subtle } = webcrypto

describe('a test clock', () => {
  const slow = {
    message: 'secret',
    nonce: 'salt of a hash',
    parallelism: 1,
    tagLength: 32,
    memory: 65_536,
    passes: 2,
  }
  const text = Buffer.alloc(40_000_000, 'a text that is long')
  const jobs: Record<string, () => Promise<unknown>> = {
    'a hash': () => promisify(argon2)('argon2id', slow),
    'a hash of the browsers': async () => {
      const key = await subtle.importKey('raw', Buffer.from('secret'), 'PBKDF2', false, ['deriveBits'])
      const how = { name: 'PBKDF2', hash: 'SHA-256', salt: Buffer.from('salt'), iterations: 300_000 }
      await subtle.deriveBits(how, key, 256)
    },
    'a compression': () => promisify(gzip)(text),
    'a stream that begins to compress later': async () => {
      const stream = createGzip().resume()
      for (let turns = 0; turns < 3; turns++) await turn()
      await promisify((done: () => void) => stream.write(text, done))()
    },
  }
  for (const [name, begin] of Object.entries(jobs))
    it(`does not jump over ${name}`, async () => {
      const clock = testClock()
      const ends: string[] = []
      const hour = clock.sleep(3_600_000).then(() => ends.push('timer'))
      await Promise.all([begin().then(() => ends.push('job')), hour])
      assert.deepEqual(ends, ['job', 'timer'])
    })

  const ended: Record<string, () => Promise<unknown>> = {
    'a hash that was made at once': async () => argon2Sync('argon2id', { ...slow, memory: 64 }),
    'a decompression that was refused': () => assert.rejects(promisify(gunzip)(Buffer.from('no gzip'))),
    'a stream that its reader has left': async () => {
      const stream = createGzip()
      stream.on('data', () => stream.destroy())
      stream.write(text)
      await once(stream, 'close')
    },
    'a stream that waits for its reader': async () => {
      const stream = createGzip({ level: 0 })
      stream.write(text)
      await once(stream, 'readable')
    },
  }
  for (const [name, end] of Object.entries(ended))
    it(`goes on after ${name}`, async () => {
      await end()
      await testClock().sleep(3_600_000)
    })
})
