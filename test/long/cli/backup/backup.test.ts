import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { type Ended, entry, folder, run, type Served, served } from '../../../cli/command-line.ts'

const at = folder()
const data = join(at.path, 'data')
const passphrase = 'four words are enough'
const secret = join(at.path, 'passphrase')
const key = join(at.path, 'recovery-key')
let house: Served
let backup: string

/** Runs one command line with a text on its standard input. */
async function runWithInput(input: string, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [entry, ...args], { stdio: 'pipe' })
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

const restore = (...args: string[]) => run('restore', ...args, '--identity', key, '--passphrase-file', secret)

before(async () => {
  writeFileSync(secret, `${passphrase}\n`)
  house = await served(data)
})
after(async () => {
  await house.stop()
  at.remove()
})

describe('nightporter backup', () => {
  it('makes none without a recovery key, and says how to make one', async () => {
    const { code, stderr } = await run('backup', '--data', data)
    assert.deepEqual([code, stderr.includes('nightporter backup key')], [1, true])
  })

  it('makes a recovery key, and keeps its public half alone', async () => {
    const short = await runWithInput('short\n', 'backup', 'key', '--data', data)
    assert.deepEqual([short.code, short.stdout, /12 characters/.test(short.stderr)], [1, '', true])
    const made = await runWithInput(`${passphrase}\n`, 'backup', 'key', '--data', data)
    assert.equal(made.code, 0, made.stderr)
    assert.match(
      made.stdout,
      /^-----BEGIN AGE ENCRYPTED FILE-----\n[\s\S]+-----END AGE ENCRYPTED FILE-----\n+$/,
    )
    writeFileSync(key, made.stdout)
    const kept = readFileSync(join(data, 'backup-recipients'), 'utf8')
    assert.match(kept, /^age1[a-z0-9]{58}$/m)
    for (const name of readdirSync(data))
      if (statSync(join(data, name)).isFile())
        assert.ok(!readFileSync(join(data, name), 'latin1').includes('AGE-SECRET-KEY'), name)
  })

  it('makes a backup while the appliance runs, and lists it', async () => {
    const made = await run('backup', '--data', data)
    assert.equal(made.code, 0, made.stderr)
    backup = made.stdout.trim()
    assert.match(made.stderr, /bytes, written and verified\. There is no copy outside this folder/)
    const listed = await run('backup', 'list', '--data', data)
    assert.match(listed.stdout, /^\S+Z {2}asked {5} +\d+ {2}nightporter-\S+\.tar\.gz\.age\n$/)
    assert.ok(backup.endsWith(listed.stdout.trim().split(/ +/).at(-1)!))
  })

  it('encrypts to a recipient that somebody has already, too', async () => {
    const recipient = await identityToRecipient(await generateX25519Identity())
    const wrong = await run('backup', 'key', '--data', data, '--recipient', 'ssh-ed25519 AAAA')
    assert.deepEqual([wrong.code, /begins with age1/.test(wrong.stderr)], [1, true])
    assert.equal((await run('backup', 'key', '--data', data, '--recipient', recipient)).code, 0)
    assert.ok(readFileSync(join(data, 'backup-recipients'), 'utf8').includes(recipient))
  })

  it('is not there for a folder without a house', async () => {
    for (const args of [['backup'], ['backup', 'list'], ['backup', 'key', '--recipient', 'age1']])
      assert.equal((await run(...args, '--data', join(at.path, 'nothing'))).code, 66)
  })
})

describe('nightporter restore', () => {
  it('changes nothing under a running appliance, with a wrong passphrase or with another key', async () => {
    const running = await restore(backup, '--data', data)
    assert.deepEqual([running.code, /Stop it, then restore again/.test(running.stderr)], [69, true])
    writeFileSync(join(at.path, 'other'), 'another passphrase\n')
    const wrong = await run(
      'restore',
      backup,
      '--data',
      data,
      '--identity',
      key,
      '--passphrase-file',
      join(at.path, 'other'),
    )
    assert.deepEqual([wrong.code, /passphrase does not open/.test(wrong.stderr)], [1, true])
    writeFileSync(join(at.path, 'stranger'), await generateX25519Identity())
    const empty = join(at.path, 'stranger-data')
    const stranger = await run('restore', backup, '--data', empty, '--identity', join(at.path, 'stranger'))
    assert.deepEqual([stranger.code, /was encrypted to another key/.test(stranger.stderr)], [65, true])
    assert.ok(!existsSync(join(empty, 'nightporter.db')))
  })

  it('only tries it with --check', async () => {
    const empty = join(at.path, 'checked')
    const { code, stdout } = await restore(backup, '--data', empty, '--check')
    assert.deepEqual(
      [code, /Hotel Sample .* It is undamaged and can be restored\. Nothing was changed/.test(stdout)],
      [0, true],
    )
    assert.ok(!existsSync(join(empty, 'nightporter.db')) && !existsSync(join(empty, 'secret.key')))
  })

  it('tries it with --check beside the running appliance', async () => {
    const { code, stdout, stderr } = await restore(backup, '--data', data, '--check')
    assert.deepEqual(
      [code, /It is undamaged and can be restored\. Nothing was changed/.test(stdout)],
      [0, true],
      stderr,
    )
    assert.deepEqual(
      readdirSync(data).filter((name) => name.startsWith('restore')),
      [],
    )
  })

  it('puts it in place, with the recovery key and its passphrase on standard input', async () => {
    await house.stop()
    const input = `${readFileSync(key, 'utf8')}${passphrase}\n`
    const { code, stdout, stderr } = await runWithInput(input, 'restore', backup, '--data', data)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /kept in .*replaced until the next restore/)
    assert.equal(statSync(join(data, 'secret.key')).mode & 0o777, 0o600)
    house = await served(data)
    assert.match(house.lines.join('\n'), /A backup was restored\. The data are those of /)
    const headers = { Authorization: 'Bearer demo' }
    const { data: units } = (await (await fetch(`${house.url}/api/v2/units`, { headers })).json()) as {
      data: unknown[]
    }
    assert.ok(units.length > 0)
  })
})
