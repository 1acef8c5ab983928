import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { FiasRecord } from '../../drivers/fias/record.ts'
import { pms, type SimulatedFiasPms } from '../../drivers/fias/simulator/pms-simulator.ts'
import { guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDoors, houseWithDoors, idle, sampleStay, serve, until } from './house-with-doors.ts'

let house: HouseWithDoors
let foreign: SimulatedFiasPms
let server: Server
let serviceId: string
const sockets = new Set<Socket>()
const longMs = 20_000

/** A PMS that listens, as most do, and a service that connects to it. */
before(async () => {
  house = await houseWithDoors()
  foreign = pms({ clock: house.clock })
  server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    void foreign.play(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const made = await house.ask('POST', '/api/config/v1/key-services', {
    body: {
      name: 'Chain PMS',
      driver: 'fias',
      connection: {
        direction: 'connect',
        path: `tcp://127.0.0.1:${port}`,
        patience: 1,
        options: { Pool: 1, Gym: 2 },
      },
      encoders: [{ code: '1', controllerId: house.controllerId }],
    },
  })
  assert.equal(made.status, 201, made.text)
  serviceId = made.body.data.id
  await linked(1)
})
after(async () => {
  await house.stop()
  for (const socket of sockets) socket.destroy()
  server.close()
})

function linked(count: number): Promise<unknown> {
  return until(
    'a link',
    () => foreign.links,
    (links) => links >= count,
  )
}

const status = async () =>
  (await house.ask('GET', `/api/config/v1/key-services/${serviceId}/status`)).body.data.attributes

/** Asks for a key as a PMS does; the card is then taken at the gate. */
async function asks(id: string, fields: Record<string, string>): Promise<FiasRecord['fields']> {
  await idle(house)
  const answer = await house.during(foreign.ask(id, { KC: '1', WS: 'FRONT1', ...fields }, longMs))
  assert.ok(typeof answer === 'object', `no answer: ${answer}`)
  assert.equal(answer.fields.WS, 'FRONT1')
  assert.equal(answer.fields.KC, fields.KC ?? '1')
  return answer.fields
}

const stayOf = { GA: '260601', GD: '260603', DT: '11:00' }
const newest = () => house.lobby.dispenser.taken.at(-1)!
const keysOf = async (unitName: string) =>
  (await house.ask('GET', `/api/v2/access/keys?filter[unitName]=${unitName}&sort=createdAt`)).body.data

describe('a foreign PMS that orders keys over FIAS', () => {
  it('is told what we take, and that we are there', async () => {
    assert.deepEqual([...foreign.wanted.keys()], ['KR', 'KD', 'KZ', 'KA'])
    assert.equal((await status()).line, 'online')
  })

  it('gets a card that opens the room, and its serial number', async () => {
    const { AS, $2, 'G#': reservation } = await asks('KR', { KT: 'N', RN: '201', 'G#': '4711', ...stayOf })
    assert.equal(AS, 'OK')
    assert.equal(reservation, '4711')
    await idle(house)
    assert.equal($2, newest().uid.toHex().toUpperCase())
    assert.equal(house.present(newest(), '201'), 'opened-newer')
    const [key] = await keysOf('201')
    const { externalId, original, endDate, endTime, status: now } = key.attributes
    assert.deepEqual(
      [externalId, original, endDate, endTime, now],
      ['fias:4711', true, '2026-06-03', '11:00', 'live'],
    )
  })

  it('gets a copy of its guest’s key, and none of another’s', async () => {
    const copy = await asks('KR', { KT: 'D', RN: '201', 'G#': '4711', ...stayOf })
    assert.equal(copy.AS, 'OK')
    await idle(house)
    assert.equal(house.present(newest(), '201'), 'opened')
    const other = await asks('KR', { KT: 'D', RN: '201', 'G#': '4712', ...stayOf })
    assert.deepEqual([other.AS, other.CT], ['UR', 'No key of this guest to copy'])
  })

  it('orders keys for a reservation that becomes known later: they end with its stay', async () => {
    const order = { KT: 'N', RN: '208', 'G#': '4799', ...stayOf }
    assert.equal((await asks('KR', order)).AS, 'OK')
    assert.equal((await asks('KR', { ...order, KT: 'D' })).AS, 'OK')
    const guests = await guestsOfUnits(house.ask)
    const guest = await guests.booked('208', 1, 3)
    assert.equal((await house.ask('PATCH', guest.path, { body: { externalId: '4799' } })).status, 204)
    for (const { attributes } of await keysOf('208')) assert.equal(attributes.stayId, guest.id)
    assert.equal((await asks('KR', order)).AS, 'OK')
    await guests.become(guest, 'Canceled')
    for (const { attributes } of await keysOf('208')) assert.notEqual(attributes.status, 'live')
    assert.equal((await asks('KR', order)).AS, 'UR')
  })

  it('orders a key that the desk makes again: it waits for its stay, too', async () => {
    assert.equal((await asks('KR', { KT: 'N', RN: '211', 'G#': '4798', ...stayOf })).AS, 'OK')
    await idle(house)
    const [first] = await keysOf('211')
    const again = await house.ask('POST', `/api/v2/access/keys/${first.id}/actions/reencode`)
    assert.equal(again.status, 201, again.text)
    await idle(house)
    const guests = await guestsOfUnits(house.ask)
    const elsewhere = await guests.booked('213', 1, 3)
    assert.equal((await house.ask('PATCH', elsewhere.path, { body: { externalId: '4798' } })).status, 204)
    assert.equal((await house.key(again.body.data.id)).stayId, null)
    assert.equal((await house.ask('PATCH', elsewhere.path, { body: { externalId: '4797' } })).status, 204)
    const guest = await guests.booked('211', 1, 3)
    assert.equal((await house.ask('PATCH', guest.path, { body: { externalId: '4798' } })).status, 204)
    assert.equal((await house.key(again.body.data.id)).stayId, guest.id)
    await guests.become(guest, 'Canceled')
    assert.equal((await house.key(again.body.data.id)).status, 'revocationPending')
  })

  it('takes back a key that the desk made by the id of the stay', async () => {
    const guests = await guestsOfUnits(house.ask)
    const guest = await guests.booked('212', 1, 3)
    assert.equal((await house.ask('PATCH', guest.path, { body: { externalId: '4796' } })).status, 204)
    const { id } = await serve(house, '212', { externalId: guest.id })
    const { AS, CT } = await asks('KD', { RN: '212', 'G#': '4796' })
    assert.deepEqual([AS, CT], ['OK', 'Noted; the card works until it is ended'])
    assert.equal((await house.key(id)).status, 'revocationPending')
    await guests.become(guest, 'Canceled')
  })

  it('orders the same again, and gets another card', async () => {
    const order = { KT: 'N', RN: '202', 'G#': '4713', ...stayOf }
    const first = await asks('KR', order)
    const second = await asks('KR', order)
    assert.deepEqual([first.AS, second.AS], ['OK', 'OK'])
    assert.notEqual(first.$2, second.$2)
    const states = (await keysOf('202')).map(
      ({ attributes }: { attributes: { status: string } }) => attributes.status,
    )
    assert.deepEqual(states, ['superseded', 'live'])
  })

  it('gets no key to the room of a guest who is in house', async () => {
    const { unitName } = await guestInHouse(1003)
    const { AS, CT } = await asks('KR', { KT: 'N', RN: unitName, 'G#': '4714', ...stayOf })
    assert.deepEqual([AS, CT], ['UR', 'Another guest is in house in this room'])
  })

  it('names a stay that we know by its own number', async () => {
    const { path } = await sampleStay(house, 1004, 'Confirmed')
    const externalId = '88004'
    assert.equal((await house.ask('PATCH', path, { body: { externalId } })).status, 204)
    const { AS } = await asks('KR', { KT: 'N', RN: '203', 'G#': externalId, ...stayOf })
    assert.equal(AS, 'OK')
    const [key] = await keysOf('203')
    assert.equal(key.attributes.externalId, externalId)
  })

  it('copies and takes back a key that it ordered before the stay was known here', async () => {
    const order = { RN: '207', 'G#': '88005' }
    assert.equal((await asks('KR', { ...order, KT: 'N', ...stayOf })).AS, 'OK')
    const { path } = await sampleStay(house, 1005, 'Confirmed')
    assert.equal((await house.ask('PATCH', path, { body: { externalId: '88005' } })).status, 204)
    const copy = await asks('KR', { ...order, KT: 'D', ...stayOf })
    assert.equal(copy.AS, 'OK', String(copy.CT))
    const { AS, CT } = await asks('KD', order)
    assert.deepEqual([AS, CT], ['OK', 'Noted; the card works until it is ended'])
    const states = (await keysOf('207')).map(
      ({ attributes }: { attributes: { status: string } }) => attributes.status,
    )
    assert.deepEqual(states, ['revocationPending', 'revocationPending'])
  })

  it('switches options on and off', async () => {
    const { AS } = await asks('KR', { KT: 'N', RN: '204', 'G#': '4715', KO: '10', ...stayOf })
    assert.equal(AS, 'OK')
    const [key] = await keysOf('204')
    assert.deepEqual(
      [key.attributes.authorizations.includes('Pool'), key.attributes.deAuthorizations],
      [true, ['Gym']],
    )
  })

  for (const [what, id, fields, told] of [
    [
      'a room that is not here',
      'KR',
      { KT: 'N', RN: '999', 'G#': '1', ...stayOf },
      'The room has no lock here',
    ],
    [
      'an encoder that is not here',
      'KR',
      { KC: '9', KT: 'N', RN: '205', 'G#': '1', ...stayOf },
      'The encoder is not set up here',
    ],
    ['no kind of key', 'KR', { RN: '205', 'G#': '1', ...stayOf }, 'No key type N, D or O'],
    ['no room', 'KR', { KT: 'N', 'G#': '1', ...stayOf }, 'No room'],
    [
      'a departure that is no date',
      'KR',
      { KT: 'N', RN: '205', 'G#': '1', GD: '260231' },
      'The departure is not a date',
    ],
    [
      'a departure before the arrival',
      'KR',
      { KT: 'N', RN: '205', GA: '260605', GD: '260603' },
      'The key would end before it starts',
    ],
    [
      'further rooms',
      'KR',
      { KT: 'N', RN: '205', SI: '206', ...stayOf },
      'Too many further rooms for one card',
    ],
    ['a change without a card', 'KM', { RN: '205', 'G#': '1' }, 'KM is not supported'],
  ] as const)
    it(`is told when it asks for ${what}`, async () => {
      const cards = house.lobby.dispenser.stack.length
      const { AS, CT } = await asks(id, fields)
      assert.deepEqual([AS, CT], ['UR', told])
      assert.equal(house.lobby.dispenser.stack.length, cards)
    })

  it('is told that the encoder is busy, while it makes another card', async () => {
    await idle(house)
    const order = (RN: string) => ['KR', { KC: '1', WS: RN, KT: 'N', RN, 'G#': RN, ...stayOf }] as const
    const rooms = ['103', '104', '105', '106', '107', '108', '109', '110']
    foreign.post(...rooms.map((room): [string, Record<string, string>] => [...order(room)]))
    const answers = new Map<string, string>()
    for (const _ of rooms) {
      const answer = await house.during(foreign.next(longMs))
      assert.ok(typeof answer === 'object', 'nobody is left without an answer')
      answers.set(answer.fields.WS!, answer.fields.AS!)
    }
    assert.deepEqual([...answers.keys()].sort(), rooms)
    const said = new Set(answers.values())
    assert.ok(said.has('OK') && said.has('BY') && said.size === 2, JSON.stringify([...answers]))
  })

  it('takes keys back, of one reservation, and is told that cards are still out', async () => {
    assert.equal((await asks('KD', { RN: '201', 'G#': '4712' })).CT, 'There was no such key')
    const { AS, CT } = await asks('KD', { RN: '201', 'G#': '4711' })
    assert.deepEqual([AS, CT], ['OK', 'Noted; the card works until it is ended'])
    const states = (await keysOf('201')).map(
      ({ attributes }: { attributes: { status: string } }) => attributes.status,
    )
    assert.deepEqual(states, ['revocationPending', 'revocationPending'])
  })

  it('takes a key back that has expired by a clock that is ahead, and it does not open again', async () => {
    const now = house.clock.now()
    assert.equal((await asks('KR', { KT: 'N', RN: '101', 'G#': '4720', ...stayOf })).AS, 'OK')
    await idle(house)
    const state = async () => (await keysOf('101'))[0].attributes.status
    house.clock.set(now + 10 * 86_400_000)
    await until('the end', state, (status) => status === 'expired')
    assert.equal((await asks('KD', { RN: '101', 'G#': '4720' })).AS, 'OK')
    assert.equal(await state(), 'invalidated')
    house.clock.set(now + 60_000)
    await until('the key', state, (status) => status === 'revocationPending')
    house.clock.set(now)
  })

  it('is told what is on a card that lies on the encoder', async () => {
    const { AS, $2 } = await asks('KR', { KT: 'N', RN: '206', 'G#': '4716', ...stayOf })
    assert.equal(AS, 'OK')
    await idle(house)
    const { dispenser } = house.lobby
    const { cards } = dispenser
    dispenser.cards = () => [newest()]
    const read = await house.during(foreign.ask('KZ', { KC: '1', WS: 'FRONT1' }, longMs))
    dispenser.cards = cards
    assert.ok(typeof read === 'object')
    const { DA, TI, ...said } = read.fields
    assert.ok(DA && TI)
    assert.equal(read.id, 'KZ')
    const found = { RN: '206', 'G#': '4716', GD: '260603', DT: '11:00', $2 }
    assert.deepEqual(said, { AS: 'OK', KC: '1', WS: 'FRONT1', ...found })
  })

  it('reads a card only when one lies there', async () => {
    const { AS, CT } = await asks('KZ', {})
    assert.deepEqual([AS, CT], ['UR', 'No card was laid on the encoder in time'])
  })

  it('is told when the encoder is gone', async () => {
    await idle(house)
    const path = `/api/config/v1/access-controllers/${house.controllerId}`
    const { device } = (await house.ask('GET', path)).body.data.attributes
    await house.ask('PATCH', path, { body: { device: { ...device, path: '/dev/serial/by-id/nobody' } } })
    const { AS, CT } = await asks('KR', { KT: 'N', RN: '205', 'G#': '4720', ...stayOf })
    assert.deepEqual([AS, CT], ['UR', 'The encoder is not connected'])
    await house.ask('PATCH', path, { body: { device } })
  })

  it('is found again after it was gone', async () => {
    const { links } = foreign
    foreign.drop()
    await linked(links + 1)
    foreign.leave()
    await linked(links + 2)
    const { AS } = await asks('KZ', {})
    assert.equal(AS, 'UR')
  })
})

describe('a key service', () => {
  it('is refused with a controller or a driver that is not there', async () => {
    const body = {
      name: 'x',
      driver: 'fias',
      connection: { direction: 'listen', port: 5010, peers: ['127.0.0.1'] },
    }
    const refused = async (more: object) => {
      const reply = await house.ask('POST', '/api/config/v1/key-services', { body: { ...body, ...more } })
      return [reply.status, reply.body.errors[0].code, reply.body.errors[0].source?.pointer]
    }
    const encoders = [{ code: '1', controllerId: house.dispenserId }]
    const at = '/data/attributes'
    assert.deepEqual(await refused({ encoders }), [422, 'validation-failed', `${at}/encoders/0/controllerId`])
    assert.deepEqual(await refused({ driver: 'fax' }), [422, 'validation-failed', `${at}/driver`])
    const connection = { direction: 'listen', peers: ['127.0.0.1'] }
    assert.deepEqual(await refused({ connection }), [422, 'validation-failed', `${at}/connection/port`])
  })

  it('ends its link when it is switched off, begins it when it is switched on, and goes for good', async () => {
    const path = `/api/config/v1/key-services/${serviceId}`
    const { links } = foreign
    assert.equal((await house.ask('PATCH', path, { body: { enabled: false } })).status, 204)
    await until(
      'the end of the link',
      () => sockets.size,
      (count) => count === 0,
    )
    assert.equal((await status()).line, 'off')
    assert.equal((await house.ask('PATCH', path, { body: { enabled: true } })).status, 204)
    await linked(links + 1)
    await house.restart()
    await linked(links + 2)
    assert.equal((await house.ask('DELETE', path)).status, 204)
    await until(
      'the end of the link',
      () => sockets.size,
      (count) => count === 0,
    )
  })
})

/** He has checked in here, and has his card. */
async function guestInHouse(number: number): Promise<{ unitName: string }> {
  const { unitName, externalId } = await sampleStay(house, number)
  await idle(house)
  const key = await house.issue(unitName, { externalId })
  assert.equal(key.status, 201, key.text)
  return { unitName }
}
