import assert from 'node:assert/strict'
import { argon2 } from 'node:crypto'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { testClock } from './test-clock.ts'

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
    'a compression': () => promisify(gzip)(text),
    'a stream that compresses': async () => {
      const stream = createGzip().resume()
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
})
