import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import crt571 from '../../drivers/crt571/driver.ts'
import { profileOf } from '../../drivers/crt571/protocol.ts'
import type { Crt571Machine } from '../../drivers/crt571/simulator/mechanics.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import payline from '../../drivers/payline/driver.ts'
import {
  type SimulatedTerminal,
  terminal as simulatedTerminal,
  simulatePayline,
  terminalCommands,
} from '../../drivers/payline/simulator/simulator.ts'
import twn4 from '../../drivers/twn4/driver.ts'
import { commands } from '../../drivers/twn4/protocol.ts'
import { reader, type SimulatedTwn4, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import type { Clock } from '../host/clock.ts'
import { makeFolders } from '../host/files/make-folders.ts'
import type { Misbehaviour } from '../simulators/devices/misbehaviour.ts'
import {
  blankCards,
  cardImage,
  type SimulatedCard,
  type Technology,
} from '../simulators/devices/simulated-card.ts'

/** A simulated lobby: a dispenser, and an encoder whose antenna is on the dispenser's card path. */
export interface SimulatedLobby {
  dispenser: Crt571Machine
  encoder: SimulatedTwn4
  terminal: SimulatedTerminal
  /** What each device is, by its name. */
  devices: Readonly<Record<LobbyDevice, LobbyDeviceFacts>>
  /** The card that a person has laid on the encoder; null for none. */
  laid: SimulatedCard | null
  /** The folder of the cards in guests' hands; null when they are in `dispenser.taken` only. */
  pocket: string | null
  /** The devices whose cable is pulled. */
  unplugged: ReadonlySet<LobbyDevice>
  /** Pulls the cable of a device, so that its wires end, or plugs it in again. */
  setPlugged(name: LobbyDevice, isPlugged: boolean): void
  /**
   * Opens a new wire to a device by its name. Throws an Error for an unknown name, and while the cable is pulled. The
   * device keeps its state after the wire is closed.
   */
  connect(name: string): Duplex
}

/** The names of the devices of a lobby. */
export const lobbyDevices = ['dispenser', 'encoder', 'terminal'] as const
export type LobbyDevice = (typeof lobbyDevices)[number]

interface LobbyDeviceFacts {
  model: string
  /** The names of the commands at which it can misbehave. */
  commands: readonly string[]
  /** The misbehaviours that wait for their command, in the order in which they are tried. */
  misbehaviours: Misbehaviour[]
}

/** The prefix of a device path that names a simulated device. */
export const simulated = 'simulated:'

export interface LobbyOptions {
  clock: Clock
  /** The folder for the cards that guests take, one JSON file per card; null keeps the cards in `dispenser.taken`. */
  pocket: string | null
  /** The number of blank cards in the stacker. */
  cards: number
  /** The technology of the cards; default MIFARE Classic. */
  technology?: Technology
  takenAfterMs: number | null
  pace: number
  /** The same seed gives the same serial numbers; without one they are random. */
  seed?: string | null
}

/**
 * Creates a lobby. The cards that its guests take become JSON files in the folder `pocket`, one per card. The command
 * `nightporter door` presents them from there. Without a folder the cards stay in `dispenser.taken`.
 */
export function simulatedLobby(options: LobbyOptions): SimulatedLobby {
  const dispenser = machine(filled(options))
  const antenna = { cards: () => [...dispenser.cards(), ...(lobby.laid ? [lobby.laid] : [])] }
  const encoder = reader({ clock: options.clock, antenna, pace: options.pace })
  const terminal = simulatedTerminal()
  const plays: Record<LobbyDevice, (wire: Duplex) => Promise<void>> = {
    dispenser: (wire) => simulateCrt571(wire, dispenser),
    encoder: (wire) => simulateTwn4(wire, encoder),
    terminal: (wire) => simulatePayline(wire, terminal),
  }
  const wires: Record<LobbyDevice, Set<Duplex>> = {
    dispenser: new Set(),
    encoder: new Set(),
    terminal: new Set(),
  }
  const unplugged = new Set<LobbyDevice>()
  const lobby: SimulatedLobby = {
    dispenser,
    encoder,
    terminal,
    devices: {
      dispenser: {
        model: crt571.name,
        commands: Object.keys(profileOf(crt571.name).commands),
        misbehaviours: dispenser.misbehaviours,
      },
      encoder: { model: twn4.name, commands: Object.keys(commands), misbehaviours: encoder.misbehaviours },
      terminal: { model: payline.name, commands: terminalCommands, misbehaviours: terminal.misbehaviours },
    },
    laid: null,
    pocket: options.pocket,
    unplugged,
    setPlugged(name, isPlugged) {
      if (isPlugged) unplugged.delete(name)
      else unplugged.add(name)
      if (!isPlugged) for (const wire of wires[name]) wire.destroy()
    },
    connect(name) {
      const known = lobbyDevices.find((each) => each === name)
      if (!known) throw new Error(`there is no simulated ${name}; there are ${lobbyDevices.join(' and ')}`)
      if (unplugged.has(known)) throw new Error(`the cable of the simulated ${name} is pulled`)
      const [near, far] = duplexPair()
      wires[known].add(far)
      // A device whose program fails is silent: its wire ends.
      const ends = () => void wires[known].delete(far.destroy())
      void plays[known](far).then(ends, ends)
      return near
    },
  }
  return lobby
}

/** Returns the options of a dispenser with a full stacker. */
export function filled({
  clock,
  pocket,
  cards,
  technology = 'classic',
  takenAfterMs,
  pace,
  seed = null,
}: LobbyOptions) {
  return {
    clock,
    stack: blankCards(cards, seed, technology),
    takenAfterMs,
    pace,
    ...(pocket !== null && { onTaken: (card: SimulatedCard) => keepIn(pocket, card) }),
  }
}

function keepIn(pocket: string, card: SimulatedCard): void {
  makeFolders(pocket)
  const image = cardImage(card)
  writeFileSync(join(pocket, `${image.uid}.json`), `${JSON.stringify(image, null, 2)}\n`)
}
