import type { MotionName } from '../../../src/devices/driving/dispenser.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import {
  capture,
  guestComes,
  isFull,
  insert as push,
  putBack,
  supply,
} from '../../../src/simulators/devices/simulated-card-path.ts'
import {
  beginMove,
  isMotion,
  type Obstacle,
  type SimulatedMachine,
  simulatedMachine,
} from '../../../src/simulators/devices/simulated-machine.ts'
import { type K720CommandName, profileOf, type QueryName } from '../protocol.ts'
import { bits, sensors } from '../state-word.ts'

/** The simulated machine. With a `pace` of 0, a motion ends as soon as the state word has shown it once. */
export interface K720Machine extends SimulatedMachine {
  firmware: string
  /** Which cards it accepts at the front: 1 the next one after each permission, 2 any card that a sensor sees. */
  onInsert: number
  /** What a reset does with a card in the path: 1 leaves it, 2 moves it to the hopper, 3 captures it. */
  onReset: number
  /** Trouble bits of the state word; a reset clears them. */
  trouble: number
  moving: { bit: number; finish: () => void } | null
  /** A card waits at the hopper's exit. */
  ready: boolean
}

/** A machine, with an empty hopper unless `options.stack` fills it. Its antenna is that of the encoder. */
export function machine(options: Partial<K720Machine> & Pick<K720Machine, 'clock'>): K720Machine {
  return {
    ...simulatedMachine({ model: 'k720', binCapacity: 18, lowAt: 15, ...options }),
    firmware: 'TTCE_K720_V2.00',
    onInsert: 1,
    onReset: 3,
    trouble: 0,
    moving: null,
    ready: false,
    ...options,
  }
}

/** The guest pushes a card in at the front, which ends the permission. False when the machine does not accept it. */
export function insert(machine: K720Machine, card: SimulatedCard): boolean {
  const isAccepted = push({ ...machine, entry: machine.entry || machine.onInsert === 2 }, card)
  if (isAccepted) Object.assign(machine, { card, at: 'encoder', entry: false })
  return isAccepted
}

/** Answers a question for the state word. This ends a motion of a machine without pace. */
export function look(machine: K720Machine): number {
  const word = stateOf(machine)
  const { moving, pace } = machine
  if (moving && pace === 0) moving.finish()
  machine.ready = !machine.card && machine.stack.length > 0
  if (!moving) guestComes(machine)
  return word
}

const levels = { empty: bits.hopperEmpty, low: bits.hopperLow, enough: 0 }
const places = { none: 0, gate: sensors.gate, encoder: sensors.encoder, chip: sensors.encoder }

function stateOf(machine: K720Machine): number {
  const { stack, moving, trouble, at, card, ready, model } = machine
  const { preFeeds } = profileOf(model)
  const preparing = preFeeds && !card && !ready && stack.length > 0 ? bits.preparing : 0
  const waiting = preFeeds && ready && stack.length > 0 ? sensors.ready : 0
  const box = isFull(machine) ? bits.boxFull : 0
  return trouble | levels[supply(machine)] | places[at] | preparing | waiting | box | (moving?.bit ?? 0)
}

const tookMs = 1_200

/** Begins a command without a reply. */
export function begin(machine: K720Machine, name: Exclude<K720CommandName, QueryName>): void {
  const isUnknown = name === 'move-stacker' && !profileOf(machine.model).takesBack
  if (machine.moving || isUnknown) machine.trouble |= bits.notExecuted
  else if (isMotion(name)) move(machine, name)
  else actions[name](machine)
}

const actions: Record<Exclude<K720CommandName, QueryName | MotionName>, (machine: K720Machine) => void> = {
  'reset-leaves': (machine) => set(machine, { onReset: 1 }),
  'entry-by-command': (machine) => set(machine, { onInsert: 1 }),
  reset(machine) {
    set(machine, { trouble: 0, entry: false })
    if (machine.onReset === 2) putBack(machine)
    if (machine.onReset === 3) capture(machine)
  },
  'entry-on': (machine) => set(machine, { entry: true }),
  'entry-off': (machine) => set(machine, { entry: false }),
}

function set(machine: K720Machine, parts: Partial<K720Machine>): void {
  Object.assign(machine, parts)
}

const troubles: Record<Obstacle, number> = {
  'no card': bits.notExecuted,
  'stacker empty': bits.dispenseFailed,
  'bin full': bits.collectFailed,
}

/** Begins a motion, during which the state word shows a bit. */
function move(machine: K720Machine, name: MotionName): void {
  const complete = beginMove(machine, name)
  if (typeof complete === 'string') {
    machine.trouble |= troubles[complete]
    return
  }
  const isInward = name === 'move-capture' || name === 'move-stacker'
  const moving = {
    bit: isInward ? bits.collecting : bits.dispensing,
    finish() {
      if (machine.moving !== moving) return
      machine.moving = null
      complete()
    },
  }
  machine.moving = moving
  if (machine.pace > 0) machine.clock.setTimeout(moving.finish, tookMs * machine.pace).unref()
}
