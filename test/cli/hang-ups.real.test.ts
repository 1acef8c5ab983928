import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { folder, type Served, served } from './command-line.ts'

const head = [
  'POST /api/v2/batch/unit-types HTTP/1.1',
  'Host: 127.0.0.1',
  'Authorization: Bearer demo',
  'Content-Type: application/vnd.api+json',
]

const { path, remove } = folder()
let house: Served
before(async () => {
  house = await served(path)
})
after(async () => {
  await house.stop()
  remove()
})

async function opened(): Promise<Socket> {
  const socket = connect(Number(new URL(house.url).port), '127.0.0.1')
  socket.on('error', () => {}).setMaxListeners(0)
  await once(socket, 'connect')
  return socket
}

const write = (socket: Socket, ...lines: string[]) => socket.write(lines.join('\r\n'))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function hangUp(when: string, ...lines: string[]): Promise<void> {
  const socket = await opened()
  write(socket, ...lines)
  if (when !== 'at once') await pause(50)
  socket.resetAndDestroy()
}

describe('A client that hangs up, or sends what is no HTTP', () => {
  it('leaves no line in the log, and its token least of all', async () => {
    for (const when of ['at once', 'later']) {
      await hangUp(when, ...head, 'Content-Length: 100', '', '{"data":')
      await hangUp(when, ...head, 'Transfer-Encoding: chunked', '', '8', '{"data":', '')
      await hangUp(when, 'GET /api/v2/events/stream HTTP/1.1', ...head.slice(1, 3), '', '')
      await hangUp(when, 'GET /openapi.json HTTP/1.1', 'Host: here', '', '')
    }
    const malformed = await opened()
    write(malformed, ...head, 'Transfer-Encoding: chunked', '', 'ZZZ', 'no chunk', '')
    await once(malformed.resume(), 'close')
    const halfway = await opened()
    write(halfway, ...head, 'Transfer-Encoding: chunked', '', '8', '{"data":', 'ZZZ', 'no chunk', '')
    await once(halfway.resume(), 'close')
    await pause(200)
    const { stderr } = await house.stop()
    house = await served(path)
    assert.ok(stderr === '', stderr.slice(0, 300))
  })
})

describe('A body that is refused', () => {
  const endless: [what: string, lines: string[], answer: RegExp][] = [
    ['without a token', [...head.filter((line) => !line.startsWith('Auth'))], /^HTTP\/1.1 401/],
    ['because it is too large', head, /^HTTP\/1.1 413/],
    ['because there is nothing', ['POST /nowhere HTTP/1.1', 'Host: here'], /^HTTP\/1.1 404/],
    [
      'because it is no JSON by its type',
      ['POST /api/v2/unit-types HTTP/1.1', ...head.slice(1, 3)],
      /^HTTP\/1.1 415/,
    ],
  ]
  for (const [why, lines, answer] of endless) {
    it(`${why} is not read any further`, async () => {
      const socket = await opened()
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      write(socket, ...lines, 'Transfer-Encoding: chunked', '', '')
      const chunk = Buffer.concat([
        Buffer.from('100000\r\n'),
        Buffer.alloc(1_048_576, ' '),
        Buffer.from('\r\n'),
      ])
      const begun = performance.now()
      while (!socket.destroyed && performance.now() - begun < 4_000) {
        if (!socket.write(chunk))
          await Promise.race([once(socket, 'drain'), once(socket, 'close'), pause(100)]).catch(() => {})
      }
      assert.match(text, answer)
      assert.match(text, /\r\nConnection: close\r\n/i)
      assert.ok(socket.destroyed, 'the connection is open')
      assert.ok(socket.bytesWritten < 40_000_000, `${socket.bytesWritten} bytes were taken`)
      socket.destroy()
    })
  }

  it('and is short does not cost the connection', async () => {
    const socket = await opened()
    const answers = ['401', '200']
    write(socket, 'POST /api/v2/unit-types HTTP/1.1', 'Host: here', 'Content-Length: 2', '', '')
    for (const status of answers) {
      const [text] = await once(socket, 'data')
      assert.match(String(text), new RegExp(`^HTTP/1.1 ${status}`))
      if (status === '401') write(socket, '{}GET /healthz HTTP/1.1', 'Host: here', '', '')
    }
    socket.destroy()
  })
})
