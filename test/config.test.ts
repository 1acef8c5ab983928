import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { defaultLimits } from '../src/auth/limits/rate-limits.ts'
import { type Config, ConfigRefused, readConfig } from '../src/config.ts'
import fc from './seed.ts'

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
      /rateLimits\.reads is not a setting; there are read, write, search, auth, open.*\. Did you mean read\?$/,
    ],
    [
      { rateLimits: { read: { quota: 0 } } },
      /rateLimits\.read\.quota cannot be 0; expected a whole number from 1/,
    ],
    [{ rateLimits: { read: { quota: 1.5 } } }, /from 1/],
    [
      { rateLimits: { read: { seconds: 3_601 } } },
      /rateLimits\.read\.seconds cannot be 3601; expected a whole number from 1 to 3600/,
    ],
    [{ rateLimits: { read: { window: 1 } } }, /quota/],
    [{ rateLimits: [] }, /rateLimits cannot be \[\]; expected an object with read, write/],
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

  it('is refused with a line for each wrong setting, and the name that was meant', () => {
    const file = {
      prot: 8080,
      logLevel: 'loud',
      backup: { dayly: 7, at: '25:00', weekly: 0 },
      update: { chanel: 'beta', window: '2-5' },
      tls: { cert: 'a' },
      'time-zone': 'Europe/Lisbon',
      metrics: 'network',
    }
    assert.throws(
      () => read(file),
      ({ message }: Error) => {
        const lines = message.split('\n').map((line) => line.replace(/^.*nightporter\.json: /, ''))
        assert.deepEqual(
          lines.map((line) => line.replace(/ .*?( Did you mean .*\?)?$/, '$1')),
          [
            'prot Did you mean port?',
            'logLevel',
            'backup.dayly Did you mean daily?',
            'backup.at',
            'backup.weekly',
            'update.chanel Did you mean channel?',
            'update.window',
            'tls',
            'time-zone Did you mean timeZone?',
          ],
        )
        return true
      },
    )
  })

  it('names each of any wrong settings once', () => {
    const settings: Record<string, [right: unknown, wrong: unknown]> = {
      host: ['127.0.0.1', 1],
      port: [8080, '8080'],
      localPort: [null, -1],
      sample: [true, 'yes'],
      timeZone: ['Europe/Lisbon', 'Lisbon'],
      country: ['PT', 'pt'],
      logLevel: ['warn', 'loud'],
      rateLimits: [{ read: { quota: 5 } }, []],
      allowedOrigins: [[], 'https://kiosk.example'],
      metrics: ['network', 'all'],
      recorderMegabytes: [16, 1.5],
      backup: [{ at: '03:30' }, 7],
      update: [{ channel: 'beta' }, null],
    }
    const names = fc.subarray(Object.keys(settings))
    fc.assert(
      fc.property(names, names, fc.subarray(['colour', 'zzz', 'hosts']), (some, wrong, unknown) => {
        const file = Object.fromEntries([
          ...some.map((name) => [name, settings[name]![0]]),
          ...wrong.map((name) => [name, settings[name]![1]]),
          ...unknown.map((name) => [name, 1]),
        ])
        const found = (() => {
          try {
            read(file)
            return []
          } catch (error) {
            return (error as Error).message.split('\n')
          }
        })()
        const expected = [...wrong, ...unknown]
        assert.equal(found.length, expected.length, found.join('\n'))
        for (const name of expected)
          assert.equal(found.filter((line) => line.includes(`nightporter.json: ${name} `)).length, 1, name)
      }),
    )
  })
})
