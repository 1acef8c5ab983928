import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import {
  type ListeningOptions,
  type ListeningWire,
  listenForWire,
} from '../../../src/devices/network/listening-wire.ts'
import { networks } from '../../../src/devices/network/networks.ts'

const patient = new AbortController().signal
const basics: ListeningOptions = {
  host: '127.0.0.1',
  port: 0,
  isPeer: networks(['127.0.0.0/8']),
  isThere: async () => true,
  refused() {},
}

async function listening(test: TestContext, options: Partial<ListeningOptions> = {}): Promise<ListeningWire> {
  const wire = await listenForWire({ ...basics, ...options })
  test.after(() => wire.close())
  return wire
}

function dial(test: TestContext, { port }: ListeningWire, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.on('error', () => {}).resume()
  test.after(() => socket.destroy())
  return socket
}

/** However it ends. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

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

  it('stays with who is there and answers, whoever else comes', async (test) => {
    const told: string[] = []
    const wire = await listening(test, { refused: (...each) => told.push(each.join(' ')) })
    const first = dial(test, wire)
    const near = await wire.next(patient)
    const second = dial(test, wire)
    await once(second, 'close')
    assert.deepEqual(told, ['second 127.0.0.1'])
    near.write('x')
    await once(first, 'data')
  })

  it('asks once, however many come meanwhile, and keeps the newest of them', async (test) => {
    const answer = Promise.withResolvers<boolean>()
    let asked = 0
    const wire = await listening(test, {
      isThere() {
        asked++
        return answer.promise
      },
    })
    dial(test, wire)
    const near = await wire.next(patient)
    const second = dial(test, wire)
    await once(second, 'connect')
    const third = dial(test, wire)
    await once(second, 'close')
    // It does not answer: its driver gives it up.
    near.destroy()
    answer.resolve(false)
    const newer = await wire.next(patient)
    assert.equal(asked, 1)
    newer.write('x')
    await once(third, 'data')
  })

  it('is not for strangers, who hear nothing and disturb nobody', async (test) => {
    const told: string[] = []
    const wire = await listening(test, {
      isPeer: networks(['127.0.0.2']),
      refused: (...each) => told.push(each.join(' ')),
      isThere: () => assert.fail('nobody is asked for the sake of a stranger'),
    })
    const early = dial(test, wire, '127.0.0.9')
    await closed(early)
    const first = dial(test, wire, '127.0.0.2')
    const near = await wire.next(patient)
    const stranger = dial(test, wire)
    await closed(stranger)
    assert.deepEqual(told, ['stranger 127.0.0.9', 'stranger 127.0.0.1'])
    near.write('x')
    await once(first, 'data')
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

  it('ends with what is open, and frees its port', async (test) => {
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
    const again = await listening(test, { port })
    assert.equal(again.port, port)
  })

  it('says who is in the way', async (test) => {
    const { port } = await listening(test)
    await assert.rejects(listenForWire({ ...basics, port }), /another program uses the port/)
    await assert.rejects(listenForWire({ ...basics, host: '192.0.2.1' }), /does not have the address/)
  })
})
