import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { folder } from './command-line.ts'

const source = fileURLToPath(new URL('../../src/nightporter.js', import.meta.url))
/** Prints, at the end of each thread, what the thread has loaded of Node. */
const listed = `process.on('exit', () => process._rawDebug(process.moduleLoadList.join('\\n')))`
const { path, remove } = folder()

async function startOnce(): Promise<string> {
  const preloaded = `data:text/javascript,${encodeURIComponent(listed)}`
  const serve = ['serve', '--listen', '127.0.0.1:0', '--data', `${path}/data`]
  const child = spawn(process.execPath, ['--import', preloaded, source, ...serve], {
    env: { ...process.env, NODE_COMPILE_CACHE: '', TMPDIR: path },
  })
  const ended = Promise.all([text(child.stderr), once(child, 'exit')])
  for await (const line of createInterface(child.stdout)) if (line.includes('listens on')) child.kill()
  const [loaded] = await ended
  return loaded
}

it('A second start loads no compiler for TypeScript, no HTTP client and no TLS', async (t) => {
  t.after(remove)
  await startOnce()
  const loaded = await startOnce()
  const unneeded = ['internal/deps/amaro/', 'internal/deps/undici/', 'tls'].filter((name) =>
    loaded.includes(`NativeModule ${name}`),
  )
  assert.deepEqual([loaded.includes('NativeModule http'), unneeded], [true, []])
})
