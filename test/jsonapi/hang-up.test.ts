import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import Koa from 'koa'
import type { Request, Route } from '../../src/jsonapi/route.ts'
import { requestOf } from '../../src/jsonapi/server/incoming.ts'

const route = { method: 'GET', path: 'x', base: '', scope: null } as Route
let asked: (request: Request) => void
let answer: () => void
const app = new Koa().use(async (ctx) => {
  await new Promise<void>((resolve) => {
    answer = resolve
    asked(requestOf(ctx, route, {}))
  })
  ctx.body = 'there'
})
const server = createServer({ noDelay: true }, app.callback())
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

async function ask() {
  const received = new Promise<Request>((resolve) => {
    asked = resolve
  })
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
  client.on('error', () => {})
  return { client, request: await received }
}

it('a request reports the disconnection of its client, also an earlier one', async () => {
  const { client, request } = await ask()
  const gone = new Promise<void>((resolve) => request.whenGone(resolve))
  client.destroy()
  await gone
  await new Promise<void>((resolve) => request.whenGone(resolve))
  answer()
})

it('a removed listener is not called', async () => {
  const { client, request } = await ask()
  let isTold = false
  request.whenGone(() => {
    isTold = true
  })()
  const gone = new Promise<void>((resolve) => request.whenGone(resolve))
  client.destroy()
  await gone
  assert.ok(!isTold)
  answer()
})
