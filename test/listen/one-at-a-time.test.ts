import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { mostWaiting, oneAtATime } from '../../src/listen/one-at-a-time.ts'
import { until } from '../eventually.ts'

const request = (path: string) => `GET /${path} HTTP/1.1\r\nHost: box\r\n\r\n`
const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => request(String(index))).join('')

/** A server, and a function that connects to it and counts the answers. */
async function served(t: TestContext, handler: RequestListener) {
  const sockets = new Set<Socket>()
  const server = createServer(oneAtATime(handler)).on('connection', (socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  function client(text: string) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    socket.on('error', () => {})
    socket.write(text)
    return { socket, answers: () => received.split('HTTP/1.1 200').length - 1 }
  }
  return { client, sockets }
}

describe('the requests of one connection', () => {
  it('begin one after the other, each in a later turn of the event loop, and are all answered in order', async (t) => {
    const begun: string[] = []
    let isSameTurn = false
    const { client } = await served(t, ({ url = '' }, response) => {
      assert.equal(isSameTurn, false, `${url} began in the turn of the one before it`)
      isSameTurn = true
      setImmediate(() => {
        isSameTurn = false
      })
      begun.push(url)
      response.end()
    })
    const { answers } = client(requests(5 * mostWaiting))
    await until(() => answers() === 5 * mostWaiting)
    assert.deepEqual(
      begun,
      begun.map((_, index) => `/${index}`),
    )
  })

  it('do not keep those of another waiting', async (t) => {
    const begun: string[] = []
    const { client } = await served(t, ({ url = '' }, response) => {
      begun.push(url)
      if (begun.length === 1) other = client(request('other'))
      response.end()
    })
    let other = null as ReturnType<typeof client> | null
    const { answers } = client(requests(5 * mostWaiting))
    await until(() => answers() === 5 * mostWaiting && other?.answers() === 1)
    assert.ok(begun.indexOf('/other') < begun.length / 2, `it was number ${begun.indexOf('/other')}`)
  })

  it('are not read while many wait, and go on when these are answered', async (t) => {
    let first = () => {}
    const { client, sockets } = await served(t, ({ url }, response) => {
      if (url === '/0') first = () => response.end()
      else response.end()
    })
    const { answers } = client(requests(2 * mostWaiting))
    await until(() => [...sockets].some((socket) => socket.isPaused()))
    first()
    await until(() => answers() === 2 * mostWaiting)
    assert.ok([...sockets].every((socket) => !socket.isPaused()))
  })

  it('are not begun once the connection is closed', async (t) => {
    const begun: string[] = []
    let ended = 0
    const { client, sockets } = await served(t, ({ url = '' }, response) => {
      begun.push(url)
      response.once('close', () => ended++)
    })
    const { socket } = client(requests(3))
    await until(() => begun.length === 1)
    socket.destroy()
    await until(() => ended === 1 && [...sockets].every((each) => each.destroyed))
    await new Promise(setImmediate)
    assert.deepEqual(begun, ['/0'])
  })

  it('are not begun after an answer that ends the connection', async (t) => {
    const begun: string[] = []
    const { client, sockets } = await served(t, ({ url = '', socket }, response) => {
      begun.push(url)
      // As after a body that was not read to its end: nothing more is read, and the answer arrives.
      socket.destroySoon = () => {
        socket.end()
        setImmediate(() => socket.pause())
      }
      response.setHeader('Connection', 'close').end()
    })
    const { socket, answers } = client(requests(3))
    await once(socket, 'end')
    await new Promise(setImmediate)
    assert.deepEqual([begun, answers()], [['/0'], 1])
    assert.deepEqual(
      [...sockets].map((each) => each.isPaused()),
      [true],
    )
  })
})
