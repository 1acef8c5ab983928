import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { publish, renew } from '../../image/channel.ts'
import { percentNow, placeOf } from '../../src/update/channel.ts'
import { publicTextOf, signed, verified } from '../../src/update/minisign.ts'
import { lookForOffers } from '../../src/update/offers.ts'
import { isInWindow } from '../../src/update/quiet.ts'
import { defaultUpdateSettings } from '../../src/update/update-settings.ts'
import { compareVersions } from '../../src/update/version-order.ts'
import { programMissing } from '../programs.ts'
import { monday, settableClock } from '../test-clock.ts'
import { type Publisher, publisher } from './box.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const key = publicTextOf(privateKey)

describe('a signature', () => {
  const bytes = Buffer.from('{"version":"0.7.0"}')
  const signature = signed(bytes, 'nightporter 0.7.0', privateKey)

  it('holds for its bytes, its comment and its key, and for nothing else', () => {
    assert.equal(verified(bytes, signature, [key]), 'nightporter 0.7.0')
    const other = publicTextOf(generateKeyPairSync('ed25519').privateKey)
    assert.equal(verified(bytes, signature, [other, 'nonsense']), null)
    assert.equal(verified(Buffer.from('{"version":"0.8.0"}'), signature, [key]), null)
    assert.equal(verified(bytes, signature.replace('0.7.0\n', '0.9.0\n'), [key]), null)
    for (const [at, line] of signature.split('\n').entries())
      if (at > 0 && line !== '') {
        const changed = signature.replace(line, `${line[0] === 'A' ? 'B' : 'A'}${line.slice(1)}`)
        assert.equal(verified(bytes, changed, [key]), null, line)
      }
    assert.equal(verified(bytes, '', [key]), null)
  })

  it('is what minisign makes and reads', { skip: programMissing('minisign') }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'nightporter-minisign-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const minisign = (...args: string[]) => execFileSync('minisign', args, { cwd: folder, stdio: 'pipe' })
    writeFileSync(join(folder, 'ours'), bytes)
    writeFileSync(join(folder, 'ours.minisig'), signature)
    minisign('-V', '-P', key, '-m', 'ours')
    writeFileSync(join(folder, 'ours.minisig'), signature.replace('0.7.0\n', '0.9.0\n'))
    assert.throws(() => minisign('-V', '-P', key, '-m', 'ours'))
    minisign('-G', '-W', '-p', 'their.pub', '-s', 'their.key')
    writeFileSync(join(folder, 'theirs'), bytes)
    minisign('-S', '-s', 'their.key', '-m', 'theirs', '-t', 'by hand')
    const read = (name: string) => execFileSync('cat', [name], { cwd: folder }).toString()
    const [, theirKey = ''] = read('their.pub').split('\n')
    assert.equal(verified(bytes, read('theirs.minisig'), [theirKey]), 'by hand')
  })
})

