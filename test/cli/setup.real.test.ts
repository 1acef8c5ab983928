import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { readYaml } from '../../src/cli/setup/yaml-file.ts'
import { startAppliance } from '../appliance.ts'
import { folder, runWith } from './command-line.ts'

/** The example of the handbook, which the reader of the installers' pages runs whole. */
const [, example = ''] =
  /```yaml\n([\s\S]*?)```/.exec(
    readFileSync(new URL('../../src/handbook/set-up.md', import.meta.url), 'utf8'),
  ) ?? []

it('nightporter setup applies the example of the handbook, once, and exports it', async (t) => {
  const house = await startAppliance({ sample: false })
  const { path, remove } = folder()
  t.after(async () => {
    remove()
    await house.stop()
  })
  const code = house.appliance.pairingCode
  const paired = await house.ask('POST', '/api/config/v1/pairing', { body: { code }, token: null })
  const environment = {
    NIGHTPORTER_URL: house.appliance.url,
    NIGHTPORTER_TOKEN: paired.body.meta.token,
  }
  const file = join(path, 'hotel.yaml')
  const setup = (more: Record<string, string>, ...args: string[]) =>
    house.during(runWith({ ...environment, ...more }, 'setup', ...args))
  writeFileSync(file, example)

  const poor = await setup({}, file)
  assert.equal(poor.code, 66, poor.stderr)
  assert.match(poor.stderr, /pms\[0\]\.credentials\.token: the variable PMS_TOKEN is not set/)
  writeFileSync(file, example.replace('k720', 'k721').replace('role: frontdesk', 'rol: frontdesk'))
  const poorer = await setup({}, file)
  assert.match(poorer.stderr, /PMS_TOKEN[\s\S]*Did you mean k720[\s\S]*staff\[0\]\.rol: .*Did you mean role/)
  // What stands for a certificate that is missing is no certificate.
  const tls = { clientCertificate: { file: 'none.pem' }, clientKey: { env: 'NO_KEY' } }
  const [connection, transport] = [{ baseUrl: 'http://127.0.0.1:9' }, 'http']
  const pms = [{ name: 'PMS', adapter: 'cloudevents', transport, connection, credentials: tls }]
  writeFileSync(join(path, 'tls.json'), JSON.stringify({ pms, settings: { x: 1 } }))
  const { code: exit, stderr } = await setup({}, join(path, 'tls.json'))
  assert.equal(exit, 66)
  assert.deepEqual(
    stderr.split('\n').flatMap((line) => /^ {2}(.*?: .{8})/.exec(line)?.[1] ?? []),
    [
      'pms[0].credentials.clientCertificate: none.pem',
      'pms[0].credentials.clientKey: the vari',
      'settings.x: x is not',
    ],
    stderr,
  )
  writeFileSync(file, example)
  const secret = { PMS_TOKEN: 'of-the-PMS' }
  const trial = await setup(secret, file, '--dry-run')
  assert.equal(trial.code, 0, trial.stderr)
  assert.match(trial.stdout, /^would make rooms: 101, .* and 49 more$/m)
  const first = await setup(secret, file)
  assert.match(first.stdout, /^code of Ana: \S+ \(until /m)
  assert.equal(
    first.stdout
      .replace(/^code of .*\n/m, '')
      .replaceAll('made', 'would make')
      .split('\n').length,
    trial.stdout.split('\n').length,
  )
  assert.equal((await setup(secret, file)).stdout, 'The property is as the file says. Nothing to change.\n')

  writeFileSync(file, example.replace('DBL; 201', 'DBX; 201').replace('k720', 'k721'))
  const wrong = await setup(secret, file)
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stderr,
    /nothing was written\.\n {2}rooms: .*DBX.*\n {2}dispensers\[0\]\.device\.driver: .*k721/,
  )
  writeFileSync(file, 'rooms: [101')
  assert.equal((await setup(secret, file)).code, 65)
  writeFileSync(file, 'settings: {}\nsettings: {}\nrooms: a\nrooms: b\n')
  assert.match((await setup(secret, file)).stderr, /line 2[\s\S]*line 4/)
  assert.equal((await setup(secret)).code, 64)

  const exported = await setup({}, '--export')
  assert.match(exported.stdout, /^rooms: 101-130,201-212,214-230 DBL; 301,302 SUI$/m)
  assert.doesNotMatch(exported.stdout, /of-the-PMS|credentials/)
  // As an editor of Windows writes it.
  writeFileSync(join(path, 'export.json'), `\ufeff${JSON.stringify({ rooms: '303 SUI' })}`)
  assert.match((await setup({}, join(path, 'export.json'))).stdout, /^made rooms: 303$/m)
})

it('a file with an alias of nothing, and one that grows without end, are refused with a sentence', () => {
  const letters = ['b', 'c', 'd', 'e']
  const bomb = letters.reduce(
    (text, each, at) => `${text}${each}: &${each} [${`*${['a', ...letters][at]},`.repeat(9)}]\n`,
    'a: &a [1,1,1,1,1,1,1,1,1]\n',
  )
  for (const text of ['rooms: *nothing', bomb])
    assert.throws(() => readYaml(text, 'hotel.yaml'), { exit: 'data', message: /^hotel.yaml is not YAML: / })
})
