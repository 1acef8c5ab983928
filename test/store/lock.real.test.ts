import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { lockStore } from '../../src/store/lock.ts'

const module = new URL('../../src/store/lock.ts', import.meta.url).href

it('lets one program at a time have the store, and the next one after it was killed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-lock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'nightporter.db')
  const program = `import { lockStore } from ${JSON.stringify(module)}
    // Held as long as somebody could let it go: what nobody knows of is closed when memory is tidied up.
    globalThis.held = lockStore(${JSON.stringify(path)}); console.log('locked'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  assert.throws(() => lockStore(path), { message: /Another nightporter is running/ })
  other.kill('SIGKILL')
  await once(other, 'exit')
  lockStore(path).release()
})
