import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { describe, it } from 'node:test'
import { CommandFailed } from '../../src/cli/exit-codes.ts'
import { asFailure } from '../../src/cli/start-failure.ts'
import { readConfig } from '../../src/config.ts'
import fc from '../seed.ts'

describe('an error of the system at the start', () => {
  const config = readConfig({ data: '/srv/hotel' })
  const failed = (code: string, syscall: string, path?: string) =>
    asFailure(Object.assign(new Error(code), { code, syscall, path }), config)

  it('is one sentence and an exit code, whatever the system refuses', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(constants.errno)),
        fc.constantFrom('mkdir', 'open', 'access', 'stat', 'scandir'),
        (code, syscall) => {
          const failure = failed(code, syscall, '/srv/hotel')
          assert.ok(failure instanceof CommandFailed, code)
          assert.match(failure.message, /^\S[^\n]*\.$/)
        },
      ),
    )
  })

  it('says what is refused, and ends as documented', () => {
    const expected: [exit: string, text: RegExp, code: string, syscall: string, path?: string][] = [
      ['permission', /^This user has no permission for \/srv\/hotel\.$/, 'EACCES', 'access', '/srv/hotel'],
      [
        'config',
        /^The folder \/proc\/x cannot be made\. Give another folder with --data\.$/,
        'ENOENT',
        'mkdir',
        '/proc/x',
      ],
      ['config', /^cert\.pem does not exist\.$/, 'ENOENT', 'open', 'cert.pem'],
      ['config', /is not a folder/, 'ENOTDIR', 'stat', '/etc/passwd/x'],
      ['device', /disk is full/, 'ENOSPC', 'write'],
      ['device', /read-only/, 'EROFS', 'mkdir', '/srv/hotel'],
      ['unreachable', /is in use.*--listen/, 'EADDRINUSE', 'listen'],
    ]
    for (const [exit, text, ...error] of expected) {
      const failure = failed(...error)
      assert.ok(failure instanceof CommandFailed)
      assert.equal(failure.exit, exit)
      assert.match(failure.message, text)
    }
  })
})
