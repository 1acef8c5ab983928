import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { ServiceAnswer, ServiceRequest } from '../../../../src/devices/key-service.ts'
import { eventually } from '../../../eventually.ts'
import { type MewsBench, mewsBench, roomId } from './bench.ts'

const controllerId = 'dddddddd-0000-4000-8000-000000000001'
const done: ServiceAnswer = { outcome: 'done', text: null, uid: null, found: null }

let bench: MewsBench
let ordered: ServiceRequest[] = []
before(async () => {
  bench = await mewsBench(({ webSocketAddress }) => ({
    webSocketAddress,
    encoders: [{ code: 'DESK-1', controllerId }],
  }))
  bench.side.follow!({ changes() {}, poke: () => pokes++, line() {} })
  await eventually('the connection', () => asked('commands/getAllActive') > 0)
})
after(async () => {
  await bench.close()
  assert.deepEqual(bench.failures, [])
})
beforeEach(() => {
  ordered = []
  bench.orderKey = (request) => {
    ordered.push(request)
    return done
  }
})

let pokes = 0
const asked = (name: string) => bench.there.asked.filter(({ operation }) => operation === name).length
const command = (id: string) => bench.there.commands.find(({ Id }) => Id === id)!
const hasEnded = (id: string) => !['Pending', 'Received'].includes(command(id).State)

/** Ends the connection, and waits until the adapter has looked for commands over another. */
async function reconnected(meanwhile = () => {}): Promise<void> {
  const before = asked('commands/getAllActive')
  bench.there.cutSockets()
  meanwhile()
  await eventually('another connection', () => asked('commands/getAllActive') > before)
}

describe('a key that is ordered at Mews', () => {
  it('is made at the encoder of its key cutter, an original and its copies', async () => {
    const id = bench.there.order('DESK-1', {
      KeyCount: 2,
      LockIds: [roomId('201'), 'POOL'],
      ReservationId: roomId('777'),
      StartUtc: '2026-06-01T14:00:00Z',
      EndUtc: '2026-06-03T10:00:00Z',
    })
    await eventually('the end', () => hasEnded(id))
    const original = {
      kind: 'create',
      encoder: 'DESK-1',
      unit: '201',
      extraUnits: ['POOL'],
      reservation: roomId('777'),
      from: '2026-06-01',
      until: '2026-06-03',
      untilTime: '11:00',
      on: [],
      off: [],
      key: 'original',
    }
    assert.deepEqual(ordered, [original, { ...original, key: 'copy' }])
    assert.equal(command(id).State, 'Processed')
  })

  it('is an error with the sentence of the encoder', async () => {
    bench.orderKey = () => ({ outcome: 'refused', text: 'There was no card' })
    const id = bench.there.order('DESK-1', { LockIds: ['201'] })
    await eventually('the end', () => hasEnded(id))
    assert.deepEqual([command(id).State, command(id).Notes], ['Error', 'There was no card'])
  })

  it('at a key cutter that is not ours is left alone', async () => {
    const id = bench.there.order('BAR', { LockIds: ['201'] })
    const other = bench.there.order('DESK-1', { LockIds: ['202'] })
    await eventually('the other', () => hasEnded(other))
    assert.equal(command(id).State, 'Pending')
  })

  it('while the line was down is made when it is back, unless nobody waits for it any more', async () => {
    let ids: string[] = []
    await reconnected(() => {
      ids = [300_000, 0].map((ageMs) => {
        const id = bench.there.order('DESK-1', { LockIds: ['201'] })
        Object.assign(command(id), { CreatedUtc: new Date(bench.there.now() - ageMs).toISOString() })
        return id
      })
    })
    await eventually('the end', () => ids.every(hasEnded))
    assert.deepEqual(
      ids.map((id) => command(id).State),
      ['Cancelled', 'Processed'],
    )
    assert.equal(ordered.length, 1)
  })

  it('that was begun before is not made again: it may have been made', async () => {
    let id = ''
    await reconnected(() => {
      id = bench.there.order('DESK-1', { LockIds: ['201'] })
      command(id).State = 'Received'
    })
    await eventually('the end', () => hasEnded(id))
    assert.match(command(id).Notes!, /not known whether the key was made/)
    assert.deepEqual(ordered, [])
  })

  it('is not made while Mews does not know that it was begun', async () => {
    bench.there.faults.push({ at: 'commands/update', does: 'cut-after' })
    const id = bench.there.order('DESK-1', { LockIds: ['201'] })
    await eventually('the claim', () => command(id).State === 'Received')
    await reconnected()
    await eventually('the end', () => hasEnded(id))
    assert.deepEqual([ordered, command(id).State], [[], 'Error'])
  })

  it('is known as made later when Mews could not be reached at once', async () => {
    bench.orderKey = () => {
      bench.there.faults.push({ at: 'commands/update', does: 503 })
      return done
    }
    const id = bench.there.order('DESK-1', { LockIds: ['201'] })
    await eventually('the fault', () => bench.there.faults.length === 0 && command(id).State === 'Received')
    await reconnected()
    await eventually('the end', () => hasEnded(id))
    assert.equal(command(id).State, 'Processed')
  })
})

describe('the WebSocket of Mews', () => {
  it('has the house poll for changes, and after each connection', async () => {
    const before = pokes
    bench.there.send({ Type: 'Reservation', Id: roomId('777') })
    await eventually('a poll', () => pokes > before)
    const known = pokes
    await reconnected()
    assert.ok(pokes > known)
  })

  it('is not shaken by messages that nobody understands', async () => {
    const before = pokes
    for (const event of [{}, { Type: 7 }, { Type: 'Elsewhere' }]) bench.there.send(event)
    bench.there.send({ Type: 'Resource', Id: roomId('201') })
    await eventually('a poll', () => pokes > before)
  })
})
