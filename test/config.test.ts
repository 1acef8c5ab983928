import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { defaultLimits } from '../src/auth/rate-limits.ts'
import { type Config, ConfigRefused, readConfig } from '../src/config.ts'

const data = mkdtempSync(join(tmpdir(), 'config-'))
after(() => rmSync(data, { recursive: true }))

function read(file: unknown, given: Partial<Config> = {}): Config {
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify(file))
  return readConfig({ ...given, data })
}

describe('nightporter.json', () => {
  it('may set some of the quotas, and only the number of one', () => {
    const { rateLimits } = read({ rateLimits: { read: { quota: 5_000 }, auth: { quota: 3, seconds: 600 } } })
    const expected = { read: { quota: 5_000, seconds: 60 }, auth: { quota: 3, seconds: 600 } }
    assert.deepEqual(rateLimits, { ...defaultLimits, ...expected })
  })

  it('is overridden by the command line', () => {
    assert.equal(read({ port: 1 }, { port: 2 }).port, 2)
  })

  const wrong: [setting: object, why: RegExp][] = [
    [
      { rateLimits: { reads: { quota: 1 } } },
      /rateLimits cannot be .*; expected read, write, search, auth, open/,
    ],
    [{ rateLimits: { read: { quota: 0 } } }, /from 1/],
    [{ rateLimits: { read: { quota: 1.5 } } }, /from 1/],
    [{ rateLimits: { read: { seconds: 3_601 } } }, /1 to 3600/],
    [{ rateLimits: { read: { window: 1 } } }, /quota/],
    [{ rateLimits: [] }, /quota/],
    [{ allowedOrigins: 'https://kiosk.example' }, /a list of origins/],
    [{ allowedOrigins: ['*'] }, /a list of origins/],
    [{ allowedOrigins: ['https://kiosk.example/'] }, /a list of origins/],
    [{ recorderMegabytes: -1 }, /whole megabytes from 0/],
    [{ recorderMegabytes: 1.5 }, /whole megabytes from 0/],
    [{ port: '8080' }, /port cannot be "8080"; expected a number/],
    [{ data: '/elsewhere' }, /data is not a setting; there are host, port/],
    [{ colour: 'red' }, /colour is not a setting/],
  ]
  for (const [setting, why] of wrong) {
    it(`is refused with ${JSON.stringify(setting)}`, () => {
      assert.throws(
        () => read(setting),
        (error) => error instanceof ConfigRefused && why.test(error.message),
      )
    })
  }
})
