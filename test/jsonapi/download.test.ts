import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import type { Route } from '../../src/jsonapi/route.ts'
import { application, type Doorkeeper } from '../../src/jsonapi/server/server.ts'
import { diskWatch } from '../../src/store/disk/disk-watch.ts'

it('a download whose file does not answer is answered all the same when the appliance stops', async (t) => {
  const stream = new Readable({ read() {} })
  const asked = Promise.withResolvers<void>()
  const route = {
    method: 'GET',
    base: '',
    path: 'file',
    scope: null,
    handle: async () => {
      setImmediate(asked.resolve)
      return { status: 200, stream, type: 'application/octet-stream' }
    },
  } as unknown as Route
  const disk = diskWatch()
  const app = application({
    interfaces: [{ name: 'Files', version: '1', routes: [route] }],
    doorkeeper: { pass() {} } as unknown as Doorkeeper,
    allowedOrigins: [],
    failed: (error) => assert.fail(String(error)),
    storage: disk,
    monotonic: () => 0,
  })
  const server = createServer(app.callback())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`)
  await Promise.race([asked.promise, answer])
  disk.abandon()
  const { status, headers } = await answer
  assert.deepEqual([status, headers.get('retry-after')], [503, '5'])
  assert.equal(stream.destroyed, true)
})
