import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { listen, urlOf } from '../../src/listen/listen.ts'

const config = readConfig({ port: 0, data: '/nowhere' })
const handler: RequestListener = async (message, response) => {
  let size = 0
  try {
    for await (const chunk of message) size += chunk.length
    response.end(String(size))
  } catch {
    // The body broke off, as it is to.
  }
}

let server: Server
before(async () => {
  server = await listen(handler, config, { within: { headers: 300, request: 600 } })
})
after(() => {
  server.closeAllConnections()
  server.close()
})

/** What a client hears that says `begin` and then `again` every 100 ms. Rejects when it is not hung up on. */
async function heard(begin: string, again = ''): Promise<string> {
  const socket = connect(Number(new URL(urlOf(server)).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  // A server that hangs up on a client that is still sending resets the connection, behind its answer.
  socket.on('error', () => {})
  const closed = Promise.withResolvers<void>()
  socket.once('close', () => closed.resolve())
  await once(socket, 'connect')
  if (begin) socket.write(begin)
  const going = setInterval(() => again && socket.write(again), 100)
  const late = setTimeout(
    () => closed.reject(new Error('The connection is open after three seconds.')),
    3_000,
  )
  try {
    await closed.promise
    return text
  } finally {
    clearTimeout(late)
    clearInterval(going)
    socket.destroy()
  }
}

describe('The server closes a connection', () => {
  it('without a request', async () => {
    await heard('')
  })

  it('with incomplete headers', async () => {
    assert.match(await heard('GET / HTTP/1.1\r\n', 'X-More: 1\r\n'), /^HTTP\/1.1 408/)
  })

  it('with an incomplete body', async () => {
    const begin = 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n'
    assert.match(await heard(begin, 'x'), /^HTTP\/1.1 408/)
  })
})

describe('A client is answered', () => {
  it('that sends its next request late', async () => {
    const socket = connect(Number(new URL(urlOf(server)).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    await once(socket, 'data')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
    socket.destroy()
  })
})
