import assert from 'node:assert/strict'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { titleFor } from '../../src/jsonapi/locales/title.ts'
import { dataFolder, outOfOrder, run, runWith, served } from './command-line.ts'

const said = (lines: string[]) => lines.join('\n')

it('starts an empty house with a pairing code, and takes no demo token there', async (t) => {
  const house = await served(dataFolder(t), '--empty')
  t.after(() => house.stop())
  assert.match(said(house.lines), /Pairing code \d{8}/)
  assert.doesNotMatch(said(house.lines), /demo/)
  const headers = { Authorization: 'Bearer demo', 'Accept-Language': 'de' }
  const answer = await fetch(`${house.url}/api/v2/units`, { headers })
  assert.equal(answer.status, 401)
  const { errors } = (await answer.json()) as { errors: { title: string; links: { type: string } }[] }
  assert.equal(errors[0]?.title, titleFor('de', 'unauthenticated', ''))
  const explained = await fetch(`${house.url}${errors[0]?.links.type}`)
  assert.match(await explained.text(), /"cause":"[^"]+"/)
})

it('ends with 70 when its writer dies, so that it is started again', async (t) => {
  const data = dataFolder(t)
  mkdirSync(data)
  const killer = join(data, 'killer.cjs')
  // Every thread dies when the start is over.
  writeFileSync(
    killer,
    `const { BroadcastChannel, isMainThread } = require('node:worker_threads')
     const started = new BroadcastChannel('started')
     started.unref()
     const { log } = console
     if (!isMainThread) started.onmessage = () => { throw new Error('out of luck') }
     else console.log = (line) => {
       log(line)
       if (line.startsWith('nightporter listens on')) started.postMessage(null)
     }`,
  )
  const environment = { NODE_OPTIONS: `--require="${killer}"` }
  const { code, stderr } = await runWith(environment, 'serve', '--listen', '127.0.0.1:0', '--data', data)
  assert.equal(code, 70)
  assert.match(stderr, /out of luck/)
})

it('ends with 69 when the port is taken', async (t) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const { code, stderr } = await run('serve', '--listen', `127.0.0.1:${port}`, '--data', dataFolder(t))
  assert.equal(code, 69)
  assert.match(stderr, new RegExp(`^nightporter: 127\\.0\\.0\\.1:${port} is in use.*--listen\\.\n$`))
})

it('ends with 69 when another appliance has the folder, which nothing is wrong with', async (t) => {
  const data = dataFolder(t)
  const house = await served(data)
  const { code, stderr } = await run('serve', '--listen', '127.0.0.1:0', '--data', data)
  assert.equal(code, 69)
  assert.match(stderr, /^nightporter: Another nightporter is running on .*\n$/)
  await house.stop()
})

it('serves a page for a database that is damaged inside, and goes on when the backup is in its place', async (t) => {
  const data = dataFolder(t)
  await (await served(data)).stop()
  const path = join(data, 'nightporter.db')
  const backup = readFileSync(path)
  const file = openSync(path, 'r+')
  const pages = Math.floor(statSync(path).size / 1024)
  for (let page = 40; page < pages; page += 20) writeSync(file, Buffer.alloc(200, 0x5a), 0, 200, page * 1024)
  closeSync(file)
  const broken = await outOfOrder(data)
  t.after(() => broken.stop())
  assert.match(broken.said, /^nightporter: .* damaged .*\nMeanwhile, http.* shows this message\.\n$/)
  const ask = (path: string) => fetch(broken.url + path)
  const page = await ask('/')
  assert.deepEqual([page.status, page.headers.get('content-type')], [503, 'text/html; charset=utf-8'])
  assert.match(await page.text(), /nightporter\.db is damaged .*newest backup/)
  for (const path of ['/healthz', '/readyz']) {
    const health = await ask(path)
    assert.equal(health.status, 503)
    assert.partialDeepStrictEqual(await health.json(), { status: 'fail' })
  }
  const refused = await ask('/api/v2/units')
  assert.deepEqual(
    [refused.status, refused.headers.get('content-type'), refused.headers.get('retry-after')],
    [503, 'application/vnd.api+json', '30'],
  )
  const [error] = ((await refused.json()) as { errors: { code: string; detail: string }[] }).errors
  assert.equal(error!.code, 'storage-damaged')
  assert.match(error!.detail, /damaged/)
  writeFileSync(`${path}.backup`, backup)
  renameSync(`${path}.backup`, path)
  // On a free port it is another one each time: what it says is waited for.
  await broken.says(/nightporter listens on/)
})

