import type { Misbehaviour } from '../../../src/devices/simulator/misbehaviour.ts'
import type { SimulatedCard } from '../../../src/devices/simulator/simulated-card.ts'
import {
  type CardPath,
  capture,
  cardPath,
  feed,
  give,
  guestComes,
  isFull,
  insert as push,
  putBack,
  supply,
} from '../../../src/devices/simulator/simulated-card-path.ts'
import type { CommandName, QueryName } from '../protocol.ts'
import { profileOf } from '../protocol.ts'
import { bits, sensors } from '../state-word.ts'

/** The machine behind the wire. It outlives the wire. */
export interface Machine extends CardPath {
  /** A model of the driver. */
  model: string
  address: number
  firmware: string
  /** Which cards are taken in at the front: 1 the next after each permission, 2 any that a sensor sees. */
  onInsert: number
  /** What a reset does with a card in the path: 1 leaves it, 2 brings it back to the hopper, 3 captures it. */
  onReset: number
  /** Trouble bits of the state word; a reset clears them. */
  trouble: number
  /** `at` is a name of the command table, such as `move-front`. */
  misbehaviours: Misbehaviour[]
  /** 0 moves as soon as somebody has looked; 1 takes as long as a real machine. */
  pace: number
  /** The motion under way. */
  moving: { bit: number; finish: () => void } | null
  /** A card waits at the hopper's exit. */
  ready: boolean
}

/** A machine with an empty hopper unless `options.stack` fills it. Its antenna is the encoder's. */
export function machine(options: Partial<Machine> & Pick<Machine, 'clock'>): Machine {
  return {
    ...cardPath({ binCapacity: 18, lowAt: 15, ...options }),
    model: 'k720',
    address: 0,
    firmware: 'TTCE_K720_V2.00',
    onInsert: 1,
    onReset: 3,
    trouble: 0,
    misbehaviours: [],
    pace: 0,
    moving: null,
    ready: false,
    ...options,
  }
}

/** The guest pushes a card in at the front; a permission is used up by it. False when the machine does not take it. */
export function insert(machine: Machine, card: SimulatedCard): boolean {
  const taken = push({ ...machine, entry: machine.entry || machine.onInsert === 2 }, card)
  if (taken) Object.assign(machine, { card, at: 'encoder', entry: false })
  return taken
}

/** The state word, as somebody looks. A motion of a machine without pace is over once it was seen under way. */
export function look(machine: Machine): number {
  const word = stateOf(machine)
  const { moving, pace } = machine
  if (moving && pace === 0) moving.finish()
  machine.ready = !machine.card && machine.stack.length > 0
  if (!moving) guestComes(machine)
  return word
}

const levels = { empty: bits.hopperEmpty, low: bits.hopperLow, enough: 0 }
const places = { none: 0, gate: sensors.gate, encoder: sensors.encoder, chip: sensors.encoder }

function stateOf(machine: Machine): number {
  const { stack, moving, trouble, at, card, ready, model } = machine
  const { preFeeds } = profileOf(model)
  const preparing = preFeeds && !card && !ready && stack.length > 0 ? bits.preparing : 0
  const waiting = preFeeds && ready && stack.length > 0 ? sensors.ready : 0
  const box = isFull(machine) ? bits.boxFull : 0
  return trouble | levels[supply(machine)] | places[at] | preparing | waiting | box | (moving?.bit ?? 0)
}

const tookMs = 1_200

/** Begins a command without a reply. */
export function begin(machine: Machine, name: Exclude<CommandName, QueryName>): void {
  if (machine.moving) {
    machine.trouble |= bits.notExecuted
    return
  }
  deeds[name](machine)
}

const deeds: Record<Exclude<CommandName, QueryName>, (machine: Machine) => void> = {
  'reset-leaves': (machine) => set(machine, { onReset: 1 }),
  'entry-by-command': (machine) => set(machine, { onInsert: 1 }),
  reset(machine) {
    set(machine, { trouble: 0, entry: false })
    const clear = [() => {}, () => putBack(machine), () => capture(machine)][machine.onReset - 1]
    if (machine.card) clear?.()
  },
  'entry-on': (machine) => set(machine, { entry: true }),
  'entry-off': (machine) => set(machine, { entry: false }),
  'move-encoder': (machine) => withCard(machine, () => set(machine, { at: 'encoder' })),
  'move-front': (machine) => withCard(machine, () => set(machine, { at: 'gate' })),
  'move-eject': (machine) => withCard(machine, () => give(machine)),
  'move-capture'(machine) {
    if (!machine.card) machine.trouble |= bits.notExecuted
    else if (isFull(machine)) machine.trouble |= bits.collectFailed
    else move(machine, bits.collecting, () => capture(machine))
  },
  'move-stacker'(machine) {
    if (!machine.card || !profileOf(machine.model).takesBack) machine.trouble |= bits.notExecuted
    else move(machine, bits.collecting, () => putBack(machine))
  },
}

function set(machine: Machine, parts: Partial<Machine>): void {
  Object.assign(machine, parts)
}

/** Feeds a card when the path is empty, as the machine does for every move outward. */
function withCard(machine: Machine, arrive: () => void): void {
  if (!machine.card && machine.stack.length === 0) {
    machine.trouble |= bits.dispenseFailed
    return
  }
  move(machine, bits.dispensing, () => {
    feed(machine)
    arrive()
  })
}

function move(machine: Machine, bit: number, arrive: () => void): void {
  const moving = {
    bit,
    finish() {
      if (machine.moving !== moving) return
      machine.moving = null
      arrive()
    },
  }
  machine.moving = moving
  if (machine.pace > 0) machine.clock.setTimeout(moving.finish, tookMs * machine.pace).unref()
}
