import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { entry } from '../../../cli/command-line.ts'

const hasLimits = () => {
  try {
    execFileSync('prlimit', ['--version'])
    return true
  } catch {
    return false
  }
}

/** The program as it is installed, whose writes to files fail from now on, or no more. */
async function house(data: string) {
  const child = spawn(process.execPath, [entry, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, faults] = ['', '']
  child.stdout.on('data', (bytes) => (said += bytes))
  child.stderr.on('data', (bytes) => (faults += bytes))
  while (!/listens on (\S+)/.test(said)) await pause(50)
  const [, url = ''] = /listens on (\S+)/.exec(said)!
  const ask = (method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    ask,
    fails: (is: boolean) =>
      execFileSync('prlimit', ['--pid', `${child.pid}`, `--fsize=${is ? '1:unlimited' : 'unlimited'}`]),
    lines: () =>
      faults
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill()
      }),
  }
}

it('a disk that takes no writes is told once, everywhere, and so is that it takes them again', {
  skip: hasLimits() ? false : 'prlimit (util-linux) is not installed',
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-disk-'))
  const { ask, fails, lines, stop } = await house(data)
  t.after(async () => {
    await stop()
    rmSync(data, { recursive: true, force: true })
  })
  const amenity = (code: string) => ask('POST', '/api/v2/amenities', { code, name: code })
  assert.equal((await amenity('BEFORE')).status, 201)
  fails(true)
  for (let time = 0; time < 5; time++) {
    const refused = await amenity(`DURING${time}`)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '30')
    const { errors } = (await refused.json()) as { errors: { code: string }[] }
    assert.equal(errors[0]!.code, 'storage-failing')
  }
  assert.equal((await ask('GET', '/readyz')).status, 503)
  assert.equal((await ask('GET', '/healthz')).status, 200)
  const { data: found } = (await (await ask('GET', '/api/v2/status')).json()) as {
    data: {
      attributes: { status: string; checks: Record<string, { observedValue: string; status: string }[]> }
    }
  }
  assert.equal(found.attributes.status, 'fail')
  assert.partialDeepStrictEqual(found.attributes.checks['storage:writes']![0], {
    observedValue: 'failing',
    status: 'fail',
  })
  // Reading goes on.
  assert.equal((await ask('GET', '/api/v2/amenities')).status, 200)
  fails(false)
  // The writer tries by itself; nobody has to ask for anything.
  for (let time = 0; (await ask('GET', '/readyz')).status !== 200; time++) {
    assert.ok(time < 300, 'it was not tried again')
    await pause(100)
  }
  assert.equal((await amenity('AFTER')).status, 201)
  const codes = (
    (await (await ask('GET', '/api/v2/amenities?page[size]=100')).json()) as {
      data: { attributes: { code: string } }[]
    }
  ).data.map(({ attributes }) => attributes.code)
  assert.deepEqual(
    codes.filter((code) => /BEFORE|DURING|AFTER/.test(code)),
    ['BEFORE', 'AFTER'],
  )
  const ofStorage = lines().filter(({ msg }) => msg.includes('storage'))
  assert.deepEqual(
    ofStorage.map(({ level, trouble }) => [level, trouble]),
    [
      ['error', 'failing'],
      ['warn', undefined],
    ],
  )
  // No stack a request, and nothing else that only repeats it.
  assert.deepEqual(
    lines().filter(({ err }) => /SQLITE/.test(JSON.stringify(err ?? ''))),
    [],
  )
})

it('a start on a disk that takes no writes says so, and goes on when it does', {
  skip: hasLimits() ? false : 'prlimit (util-linux) is not installed',
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-disk-'))
  const first = await house(data)
  await first.stop()
  const program = [process.execPath, entry, 'serve', '--listen', '127.0.0.1:0', '--data', data]
  const child = spawn('prlimit', ['--fsize=1:unlimited', ...program], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, faults] = ['', '']
  child.stdout.on('data', (bytes) => (said += bytes))
  child.stderr.on('data', (bytes) => (faults += bytes))
  t.after(() => {
    child.kill()
    rmSync(data, { recursive: true, force: true })
  })
  while (!/^Meanwhile, (http\S+) shows this message/m.test(faults)) await pause(50)
  assert.match(faults, /cannot be used \(SQLITE_\w+\)\. The disk of the data folder is failing/)
  const [, url = ''] = /^Meanwhile, (http\S+) shows this message/m.exec(faults)!
  const refused = await fetch(`${url}/api/v2/units`)
  assert.equal(refused.status, 503)
  execFileSync('prlimit', ['--pid', `${child.pid}`, '--fsize=unlimited'])
  while (!/listens on/.test(said)) await pause(100)
})
