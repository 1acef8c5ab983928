import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import { profileOf } from '../../drivers/crt571/protocol.ts'
import { machine as crt571, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import { commands as ifd510Commands } from '../../drivers/ifd510/protocol.ts'
import { reader as ifd510, simulateIfd510 } from '../../drivers/ifd510/simulator/simulator.ts'
import { commands as k720Commands } from '../../drivers/k720/protocol.ts'
import { machine as k720 } from '../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../drivers/k720/simulator/simulator.ts'
import { commands as twn4Commands } from '../../drivers/twn4/protocol.ts'
import { simulateTwn4, reader as twn4 } from '../../drivers/twn4/simulator/simulator.ts'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import type { SimulatedAntenna, Technology } from '../../src/simulators/devices/simulated-card.ts'
import type { CardPath } from '../../src/simulators/devices/simulated-card-path.ts'
import type { Reply } from '../appliance.ts'
import { type TestClock, testClock } from '../test-clock.ts'
import { firstCard, type HouseWithDoors, houseWithDoors } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

/** A simulated device at the other end of its wires. */
export interface Player {
  driver: string
  /** Its time, which is that of the property it is plugged into as well. */
  clock: TestClock
  /** The names of its driver's command table. */
  commands: readonly string[]
  misbehaviours: Misbehaviour[]
  play(wire: Duplex): Promise<void>
}

/** A dispenser, and where its cards are. */
export interface PlayedDispenser extends Player {
  cards: CardPath
}

/** A sample property whose devices are reached over TCP sockets. */
export interface FaultHouse {
  house: HouseWithDoors
  encoder: Player
  controllerId: string
  /** Asks for the key of a stay: the request that may be sent again and again. */
  put(stay: string, unitName: string): Promise<Reply>
  stop(): Promise<void>
}

/** One with a dispenser, in which its encoder stands. */
export interface FaultLobby extends FaultHouse {
  dispenser: PlayedDispenser
  technology: Technology
}

/** Driver deadlines are shortened so far: simulated devices answer at once. */
const patience = 0.1

const lobbyClock = () => testClock({ always: false })

export const dispensers = {
  crt571(): PlayedDispenser {
    const clock = lobbyClock()
    const device = crt571({ clock, takenAfterMs: 0 })
    const { misbehaviours } = device
    const commands = Object.keys(profileOf('crt571').commands)
    const play = (wire: Duplex) => simulateCrt571(wire, device)
    return { driver: 'crt571', clock, commands, misbehaviours, play, cards: device }
  },
  k720(): PlayedDispenser {
    const clock = lobbyClock()
    const device = k720({ clock, takenAfterMs: 0, binCapacity: 1_000 })
    const { misbehaviours } = device
    const play = (wire: Duplex) => simulateK720(wire, device)
    return { driver: 'k720', clock, commands: Object.keys(k720Commands), misbehaviours, play, cards: device }
  },
}

export const encoders = {
  twn4(antenna: SimulatedAntenna, clock = lobbyClock()): Player {
    const device = twn4({ clock, antenna })
    const { misbehaviours } = device
    const play = (wire: Duplex) => simulateTwn4(wire, device)
    return { driver: 'twn4', clock, commands: Object.keys(twn4Commands), misbehaviours, play }
  },
  ifd510(antenna: SimulatedAntenna, clock = lobbyClock()): Player {
    const device = ifd510({ clock, antenna })
    const { misbehaviours } = device
    const play = (wire: Duplex) => simulateIfd510(wire, device)
    return { driver: 'ifd510', clock, commands: Object.keys(ifd510Commands), misbehaviours, play }
  },
}

/** A lobby of one dispenser and one encoder; `built-in` is the reader over the machine's own antenna. */
export async function faultLobby(
  dispenser: PlayedDispenser,
  encoderModel: keyof typeof encoders | 'built-in',
  technology: Technology = 'classic',
): Promise<FaultLobby> {
  const { clock } = dispenser
  const house = await houseWithDoors({ clock })
  const plugs = sockets()
  const isBuiltIn = encoderModel === 'built-in'
  const encoder = isBuiltIn
    ? { ...dispenser, driver: `${dispenser.driver}-rf` }
    : encoders[encoderModel](dispenser.cards, clock)
  const path = await plugs.plugIn(dispenser.play)
  const encoderPath = isBuiltIn ? path : await plugs.plugIn(encoder.play)
  const configure = async (what: string, device: object) => {
    const reply = await house.ask('PATCH', `/api/config/v1/${what}`, { body: { device } })
    assert.equal(reply.status, 204, reply.text)
  }
  await configure(`dispensers/${house.dispenserId}`, { driver: dispenser.driver, path, patience })
  await configure(`access-controllers/${house.controllerId}`, {
    driver: encoder.driver,
    path: encoderPath,
    patience,
  })
  return {
    house,
    dispenser,
    encoder,
    technology,
    controllerId: house.controllerId,
    put: putAt(house, house.controllerId),
    async stop() {
      await house.stop()
      plugs.close()
    },
  }
}

/** An encoder at a desk, where a hand lays the cards down. */
export async function faultDesk(encoder: Player): Promise<FaultHouse> {
  const house = await houseWithDoors({ clock: encoder.clock })
  const plugs = sockets()
  const path = await plugs.plugIn(encoder.play)
  const body = {
    name: 'Desk',
    providerId: house.providerId,
    kind: 'encoder',
    keyType: 'keyCard',
    device: { driver: encoder.driver, path, patience },
    // Half of it is how long a hand is waited for.
    timeoutMs: 3_000,
  }
  const made = await house.ask('POST', '/api/config/v1/access-controllers', { body })
  assert.equal(made.status, 201, made.text)
  const controllerId = String(made.body.data.id)
  return {
    house,
    encoder,
    controllerId,
    put: putAt(house, controllerId),
    async stop() {
      await house.stop()
      plugs.close()
    },
  }
}

/** The request for the key of a stay at a controller. */
export function putAt(house: Pick<HouseWithDoors, 'ask'>, controllerId: string): FaultHouse['put'] {
  return (stay, unitName) =>
    house.ask('PUT', `/api/v2/access/controllers/${controllerId}/keys/by-reservation/${stay}`, {
      body: firstCard(unitName),
    })
}
