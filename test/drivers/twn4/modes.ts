import type { Duplex } from 'node:stream'
import driver from '../../../drivers/twn4/driver.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'

/** The ways in which the reader speaks, each with its driver and a reader to be played on a wire. */
export const modes = Object.entries({
  twn4: { crc: false, binary: false },
  'twn4 with CRC': { crc: true, binary: false },
  'twn4 in binary mode with CRC': { crc: true, binary: true },
}).map(([name, options]) => ({
  name,
  open: (wire: Duplex, clock: Clock, patience: number) =>
    driver.open(wire, { model: 'twn4', patience, options, clock }),
  machine(clock: Clock) {
    const cards: SimulatedCard[] = []
    const played = reader({ clock, antenna: { cards: () => cards }, ...options })
    return { cards, misbehaviours: played.misbehaviours, play: (wire: Duplex) => simulateTwn4(wire, played) }
  },
}))
