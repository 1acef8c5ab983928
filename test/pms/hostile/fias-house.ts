import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Framing } from '../../../drivers/fias/framing.ts'
import { pms, type SimulatedFiasPms } from '../../../drivers/fias/simulator/pms-simulator.ts'
import { type FrontDesk, frontDesk } from '../../../drivers/fias/simulator/simulated-front-desk.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { type Doors, idle, withDoors } from '../../access/house-with-doors.ts'
import { openHouse } from '../../reservation/api/house.ts'
import { guestOf } from '../adapters/fias/guests.ts'
import { eventually } from '../sync/linked-house.ts'
import { type HealingHouse, watch } from './hostile-house.ts'

/** A house to which a PMS reports its guests over FIAS, and the PMS, which a test makes hostile. */
export interface FiasHouse extends HealingHouse {
  doors: Doors
  foreign: SimulatedFiasPms
  desk: FrontDesk
  wire: FiasWire
  configuration: string
  /** Checks a guest in at the PMS in a room of his own; returns his number and his room. */
  arrive(): { number: string; room: string }
  /** The status of a stay here; undefined when it is not here. */
  statusOf(externalId: string): Promise<string | undefined>
  /** Orders a key at the PMS, and returns AS of the answer. */
  order(id: string, fields: Record<string, string>): Promise<string>
  /** Fails unless the guest who was in house at the beginning is, his card opens his room, and so many cards were made; no other one than his unless said otherwise. */
  expectNoHarm(made?: number): Promise<void>
}

/** The PMS's end of the line. */
interface FiasWire {
  /** What each new connection meets: the simulated PMS, or what a test sets. */
  play(socket: Socket): void
  /** Connections so far. */
  opened: number
  /** Writes to the open connections. */
  raw(bytes: string | Uint8Array): void
  /** Cuts the line. */
  drop(): void
  /** Refuses connections until `listen`. */
  refuse(): void
  listen(): Promise<void>
}

const resident = { 'G#': 'R1', RN: '301' }
const announced = ['GI', 'GC', 'GO', 'RE', 'DR', 'DS', 'DE', 'KR', 'KD', 'KZ', 'KA']
const roomType = 'HOST'
export const keyWindow = { GA: '260601', GD: '260603', DT: '11:00' }

async function fiasWire(play: FiasWire['play']): Promise<FiasWire & { port: number }> {
  const sockets = new Set<Socket>()
  // What the kernel holds back for a while would not be seen to be on its way.
  const server = createServer({ noDelay: true }, (socket) => {
    wire.opened++
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    wire.play(socket)
  })
  const wire = {
    play,
    opened: 0,
    port: 0,
    raw(bytes: string | Uint8Array) {
      for (const socket of sockets)
        socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    },
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    refuse() {
      server.close()
      wire.drop()
    },
    listen: () => new Promise<void>((resolve) => server.listen(wire.port, '127.0.0.1', resolve)),
  }
  await wire.listen()
  wire.port = (server.address() as AddressInfo).port
  return wire
}

/** Opens a house with so many rooms for guests and as many for statuses, in step with a simulated PMS; a guest has a card. */
export async function openFiasHouse(rooms: number, framing: Framing = 'tcp'): Promise<FiasHouse> {
  const house = (await openHouse()) as FiasHouse
  const doors = await withDoors(house, house.data, house.clock.now)
  const foreign = pms({ clock: house.clock, framing })
  const desk = frontDesk(foreign)
  const wire = await fiasWire((socket) => void foreign.play(socket))
  const { unitIds } = await house.rooms(2 * rooms, { code: roomType })
  const roomNames: string[] = []
  for (const id of unitIds) roomNames.push((await house.attributes(`/api/v2/units/${id}`)).name)
  const statusRooms = unitIds.map((id, at) => ({ id, name: roomNames[at]! })).splice(rooms)
  Object.assign(house, { doors, foreign, desk, wire })
  watch(house)
  let count = 0
  let card: SimulatedCard
  let cards = 0

  house.statusOf = async (externalId) => {
    const { body } = await house.ask(
      'GET',
      `/api/v2/stays?filter[externalId]=${encodeURIComponent(externalId)}`,
    )
    return body.data[0]?.attributes.status
  }
  house.arrive = () => {
    const [number, room] = [`B${++count}`, roomNames[count - 1]]
    assert.ok(room && count <= rooms, 'a room for each guest')
    desk.checkIn(guestOf(number, room))
    return { number, room }
  }
  house.book = () => {
    const { number } = house.arrive()
    return async () => (await house.statusOf(number)) === 'InHouse'
  }
  house.toSend = async () => {
    const room = statusRooms.shift()
    assert.ok(room, 'a room for each status')
    return async () => {
      const changed = await house.ask('PATCH', `/api/v2/units/${room.id}`, { body: { status: 'Dirty' } })
      assert.equal(changed.status, 204, changed.text)
      return () =>
        foreign.received.findLast(({ id, fields }) => id === 'RE' && fields.RN === room.name)?.fields.RS ===
        '1'
    }
  }
  house.order = async (id, fields) => {
    await idle(doors)
    const answer = await house.during(
      foreign.ask(id, { KC: '1', WS: 'FRONT1', KT: 'N', ...keyWindow, ...fields }, 20_000),
    )
    return typeof answer === 'string' ? answer : (answer.fields.AS ?? '')
  }
  house.expectNoHarm = async (made = cards) => {
    await idle(doors)
    assert.deepEqual([...foreign.wanted.keys()], announced, 'all records are wanted')
    assert.equal(await house.statusOf(resident['G#']), 'InHouse')
    assert.match(doors.present(card, resident.RN), /^opened/)
    assert.equal(house.lobby.dispenser.taken.length, made, 'no other card')
  }

  const id = await house.make('/api/config/v1/pms-configurations', {
    name: 'Grand PMS',
    adapter: 'fias',
    heartbeatSeconds: 10,
    conflictPolicy: { status: 'Pms' },
    connection: {
      direction: 'connect',
      path: `tcp://127.0.0.1:${wire.port}`,
      framing,
      sendsRooms: true,
      encoders: [{ code: '1', controllerId: doors.controllerId }],
    },
  })
  house.configuration = `/api/config/v1/pms-configurations/${id}`
  desk.checkIn(guestOf(resident['G#'], resident.RN))
  await eventually('the guest is here', async () => (await house.statusOf(resident['G#'])) === 'InHouse')
  assert.equal(await house.order('KR', resident), 'OK')
  await idle(doors)
  card = house.lobby.dispenser.taken.at(-1)!
  cards = house.lobby.dispenser.taken.length
  const { stop } = house
  house.stop = async () => {
    await stop()
    wire.refuse()
  }
  return house
}
