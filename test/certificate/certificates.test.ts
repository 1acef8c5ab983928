import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { keepCertificates } from '../../src/certificate/certificate-file.ts'
import { openCertificates } from '../../src/certificate/certificates.ts'
import { machineNames, namesOf } from '../../src/certificate/machine-names.ts'
import { makeAuthority, makeLeaf, type OwnNames } from '../../src/certificate/make-certificate.ts'
import { isOwnName } from '../../src/certificate/own-name.ts'
import { dataFiles } from '../../src/host/files/data-files.ts'
import { createLog } from '../../src/host/log.ts'
import { makeKey, openVault } from '../../src/host/vault.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { monday } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'
import { eventually } from '../eventually.ts'
import { programMissing } from '../programs.ts'
import { machine } from './secured-house.ts'

const day = 86_400_000

interface Opening {
  data?: string
  network?: OwnNames
  now?: number
  failed?(error: Error): void
}

/** The certificates of a box whose machine and clock the test changes. */
async function opened(
  t: TestContext,
  { data = folderFor(t), network = machine, now = monday, failed = assert.fail }: Opening = {},
) {
  const key = join(data, 'key')
  if (!statSync(key, { throwIfNoEntry: false })) makeKey(key)
  const clock = virtualClock(now)
  const state = { isPlausible: true, network }
  const certificates = await openCertificates({
    data,
    vault: openVault(key),
    clock: { ...clock, isPlausible: () => state.isPlausible },
    network: () => state.network,
    log: createLog({ level: 'silent' }),
    failed: (error) => failed(error as Error),
  })
  t.after(certificates.close)
  const leaf = () => new X509Certificate(certificates.inUse().certificate)
  const authority = () => new X509Certificate(certificates.kept().authority.certificate)
  /** Lets time go by, and what begins in it come to its end. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    clock.fire()
    await certificates.upload(certificates.kept().uploaded)
  }
  return { certificates, clock, state, leaf, authority, pass, data }
}

describe("A box's own certificate", () => {
  it('is for its names and addresses, for 397 days, by an authority of ten years', async (t) => {
    const { leaf, authority } = await opened(t)
    for (const name of ['porter', 'porter.local', 'localhost']) assert.equal(leaf().checkHost(name), name)
    for (const address of ['192.168.1.10', '127.0.0.1', '::1']) assert.equal(leaf().checkIP(address), address)
    assert.ok(leaf().checkIssued(authority()) && leaf().verify(authority().publicKey))
    const days = (of: X509Certificate) => (of.validToDate.getTime() - of.validFromDate.getTime()) / day
    assert.deepEqual([days(leaf()), days(authority())], [397, 3_651])
    assert.equal(leaf().validFromDate.getTime(), monday - day)
  })

  it('is renewed 30 days before its end, by the same authority', async (t) => {
    const { leaf, authority, pass } = await opened(t)
    const [first, issuer] = [leaf().fingerprint256, authority().fingerprint256]
    await pass(366 * day - 60_000)
    assert.equal(leaf().fingerprint256, first)
    await pass(120_000)
    assert.notEqual(leaf().fingerprint256, first)
    assert.equal(authority().fingerprint256, issuer)
    assert.ok(leaf().validToDate.getTime() > monday + 750 * day)
  })

  it('is kept as it was while the disk is full, and renewed when there is room again', async (t) => {
    const failures: NodeJS.ErrnoException[] = []
    const { leaf, pass, clock, data } = await opened(t, { failed: (error) => void failures.push(error) })
    const first = leaf().fingerprint256
    const unfinished = join(data, `${dataFiles.certificates}.new`)
    // Each write to it ends with ENOSPC.
    symlinkSync('/dev/full', unfinished)
    clock.advance(367 * day)
    clock.fire()
    await eventually('the failure', () => failures.map(({ code }) => code).join() === 'ENOSPC')
    assert.equal(leaf().fingerprint256, first)
    rmSync(unfinished)
    await pass(30_000)
    assert.notEqual(leaf().fingerprint256, first)
  })

  it('does not wait for the copy of its authority', async (t) => {
    const failures: NodeJS.ErrnoException[] = []
    const { certificates, authority, data } = await opened(t, {
      failed: (error) => void failures.push(error),
    })
    symlinkSync('/dev/full', join(data, `${dataFiles.authority}.new`))
    const first = authority().fingerprint256
    await certificates.renew({ newAuthority: true })
    assert.notEqual(authority().fingerprint256, first)
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['ENOSPC'],
    )
  })

  it('waits while the clock is not plausible', async (t) => {
    const { leaf, state, pass } = await opened(t)
    const first = leaf().fingerprint256
    state.isPlausible = false
    await pass(380 * day)
    assert.equal(leaf().fingerprint256, first)
    state.isPlausible = true
    await pass(60_000)
    assert.notEqual(leaf().fingerprint256, first)
  })

  it('follows a new address and a new name, and keeps those that are gone for a while', async (t) => {
    const { leaf, state, pass, certificates } = await opened(t)
    state.network = { ...machine, addresses: ['192.168.1.77'] }
    await pass(60_000)
    assert.equal(leaf().checkIP('192.168.1.77'), '192.168.1.77')
    const second = leaf().fingerprint256
    state.network = { ...machine, addresses: [] }
    await pass(60_000)
    assert.equal(leaf().fingerprint256, second)
    state.network = { names: ['renamed'], addresses: [] }
    await pass(60_000)
    assert.deepEqual([leaf().checkHost('renamed'), certificates.unsigned()], [undefined, ['renamed']])
    await certificates.renew({ newAuthority: true })
    assert.deepEqual([leaf().checkHost('renamed'), certificates.unsigned()], ['renamed', []])
  })

  it('is not renewed again and again where its authority ends', async (t) => {
    const { leaf, authority, pass } = await opened(t, { now: monday })
    await pass(3_640 * day)
    const last = leaf()
    assert.equal(last.validTo, authority().validTo)
    await pass(5 * day)
    assert.equal(leaf().fingerprint256, last.fingerprint256)
    await pass(10 * day)
    assert.ok(leaf().verify(authority().publicKey) && leaf().validToDate.getTime() > monday + 4_000 * day)
  })

  it('is kept with sealed keys in a file of its owner, and is the same after a restart', async (t) => {
    const { leaf, data } = await opened(t)
    const file = join(data, 'certificates.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.doesNotMatch(readFileSync(file, 'utf8'), /PRIVATE KEY/)
    const again = await opened(t, { data })
    assert.equal(again.leaf().fingerprint256, leaf().fingerprint256)
    assert.equal(
      readFileSync(join(data, 'authority.pem'), 'utf8'),
      again.certificates.kept().authority.certificate,
    )
  })

  it('is made anew where the file is damaged', async (t) => {
    const { leaf, data } = await opened(t)
    writeFileSync(join(data, 'certificates.json'), '{"format": 1}')
    assert.notEqual((await opened(t, { data })).leaf().fingerprint256, leaf().fingerprint256)
  })

  it('stands back for an uploaded one', async (t) => {
    const { certificates, leaf, data } = await opened(t)
    const used: string[] = []
    certificates.follow(({ certificate }) => used.push(certificate))
    const other = makeLeaf(makeAuthority({ permitted: ['porter'], now: monday }), machine, monday)
    await certificates.upload(other)
    assert.deepEqual(used, [other.certificate])
    assert.equal((await opened(t, { data })).leaf().toString(), other.certificate)
    await certificates.upload(null)
    assert.equal(leaf().issuer.includes('nightporter porter'), true)
  })
})

describe('The authority', { skip: programMissing('openssl') }, () => {
  it('is believed by openssl for its names and private addresses, and for nothing else', (t) => {
    const folder = folderFor(t)
    const now = monday
    const authority = makeAuthority({ permitted: ['porter', 'porter.local', 'localhost'], now })
    writeFileSync(join(folder, 'ca.pem'), authority.certificate)
    const verified = (names: OwnNames, ...options: string[]) => {
      writeFileSync(join(folder, 'leaf.pem'), makeLeaf(authority, names, now).certificate)
      const args = [
        'verify',
        '-x509_strict',
        '-attime',
        String(now / 1_000),
        '-purpose',
        'sslserver',
        '-CAfile',
        'ca.pem',
        ...options,
        'leaf.pem',
      ]
      const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
      return status === 0 ? 'OK' : (/lookup: (.*)/.exec(stderr)?.[1] ?? stderr)
    }
    assert.equal(verified(machine, '-verify_hostname', 'porter.local'), 'OK')
    assert.equal(verified(machine, '-verify_ip', '192.168.1.10'), 'OK')
    assert.equal(verified(machine, '-verify_hostname', 'bank.example'), 'hostname mismatch')
    const violated = 'permitted subtree violation'
    assert.equal(verified({ names: ['bank.example'], addresses: [] }), violated)
    assert.equal(verified({ names: ['porter'], addresses: ['203.0.113.4'] }), violated)
    assert.equal(verified({ names: ['porter'], addresses: ['2001:db8::1'] }), violated)
    assert.equal(verified({ names: ['porter'], addresses: ['fd00::1', '10.1.2.3', '172.31.0.1'] }), 'OK')
  })
})

describe('A name for which the authority of a box may sign', () => {
  const machine = ['porter', 'porter.local', 'porter.hotel.lan']
  const own = [
    ...machine,
    'localhost',
    'desk',
    'desk.porter.local',
    'box.lan',
    'box.home.arpa',
    'box.hotel.internal',
    'box.hotel.com',
    'box.hotel.co.uk',
    'porter.fritz.box',
    'hotel.duckdns.org',
  ]
  const foreign = [
    ...['com', 'app', 'box', 'hotels', 'co.uk', 'com.br', 'xn--p1ai'],
    ...['hotel.com', 'hotel.co.uk', 'fritz.box', 'duckdns.org', 's3.amazonaws.com'],
    ...['local', 'lan', 'internal', 'home.arpa', 'test'],
    'hotel.lan',
  ]
  for (const name of own) it(`may be ${name}`, () => assert.equal(isOwnName(name, machine), true))
  for (const name of foreign)
    it(`is not ${name}, nor a name below it`, () => assert.equal(isOwnName(name, machine), false))

  it('is not the host name of a machine that is called as a top-level domain', async (t) => {
    const network = { names: ['app', 'app.local', 'app.hotel.lan'], addresses: [] }
    const { certificates, leaf } = await opened(t, { network })
    assert.deepEqual(certificates.kept().permitted, ['app.local', 'app.hotel.lan', 'localhost'])
    assert.deepEqual([leaf().checkHost('app'), leaf().checkHost('app.local')], [undefined, 'app.local'])
    assert.deepEqual([certificates.unsigned(), certificates.foreign(certificates.kept().permitted)], [[], []])
  })

  it('is one of an earlier release no longer, once the authority is made anew', async (t) => {
    const { certificates, data } = await opened(t)
    const permitted = ['com', ...machine]
    const kept = { ...certificates.kept(), permitted, names: ['com'] }
    keepCertificates(data, openVault(join(data, 'key')), kept)
    const { certificates: later, leaf } = await opened(t, { data })
    assert.deepEqual(later.foreign(later.kept().permitted), ['com'])
    await later.renew({ newAuthority: true })
    assert.deepEqual(later.foreign(later.kept().permitted), [])
    assert.deepEqual([leaf().checkHost('com'), later.unsigned()], [undefined, []])
  })
})

describe('The names of a machine', () => {
  it('are its host name, alone and in the local network', () => {
    assert.deepEqual(namesOf('Front-Box'), ['front-box', 'front-box.local'])
    assert.deepEqual(namesOf('box.hotel.lan.'), ['box', 'box.local', 'box.hotel.lan'])
    assert.deepEqual(namesOf('under_score'), [])
    assert.ok(!machineNames('::').addresses.includes('127.0.0.1'))
  })
})
