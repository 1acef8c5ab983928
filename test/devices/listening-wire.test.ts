import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { type ListeningWire, listenForWire } from '../../src/devices/listening-wire.ts'

const patient = new AbortController().signal

async function listening(test: TestContext, port = 0): Promise<ListeningWire> {
  const wire = await listenForWire({ host: '127.0.0.1', port })
  test.after(() => wire.close())
  return wire
}

function dial(test: TestContext, { port }: ListeningWire): Socket {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {}).resume()
  test.after(() => socket.destroy())
  return socket
}

describe('a wire that others open', () => {
  it('carries bytes both ways', async (test) => {
    const wire = await listening(test)
    const far = dial(test, wire)
    const near = await wire.next(patient)
    near.write('out')
    assert.equal(String((await once(far, 'data'))[0]), 'out')
    far.write('in')
    assert.equal(String((await once(near, 'data'))[0]), 'in')
  })

  it('is there for who asks later, and not when it has gone again', async (test) => {
    const wire = await listening(test)
    const first = dial(test, wire)
    await once(first, 'connect')
    const given = await wire.next(patient)
    given.destroy()
    const next = wire.next(patient)
    const second = dial(test, wire)
    const near = await next
    near.write('x')
    await once(second, 'data')
  })

  it('belongs to who came last', { timeout: 20_000 }, async (test) => {
    const wire = await listening(test)
    const first = dial(test, wire)
    const near = await wire.next(patient)
    const lost = once(near, 'close')
    const second = dial(test, wire)
    await lost
    await once(first, 'close')
    const newer = await wire.next(patient)
    newer.write('x')
    await once(second, 'data')
  })

  it('is not waited for any more when the signal says so', async (test) => {
    const wire = await listening(test)
    const left = new AbortController()
    const waiting = wire.next(left.signal)
    left.abort(new Error('enough'))
    await assert.rejects(waiting, /enough/)
    await assert.rejects(wire.next(left.signal), /enough/)
    dial(test, wire)
    assert.ok(await wire.next(patient), 'who comes then is for who waits then')
  })

  it('ends with what is open, and frees its port', { timeout: 20_000 }, async (test) => {
    const wire = await listening(test)
    const { port } = wire
    const far = dial(test, wire)
    await wire.next(patient)
    const waiting = wire.next(patient)
    const ended = once(far, 'close')
    const refused = assert.rejects(waiting, /is closed/)
    await wire.close()
    await refused
    await ended
    const again = await listening(test, port)
    assert.equal(again.port, port)
  })

  it('says who is in the way', async (test) => {
    const { port } = await listening(test)
    await assert.rejects(listenForWire({ host: '127.0.0.1', port }), /another program has the port/)
    await assert.rejects(listenForWire({ host: '192.0.2.1', port: 0 }), /does not have the address/)
  })
})
