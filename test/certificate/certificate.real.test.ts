import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { makeAuthority, makeLeaf, type OwnNames, type Pair } from '../../src/certificate/make-certificate.ts'
import { dataFiles } from '../../src/host/files/data-files.ts'
import { askAt, startAppliance } from '../appliance.ts'
import { folderFor, identity, withKey } from '../backup/recovery.ts'
import { outOfOrder, run, runWith, served } from '../cli/command-line.ts'
import { machine, type SecuredHouse, securedHouse, seenAt } from './secured-house.ts'

const day = 86_400_000
/** Node's own clock judges a certificate at a connection. */
const now = Date.now()
const path = '/api/config/v1/certificate'

describe('The certificate of a box that other machines reach', () => {
  let house: SecuredHouse
  let network: OwnNames = machine
  let ca: string
  before(async () => {
    house = await securedHouse({ now, network: () => network })
    ca = (await house.over('GET', '/ca.pem')).bytes.toString()
  })
  after(() => house.stop())

  const read = async () => (await house.over('GET', path)).body.data.attributes

  it('is not needed by a screen on the machine itself, whose sessions are not sent elsewhere', async () => {
    const { localUrl } = house.appliance
    assert.match(String(localUrl), /^http:\/\/127\.0\.0\.1:\d+$/)
    const page = await askAt(String(localUrl), 'GET', '/desk', { token: null })
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('strict-transport-security'), null)
    const claimed = await askAt(String(localUrl), 'GET', '/api/v2/session', { token: null })
    assert.equal(claimed.body.data.attributes.claimed, false)
  })

  it('is believed by a client that trusts /ca.crt alone, by name and by address', async () => {
    const { bytes, headers } = await house.over('GET', '/ca.crt')
    assert.equal(headers['content-type'], 'application/x-x509-ca-cert')
    assert.equal(new X509Certificate(bytes).toString(), ca)
    for (const name of ['porter', 'porter.local', 'localhost', '127.0.0.1']) await house.seen(ca, name)
    await assert.rejects(house.seen(ca, 'bank.example'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    const stranger = makeAuthority({ permitted: ['porter'], now }).certificate
    await assert.rejects(house.seen(stranger, 'porter'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    assert.equal(readFileSync(join(house.data, 'authority.pem'), 'utf8'), ca)
  })

  it('is shown with its names, its end and the authority', async () => {
    const shown = await read()
    const { fingerprint256 } = await house.seen(ca, 'porter')
    assert.equal(shown.source, 'own')
    assert.equal(shown.fingerprint, fingerprint256)
    assert.equal(shown.authority.fingerprint, new X509Certificate(ca).fingerprint256)
    assert.deepEqual(shown.names, ['porter', 'porter.local', 'localhost'])
    assert.deepEqual(shown.addresses, ['192.168.1.10', '127.0.0.1', '::1'])
    assert.equal(Date.parse(shown.endsAt), Math.floor(now / 1_000) * 1_000 + 396 * day)
  })

  it('tells browsers to use nothing but TLS', async () => {
    const { headers } = await house.over('GET', '/healthz')
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  })

  it('follows a new address without a restart', async () => {
    const { fingerprint256 } = await house.seen(ca, 'porter')
    network = { ...machine, addresses: ['192.168.1.10', '10.0.0.7'] }
    await house.during(house.clock.sleep(90_000))
    const renewed = await house.seen(ca, '127.0.0.1')
    assert.notEqual(renewed.fingerprint256, fingerprint256)
    assert.match(renewed.subjectaltname ?? '', /10\.0\.0\.7/)
  })

  it('gets further names, if its authority may sign them or is made anew', async () => {
    const body = { names: ['desk.porter.local', 'box.hotel.lan'] }
    const refused = await house.over('PATCH', path, { body })
    assert.equal(refused.status, 422)
    assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/names/1')
    const wrong = await house.over('PATCH', path, { body: { names: ['Box!'] } })
    assert.match(wrong.body.errors[0].detail, /not a DNS name/)
    for (const name of ['com', 'hotel.co.uk', 'local']) {
      const foreign = await house.over('PATCH', path, { body: { names: [name], newAuthority: true } })
      assert.equal(foreign.status, 422)
      assert.match(foreign.body.errors[0].detail, new RegExp(`^${name} may be a name of other computers`))
    }
    const within = await house.over('PATCH', path, { body: { names: ['desk.porter.local'] } })
    assert.equal(within.status, 200)
    await house.seen(ca, 'desk.porter.local')
    const trial = await house.over('PATCH', `${path}?dryRun=true`, { body: { ...body, newAuthority: true } })
    assert.equal(trial.status, 200)
    await house.seen(ca, 'desk.porter.local')
    await house.over('PATCH', path, { body: { ...body, newAuthority: true } })
    await assert.rejects(house.seen(ca, 'porter'))
    ca = (await house.over('GET', '/ca.pem')).bytes.toString()
    await house.seen(ca, 'box.hotel.lan')
  })

  it('is renewed once for one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'renew' }
    const ask = () => house.over('POST', `${path}/actions/renew`, { body: {}, headers })
    const first = (await ask()).body.data.attributes.fingerprint
    assert.equal((await house.seen(ca, 'porter')).fingerprint256, first)
    assert.equal((await ask()).body.data.attributes.fingerprint, first)
    assert.equal((await house.seen(ca, 'porter')).fingerprint256, first)
  })

  it('is not changed on a full disk, and the answer says what to do', async () => {
    const before = (await read()).fingerprint
    const unfinished = join(house.data, `${dataFiles.certificates}.new`)
    // Each write to it ends with ENOSPC.
    symlinkSync('/dev/full', unfinished)
    for (const [method, at, body] of [
      ['POST', `${path}/actions/renew`, {}],
      ['PATCH', path, { names: ['desk.porter.local'] }],
    ] as const) {
      const { status, headers, body: answer } = await house.over(method, at, { body })
      assert.deepEqual([status, answer.errors[0].code, headers['retry-after']], [503, 'storage-full', '30'])
      assert.match(answer.errors[0].detail, /The disk is full\. .*Free some space/)
    }
    assert.equal((await read()).fingerprint, before)
    assert.equal((await house.seen(ca, 'porter')).fingerprint256, before)
    rmSync(unfinished)
    const { status } = await house.over('POST', `${path}/actions/renew`, { body: {} })
    assert.equal(status, 200)
    assert.notEqual((await read()).fingerprint, before)
  })

  describe('uploaded', () => {
    const authority = makeAuthority({ permitted: ['porter', 'porter.local', 'hotel.example'], now })
    const good = makeLeaf(authority, { names: ['porter.local'], addresses: [] }, now)
    const of = (names: string[], at = now) => makeLeaf(authority, { names, addresses: [] }, at)
    const chain = ({ certificate, key }: Pair) => ({ certificate: certificate + authority.certificate, key })
    const late = of(['porter'], now + 3 * day)
    const keyOn = (namedCurve: string) =>
      generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const wrong: [what: string, body: Pair, pointer: string, detail: RegExp][] = [
      ['another key', { ...good, key: late.key }, 'key', /does not belong to the first certificate/],
      ['another key of an allowed curve', { ...good, key: keyOn('P-384') }, 'key', /does not belong/],
      ['a curve that browsers refuse', { ...good, key: keyOn('P-521') }, 'key', /P-256 or P-384.*secp521r1/],
      ['a curve of another use', { ...good, key: keyOn('secp256k1') }, 'key', /P-256 or P-384.*secp256k1/],
      ['no key', { ...good, key: 'none' }, 'key', /private key in PEM/],
      ['a protected key', { ...good, key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' }, 'key', /passphrase/],
      ['no certificate', { ...good, certificate: 'none' }, 'certificate', /found 0/],
      [
        'another name',
        of(['other.hotel.example']),
        'certificate',
        /known as .*porter\.local.*192\.168\.1\.10/,
      ],
      ['one that has ended', of(['porter'], now - 400 * day), 'certificate', /ended on/],
      ['one of tomorrow', late, 'certificate', /valid from/],
      [
        'a chain in another order',
        { ...good, certificate: good.certificate + late.certificate },
        'certificate',
        /Certificate 2 has not signed certificate 1/,
      ],
    ]
    for (const [what, body, field, detail] of wrong)
      it(`is refused with ${what}`, async () => {
        const before = await read()
        const refused = await house.over('PUT', path, { body })
        assert.equal(refused.status, 422, JSON.stringify(refused.body))
        assert.equal(refused.body.errors[0].source.pointer, `/data/attributes/${field}`)
        assert.match(refused.body.errors[0].detail, detail)
        assert.deepEqual(await read(), before)
      })

    it('is used at once, over a restart, and until it is removed', async () => {
      const trial = await house.over('PUT', `${path}?dryRun=true`, { body: chain(good) })
      assert.deepEqual([trial.status, (await read()).source], [200, 'own'])
      const done = await house.over('PUT', path, { body: chain(good) })
      assert.deepEqual([done.status, done.body.data.attributes.source], [200, 'uploaded'])
      await house.seen(authority.certificate, 'porter.local')
      await house.restart()
      await house.seen(authority.certificate, 'porter.local')
      assert.match((await house.over('GET', '/trust')).bytes.toString(), /comes from another authority/)
      const back = await house.over('DELETE', path)
      assert.deepEqual([back.status, back.body.data.attributes.source], [200, 'own'])
      await house.seen(ca, 'porter')
      const { data } = (await house.over('GET', '/api/v2/events?filter[type]=system.certificate-changed'))
        .body
      assert.ok(data.length >= 4)
    })
  })

  it('is explained in five languages, without scripts, with fingerprint and code', async () => {
    const groups = new X509Certificate(ca).fingerprint256.replaceAll(':', '').match(/.{4}/g) ?? []
    const titles = new Set<string>()
    for (const language of ['en', 'de', 'es', 'fr', 'pt']) {
      const page = await house.over('GET', `/trust?language=${language}`, {
        headers: { Host: `porter.local:${house.port}` },
      })
      const text = page.bytes.toString()
      titles.add(/<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '')
      assert.match(text, new RegExp(`<html lang="${language}">`))
      assert.ok(text.includes(groups.slice(0, 8).join(' ')) && text.includes(groups.slice(8).join(' ')))
      // Not every phone resolves a name in .local, so the code has the address, and the name stands below it.
      assert.match(
        text,
        new RegExp(`<svg role="img" aria-label="https://192\\.168\\.1\\.10:${house.port}/trust"`),
      )
      assert.match(text, new RegExp(`<a href="https://porter\\.local:${house.port}/trust">`))
      for (const platform of ['Windows', 'macOS', 'iPad', 'Android', 'Firefox'])
        assert.ok(text.includes(platform))
      assert.doesNotMatch(text, /<script|style=|\{\w+\}/)
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    }
    assert.equal(titles.size, 5)
    const elsewhere = await house.over('GET', '/trust', { headers: { Host: 'evil.example' } })
    assert.ok(elsewhere.bytes.toString().includes(`aria-label="https://192.168.1.10:${house.port}/trust"`))
  })

  it('survives a restore on a new box', async (t) => {
    withKey(house.data)
    const folder = join(house.data, 'backups')
    const { name } = await makeBackup({ data: house.data, folder, now, version: '1.0.0', reason: 'asked' })
    const data = folderFor(t)
    const fresh = await securedHouse({ now, data })
    const other = (await fresh.over('GET', '/ca.pem')).bytes.toString()
    assert.notEqual(other, ca)
    await fresh.stop()
    await restoreBackup(data, join(folder, name), identity)
    const restored = await securedHouse({ now, data })
    t.after(() => restored.stop())
    assert.equal((await restored.over('GET', '/ca.pem')).bytes.toString(), ca)
    await restored.seen(ca, 'box.hotel.lan')
    assert.equal(readFileSync(join(data, 'authority.pem'), 'utf8'), ca)
  })
})

it('A box on loopback has no certificate, and says so', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const { status, body } = await house.ask('GET', path)
  assert.deepEqual(
    [status, body.data.attributes.source, body.data.attributes.fingerprint],
    [200, 'none', null],
  )
  for (const open of ['/ca.crt', '/ca.pem', '/trust'])
    assert.equal((await house.ask('GET', open)).status, 404)
  const { headers } = await house.ask('GET', '/healthz')
  assert.equal(headers.get('strict-transport-security'), null)
  const refused = await house.ask('DELETE', path)
  assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'certificate-fixed'])
})

it('nightporter serve on an address of the network makes a certificate, and the command line shows and renews it', async (t) => {
  const data = join(folderFor(t), 'data')
  const box = await served(data, '--empty', '--listen', '0.0.0.0:0')
  t.after(() => box.stop())
  const said = box.lines.join('\n')
  assert.match(said, /listens on https:\/\/0\.0\.0\.0:\d+/)
  assert.match(said, /own certificate authority\. https:\/\/\S+\/trust explains/)
  const [, code = ''] = /Pairing code (\d{8})/.exec(said) ?? []
  const url = `https://localhost:${new URL(box.url).port}`
  const trusting = { NODE_EXTRA_CA_CERTS: join(data, 'authority.pem'), NIGHTPORTER_URL: url }
  const paired = await runWith(trusting, 'token', 'pair', code)
  assert.equal(paired.code, 0, paired.stderr)
  const env = { ...trusting, NIGHTPORTER_TOKEN: paired.stdout.trim().split('\n').at(-1)! }
  const fingerprint = async (...args: string[]) => {
    const { code, stdout, stderr } = await runWith(env, 'certificate', ...args)
    assert.equal(code, 0, stderr)
    return /^fingerprint +(\S+)$/m.exec(stdout)?.[1]
  }
  const first = await fingerprint('show')
  assert.notEqual(await fingerprint('renew'), first)
  const untrusting = await run('certificate', 'show', '--url', url)
  assert.equal(untrusting.code, 69)
  assert.match(untrusting.stderr, /authority\.pem/)
})

it('The page of a box that is out of order has the same certificate', async (t) => {
  const data = join(folderFor(t), 'data')
  const onLan = ['--empty', '--listen', '0.0.0.0:0']
  await (await served(data, ...onLan)).stop()
  const db = new Database(join(data, 'nightporter.db'))
  db.pragma('user_version = 9999')
  db.close()
  const box = await outOfOrder(data, ...onLan)
  t.after(() => box.stop())
  const { protocol, port } = new URL(box.url)
  assert.equal(protocol, 'https:')
  await seenAt(Number(port), readFileSync(join(data, 'authority.pem'), 'utf8'), 'localhost')
})
