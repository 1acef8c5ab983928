import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { post } from '../../src/events/webhooks/post.ts'
import { testClock } from '../test-clock.ts'

describe('a receiver', () => {
  const clock = testClock()
  const open = new Set<Socket>()
  let says = ''
  let isEnding = true
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    socket.once('data', () => (isEnding ? socket.end(says) : socket.write(says)))
  })
  let url = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  after(() => server.close())
  afterEach(() => {
    for (const socket of open) socket.destroy()
  })

  async function answered(text: string, more: { isEnding?: boolean } = {}) {
    says = text
    isEnding = more.isEnding ?? true
    return post({ url, headers: {}, body: '{}', clock, deadlineMs: 3_000 })
  }

  const endless: [string, string][] = [
    ['never ends it', 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx'],
    ['sends more than anybody reads', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(200_000)}`],
  ]
  for (const [does, text] of endless)
    it(`that accepts a message has no open connection when its answer counts, though it ${does}`, async () => {
      assert.deepEqual(await answered(text, { isEnding: false }), { is: 'taken', status: 200 })
      // What was closed before is seen to be closed by whoever is spoken to later.
      await answered('HTTP/1.1 204 No Content\r\n\r\n')
      assert.equal([...open].filter((socket) => !socket.writableEnded).length, 0)
    })

  const strange: [string, string, number | null][] = [
    ['answers with what is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', null],
    ['answers nothing', '', null],
    [
      'wants to speak something else',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      null,
    ],
    ['says what is no status', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n', 999],
    [
      'sends elsewhere',
      'HTTP/1.1 307 There\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n',
      307,
    ],
    ['has far too much of a head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, null],
  ]
  for (const [does, text, status] of strange)
    it(`that ${does} has not acknowledged`, async () => {
      assert.partialDeepStrictEqual(await answered(text), { is: 'refused', status })
    })
})
