import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { noCompiler, slowFlush } from '../../bench/slow-flush.ts'
import { entry } from '../../cli/command-line.ts'

const clients = 16
const flushMs = 12_000
/** `TimeoutStopSec` of the unit. */
const limitMs = 30_000

const disk = slowFlush()

/** Runs the program. Creates profiles, and reads the names of all. */
async function house(data: string) {
  const child = spawn(process.execPath, [entry, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...disk?.env },
  })
  let said = ''
  child.stdout.on('data', (bytes) => (said += bytes))
  while (!/listens on (\S+)/.test(said)) await pause(50)
  const [, url = ''] = /listens on (\S+)/.exec(said)!
  const ask = (method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    create: (code: string) => ask('POST', '/api/v2/amenities', { code, name: code }),
    ask,
    async codes() {
      const { data } = (await (await ask('GET', '/api/v2/amenities?page[size]=100')).json()) as {
        data: { attributes: { code: string } }[]
      }
      return data.map(({ attributes }) => attributes.code)
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

it('a stop on a disk whose flushes take 12 s answers every client within the limit of the unit, and loses nothing', {
  skip: disk ? false : noCompiler,
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-slow-stop-'))
  t.after(() => {
    disk?.remove()
    rmSync(data, { recursive: true, force: true })
  })
  const box = await house(data)
  assert.equal((await box.create('FIRST')).status, 201)
  disk?.delay(flushMs)
  const asked = Array.from({ length: clients }, async (_, index) => {
    await pause(index * 100)
    return box.create(`S${index}`)
  })
  await pause(clients * 100 + 500)
  const began = performance.now()
  const stopped = box.stop()
  await pause(500)
  const late = await box.ask('GET', '/api/v2/amenities')
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '5'])
  const answers = await Promise.all(asked)
  await stopped
  assert.ok(performance.now() - began < limitMs, `it took ${performance.now() - began} ms`)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assert.deepEqual([answer.status, Number(answer.headers.get('retry-after')) > 0], [503, true])
  }
  disk?.delay(0)
  const again = await house(data)
  const codes = await again.codes()
  await again.stop()
  const confirmed = answers.flatMap(({ status }, index) => (status === 201 ? [`S${index}`] : []))
  assert.ok(confirmed.length > 0)
  assert.deepEqual(
    confirmed.filter((code) => !codes.includes(code)),
    [],
  )
})
