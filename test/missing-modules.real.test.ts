import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { program } from './program.ts'

const modules = join(import.meta.dirname, '..', 'node_modules')
const file = fileURLToPath(program)
const skip = file.endsWith('.js') ? false : 'left out: there is no bundle, which test/run.ts makes'

/** The bundle in a folder of its own, with what lies beside it except one package. */
function installed(t: TestContext, without: string) {
  // Beside the folder of the tests: packages in a folder above would be found.
  const path = mkdtempSync(join(dirname(file), '..', '..', 'nightporter-modules-'))
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  const app = join(path, 'app')
  cpSync(dirname(file), app, { recursive: true })
  mkdirSync(join(app, 'node_modules'))
  const beside = ['better-sqlite3', 'serialport', 'node-hid', 'libphonenumber-js']
  for (const name of beside.filter((each) => each !== without))
    symlinkSync(join(modules, name), join(app, 'node_modules', name))
  const serve = () => {
    const args = ['serve', '--listen', '127.0.0.1:0', '--data', join(path, 'data')]
    const child = spawn(process.execPath, [join(app, file.slice(dirname(file).length + 1)), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    return child
  }
  return { app, serve }
}

/** Starts the appliance; resolves with its address and everything said until the example lines. */
async function listening(child: ReturnType<ReturnType<typeof installed>['serve']>) {
  let said = ''
  for await (const part of child.stdout) {
    said += part
    if (/^Or try these/m.test(said)) break
  }
  const [, url = ''] = /listens on (\S+)/.exec(said) ?? []
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return JSON.parse(await response.text())
  }
  return { said, ask }
}

it('says at the start that serialport is missing, and does not blame the cable later', {
  skip,
}, async (t) => {
  const child = installed(t, 'serialport').serve()
  const { said, ask } = await listening(child)
  const sentence =
    /The module serialport is missing beside the program, in the folder node_modules\. Devices on a serial line .* do not work\. Install all files of the release for \S+ and Node 26 again/
  assert.match(said, sentence)
  const [{ id: providerId }] = (await ask('GET', '/api/config/v1/access-providers')).data
  const encoder = await ask('POST', '/api/config/v1/access-controllers', {
    name: 'Desk',
    providerId,
    kind: 'encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path: '/dev/serial/by-id/usb-desk' },
  })
  assert.ok(encoder.data, JSON.stringify(encoder))
  await ask('GET', `/api/v2/access/controllers/${encoder.data.id}/key`)
  for (let tries = 0; ; tries++) {
    const { checks } = (await ask('GET', '/api/v2/status')).data.attributes
    assert.match(checks['program:modules'][0].output, sentence)
    const desk = checks['encoder:state'].find(
      (each: { componentId: string }) => each.componentId === encoder.data.id,
    )
    if (desk?.output?.includes('The module serialport cannot be loaded')) {
      assert.doesNotMatch(desk.output, /cable/)
      break
    }
    assert.ok(tries < 100, JSON.stringify(desk))
    await pause(50)
  }
})

it('ends with 66 and a sentence when better-sqlite3 is missing or has other native code', {
  skip,
}, async (t) => {
  const { app, serve } = installed(t, 'better-sqlite3')
  const ended = async () => {
    const child = serve()
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { said, code }
  }
  const missing = await ended()
  assert.equal(missing.code, 66, missing.said)
  assert.match(missing.said, /^nightporter: The module better-sqlite3 cannot be loaded \(Cannot find package/)
  assert.match(missing.said, /The database cannot be opened.* Install all files of the release/)

  const copy = join(app, 'node_modules', 'better-sqlite3')
  cpSync(join(modules, 'better-sqlite3'), copy, {
    recursive: true,
    filter: (name) => !/better-sqlite3\/(deps|src)/.test(name),
  })
  for (const name of readdirSync(join(copy, 'prebuilds')))
    writeFileSync(join(copy, 'prebuilds', name), 'not native code')
  const other = await ended()
  assert.equal(other.code, 66, other.said)
  assert.match(other.said, /^nightporter: The module better-sqlite3 cannot be loaded \(.*\.node/)
})

it('says nothing of modules where all are there', { skip }, async (t) => {
  const { said, ask } = await listening(installed(t, 'nothing').serve())
  assert.doesNotMatch(said, /The module/)
  const { checks } = (await ask('GET', '/api/v2/status')).data.attributes
  assert.equal(checks['program:modules'], undefined)
})