describe('a channel', () => {
  let source: Publisher
  before(async () => {
    source = await publisher(monday)
  })
  after(() => source.close())

  const look = (seen: number | null = null, isPlausible = true) =>
    lookForOffers({
      settings: { ...defaultUpdateSettings, ...source.settings({ from: null, folder: source.folder }) },
      clock: { ...settableClock(monday), isPlausible: () => isPlausible },
      running: '0.6.0',
      architecture: 'amd64',
      seen,
    })

  it('offers its version', async () => {
    source.publish('0.7.0')
    const { offer, problems } = await look()
    assert.deepEqual([offer?.channel.version, offer?.source, problems], ['0.7.0', source.folder, []])
    source.publish('0.6.0')
    assert.deepEqual([(await look()).offer, (await look()).problems], [null, []])
  })

  it('is laid out by the release tool, and signed again with another roll-out', async () => {
    const bundle = join(source.folder, 'built')
    writeFileSync(bundle, 'the image')
    const published = { folder: source.folder, key: source.privateKey, now: monday }
    const news = { channel: 'stable', version: '0.8.0', minimumVersion: '0.6.0', security: true } as const
    const more = { notes: { en: 'New.' }, rollout: [], days: 30, bundles: { amd64: bundle } }
    await publish(published, { ...news, ...more })
    const found = (await look()).offer?.channel
    assert.deepEqual([found?.version, found?.bundles.amd64?.url], ['0.8.0', 'nightporter-0.8.0-amd64.raucb'])
    const rollout = [{ percent: 0, from: new Date(monday).toISOString() }]
    await renew({ ...published, now: monday + 60_000 }, { channel: 'stable', days: 1, rollout })
    const again = (await look(monday)).offer?.channel
    assert.deepEqual(
      [again?.rollout, again?.security, again?.expires],
      [rollout, true, new Date(monday + 86_460_000).toISOString()],
    )
    await assert.rejects(publish(published, { ...news, ...more, version: '1' }), /is no version/)
  })

  const cases: [name: string, code: string, offer: object, seen?: number, isPlausible?: boolean][] = [
    ['an older version', 'update-downgrade', { version: '0.5.9' }],
    ['a beta of the running version', 'update-downgrade', { version: '0.6.0-beta.1' }],
    ['a version for newer boxes', 'update-too-old', { minimumVersion: '0.6.5' }],
    ['an expired file', 'update-expired', { expires: new Date(monday - 1).toISOString() }],
    ['a file that is older than one it has read', 'update-went-back', {}, monday + 1],
    ['a version without a bundle for this hardware', 'update-no-bundle', { bundles: {} }],
    ['a file of another format', 'update-unreadable', { format: 2 }],
    ['any file while the clock is in doubt', 'update-clock', {}, monday, false],
  ]
  for (const [name, code, offer, seen, isPlausible] of cases)
    it(`refuses ${name}`, async () => {
      source.publish('0.7.0', offer)
      const { offer: found, problems } = await look(seen, isPlausible)
      assert.deepEqual([found, problems.map((each) => each.code)], [null, [code]])
    })

  it('refuses a file with the signature of another key, and one of another channel', async () => {
    source.publish('0.7.0', {}, {}, generateKeyPairSync('ed25519').privateKey)
    assert.equal((await look()).problems[0]?.code, 'update-bad-signature')
    source.publish('0.7.0', { channel: 'beta' })
    assert.equal((await look()).problems[0]?.code, 'update-bad-signature')
  })
})

describe('a roll-out', () => {
  const steps = [
    { percent: 50, from: '2026-06-03T00:00:00+02:00' },
    { percent: 5, from: '2026-06-01T00:00:00+02:00' },
  ]
  it('grows with its steps', () => {
    const at = (time: string) => percentNow({ rollout: steps }, Date.parse(time))
    assert.deepEqual(
      ['2026-05-31T12:00:00Z', '2026-06-01T12:00:00Z', '2026-06-04T12:00:00Z'].map(at),
      [0, 5, 50],
    )
    assert.equal(percentNow({ rollout: [] }, 0), 100)
  })

  it('gives each box a place that differs by version, evenly', () => {
    const places = Array.from({ length: 2_000 }, (_, box) => placeOf(`box-${box}`, '0.7.0'))
    const below = places.filter((place) => place < 10).length
    assert.ok(below > 140 && below < 260, String(below))
    assert.equal(placeOf('box-1', '0.7.0'), placeOf('box-1', '0.7.0'))
    const moved = places.filter((place, box) => placeOf(`box-${box}`, '0.8.0') !== place)
    assert.ok(moved.length > 1_900)
  })
})

it('orders versions', () => {
  const ordered = ['nonsense', '0.6.0', '0.7.0-beta.2', '0.7.0-beta.10', '0.7.0', '0.10.0', '1.0.0']
  assert.deepEqual(ordered.toReversed().sort(compareVersions), ordered)
})

it('knows the quiet hours, over midnight too', () => {
  const at = (window: string, time: string) =>
    isInWindow(window, Date.parse(`2026-06-01T${time}Z`), 'Europe/Lisbon')
  assert.deepEqual(
    [at('02:00-05:00', '01:00'), at('02:00-05:00', '03:59'), at('02:00-05:00', '04:00')],
    [true, true, false],
  )
  assert.deepEqual([at('23:00-04:00', '22:30'), at('23:00-04:00', '12:00')], [true, false])
})