it('ends with 65 when it is stopped while its data are refused', async (t) => {
  const damaged = dataFolder(t)
  mkdirSync(damaged)
  writeFileSync(join(damaged, 'nightporter.db'), 'this is not a database, whatever its name says'.repeat(50))
  const broken = await outOfOrder(damaged)
  assert.match(broken.said, /^nightporter: .*is damaged .*newest backup/)
  assert.equal((await broken.stop()).code, 65)
})

it('tells of a database that is newer, and of a key that others may read', async (t) => {
  const data = dataFolder(t)
  await (await served(data)).stop()
  const key = join(data, 'secret.key')
  chmodSync(key, 0o644)
  const open = await outOfOrder(data)
  assert.match(open.said, /can be read or written by other users/)
  assert.equal((await open.stop()).code, 65)
  chmodSync(key, 0o600)
  const db = new Database(join(data, 'nightporter.db'))
  db.pragma('user_version = 9999')
  db.close()
  const newer = await outOfOrder(data)
  assert.match(newer.said, /version 9999/)
  assert.equal((await newer.stop()).code, 65)
})

it('ends with a sentence and 78 for a data folder that cannot be made', async (t) => {
  const file = dataFolder(t)
  writeFileSync(file, '')
  for (const [data, sentence] of [
    [
      '/proc/nightporter',
      /The folder \/proc\/nightporter cannot be made\. Give another folder with --data\./,
    ],
    ['/proc/self/fd/a/b', /The folder \/proc\/self\/fd\/a cannot be made\./],
    ['/dev/null', /\/dev\/null is not a folder\. Give another folder/],
    [file, /is not a folder\./],
    [join(file, 'below'), /is not a folder\./],
    [join(dirname(file), 'a'.repeat(300)), /cannot be used \(ENAMETOOLONG\)\./],
  ] as const)
    for (const more of [[], ['--empty']]) {
      const { code, stderr } = await run('serve', '--listen', '127.0.0.1:0', '--data', data, ...more)
      assert.equal(code, 78, stderr)
      assert.match(stderr, sentence)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
})

it('ends with 78 for a configuration that cannot be, in one sentence', async (t) => {
  const data = dataFolder(t)
  mkdirSync(data)
  writeFileSync(join(data, 'nightporter.json'), '{"colour": "blue"}')
  const fresh = () => ['--data', dataFolder(t)]
  const wrong: [RegExp, string[]][] = [
    [/--listen: expected HOST:PORT/, ['--listen', 'nowhere', ...fresh()]],
    [/expected a number from 0 to 65535/, ['--listen', '127.0.0.1:70000', ...fresh()]],
    [/are used together/, ['--tls-cert', 'cert.pem', ...fresh()]],
    [
      /cert\.pem does not exist/,
      ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem', '--listen', '127.0.0.1:0', ...fresh()],
    ],
    [/colour is not a setting/, ['--data', data]],
  ]
  for (const [sentence, options] of wrong) {
    const { code, stderr } = await run('serve', ...options)
    assert.equal(code, 78, stderr)
    assert.match(stderr, sentence)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  }
})

it('ends with 64 for a command line that nobody understands', async () => {
  for (const args of [
    [],
    ['serv'],
    ['serve', '--lissten', '8080'],
    ['serve', '--log-level', 'loud'],
    ['check-in'],
    ['token', 'create', 'Kiosk'],
    ['import', 'file.csv'],
    ['check-in', 'NP-1001', '--url', 'localhost'],
    ['door', '201', '202'],
    ['serve', '--data', ''],
    ['serve', '--data='],
    ['door', '--data', ' '],
    ['backup', 'list', '--data', ''],
    ['firewall', '--data', ''],
    ['check-in', 'NP-1001', '--url', ''],
  ]) {
    const { code, stdout } = await run(...args)
    assert.equal(code, 64, `${args}`)
    assert.equal(stdout, '')
  }
})

it('tells of each command what it does, and how it can end', async () => {
  for (const command of ['serve', 'check-in', 'door', 'import', 'simulate', 'token create', 'token pair']) {
    const { code, stdout } = await run(...command.split(' '), '--help')
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`^Usage: nightporter ${command} `))
    assert.match(stdout, /Exit codes:\n {2}0 /)
  }
  assert.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/)
})
