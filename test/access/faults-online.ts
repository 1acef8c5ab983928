import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import { bookOf } from '../../drivers/fias/simulator/key-book.ts'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { lockPc, opening, type PcCard } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { simulatedCommands, simulateLockPc } from '../../drivers/industry-standard/simulator/simulator.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { type Ask, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { type TestClock, testClock } from '../test-clock.ts'
import { putAt } from './faults-lobby.ts'
import { sockets } from './sockets.ts'

/** A lock system whose own encoders write the cards: what it speaks, and which cards open a room by its own books. */
export interface OnlineSystem<Time extends Clock = TestClock> {
  driver: string
  clock: Time
  connection: object
  commands: readonly string[]
  misbehaviours: Misbehaviour[]
  play(wire: Duplex): Promise<void>
  opening(room: string): string[]
}

export const onlineRooms = Array.from({ length: 8 }, (_, index) => String(101 + index))

/** The card that stands at an encoder; null for none. */
type AtAntenna = () => SimulatedCard | null

/** A lock PC, and a key system: on each encoder a fresh card lies, but on the second what `fed` says if that is given. */
export const onlineSystems = {
  'industry-standard'<Time extends Clock>(clock: Time, fed?: AtAntenna): OnlineSystem<Time> {
    let cards = 0
    const pc = lockPc({
      clock,
      rooms: onlineRooms,
      encoders: [1, 2],
      shown: () => shownAt(clock.now()),
      ...(!fed && {
        options: { nextCard: () => ({ uid: `04${String(++cards).padStart(12, '0')}`, holds: null }) },
      }),
    })
    if (fed) Object.defineProperty(pc.encoders.get(2)!, 'card', { get: asPcCards(fed) })
    return {
      driver: 'industry-standard',
      clock,
      connection: { patience: 0.1 },
      commands: simulatedCommands,
      misbehaviours: pc.misbehaviours,
      play: (wire) => simulateLockPc(wire, pc),
      // From tomorrow on: a card for today does not open before check-in.
      opening: (room) => opening(pc, room, shownAt(clock.now() + 20 * 3_600_000)),
    }
  },
  'fias-key'<Time extends Clock>(clock: Time, fed?: AtAntenna): OnlineSystem<Time> {
    let cards = 0
    const misbehaviours: Misbehaviour[] = []
    const nextUid = () => `AA${String(++cards).padStart(6, '0')}`
    const book = bookOf(onlineRooms, () => fed?.()?.uid.toHex().toUpperCase() ?? nextUid())
    const system = keySystem({
      clock,
      deeds: misbehaviours,
      book,
      shown() {
        const shown = shownAt(clock.now())
        return { DA: shown.slice(2, 8), TI: `${shown.slice(8)}00` }
      },
    })
    return {
      driver: 'fias-key',
      clock,
      connection: { direction: 'connect', framing: 'tcp', patience: 0.02 },
      commands: ['KR', 'KD', 'KM', 'KZ'],
      misbehaviours,
      play: system.play,
      opening: (room) => book.opens(room).map(({ uid }) => uid),
    }
  },
}

/** YYYYMMDDHHmm, as a clock in Lisbon shows it in summer. */
function shownAt(instant: number): string {
  return new Date(instant + 3_600_000).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12)
}

/** The same cards as a lock PC has them, each always the same. */
function asPcCards(fed: AtAntenna): () => PcCard | null {
  const known = new Map<SimulatedCard, PcCard>()
  return () => {
    const card = fed()
    if (!card) return null
    const made = known.get(card) ?? { uid: card.uid.toHex().toUpperCase(), holds: null }
    known.set(card, made)
    return made
  }
}

export interface OnlineHouse extends TestAppliance {
  system: OnlineSystem
  dispenserId: string
  /** Asks for the key of a stay at the desk, or at the dispenser. */
  put: Record<'desk' | 'dispenser', (stay: string, unitName: string) => Promise<Reply>>
  controllers: Record<'desk' | 'dispenser', string>
  /** Whether the lock system is switched off: it then drops its lines, and takes no other. */
  switchOff(isOff: boolean): void
}

/**
 * A sample property with an encoder of the lock system at the desk, and one in its dispenser: `linked` writes the
 * dispenser's own cards there, so that a desk has none.
 */
export async function onlineHouse(name: keyof typeof onlineSystems, linked = false): Promise<OnlineHouse> {
  const clock = testClock({ always: false })
  const house = await startAppliance({ clock })
  const plugs = sockets()
  const { dispenser } = house.lobby
  const system = onlineSystems[name](clock, linked ? () => dispenser.cards()[0] ?? null : undefined)
  const wires = new Set<Duplex>()
  let isOff = false
  const path = await plugs.plugIn(async (wire) => {
    if (isOff) return void wire.destroy()
    wires.add(wire)
    await system.play(wire)
  })
  const [lobby] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
  const { dispenserId } = lobby.attributes
  const release = { body: { dispenserId: null, kind: 'encoder' } }
  const freed = await house.ask('PATCH', `/api/config/v1/access-controllers/${lobby.id}`, release)
  assert.equal(freed.status, 204, freed.text)
  const create = creator(house.ask)
  const desk = await deskOf(house.ask, system, path)
  const controllers = {
    desk: desk.controllerId,
    dispenser: await create('access-controllers', {
      ...encoderOf(desk.providerId),
      name: 'Kiosk',
      kind: 'dispenser-encoder',
      externalCode: '2',
      dispenserId,
    }),
  }
  const stop = house.stop
  return Object.assign(house, {
    system,
    dispenserId: String(dispenserId),
    controllers,
    put: { desk: putAt(house, controllers.desk), dispenser: putAt(house, controllers.dispenser) },
    switchOff(off: boolean) {
      isOff = off
      for (const wire of off ? wires : []) wire.destroy()
      wires.clear()
    },
    async stop() {
      await stop()
      plugs.close()
    },
  })
}

const encoderOf = (providerId: string) => ({ providerId, keyType: 'keyCard', timeoutMs: 2_500 })

/** Sets up the lock system in a running sample property, with its encoder at the desk. */
export async function deskOf(
  ask: Ask,
  { driver, connection }: Pick<OnlineSystem, 'driver' | 'connection'>,
  path: string,
): Promise<{ providerId: string; controllerId: string }> {
  const create = creator(ask)
  const providerId = await create('access-providers', {
    name: 'Lock system',
    driver,
    connection: { path, ...connection },
    unitMapping: onlineRooms.map((room) => ({ unitName: room, externalCode: room })),
  })
  const controllerId = await create('access-controllers', {
    ...encoderOf(providerId),
    name: 'Desk',
    kind: 'encoder',
    externalCode: '1',
    queueLimit: 1,
  })
  return { providerId, controllerId }
}

/** Makes resources of the configuration. Resolves with the id. */
export function creator(ask: Ask) {
  return async (kind: string, body: object): Promise<string> => {
    const made = await ask('POST', `/api/config/v1/${kind}`, { body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.data.id)
  }
}
