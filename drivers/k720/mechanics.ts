import type { Misbehaviour } from '../../src/devices/misbehaviour.ts'
import type { Antenna, SimulatedCard } from '../../src/devices/simulated-card.ts'
import type { CommandName, QueryName } from './protocol.ts'
import { profileOf } from './protocol.ts'
import { bits, sensors } from './state-word.ts'

/** The machine behind the wire. It outlives the wire: a card stays where it is when the cable is pulled. */
export interface Machine {
  /** A model of the driver. */
  model: string
  address: number
  firmware: string
  /** Blank cards; the first is fed next. */
  stack: SimulatedCard[]
  /** Where `card` stands; `none` when there is none. */
  at: 'none' | 'gate' | 'encoder'
  card: SimulatedCard | null
  /** Captured cards, and cards in a guest's hand, in order. */
  bin: SimulatedCard[]
  taken: SimulatedCard[]
  binCapacity: number
  /** With this many cards or fewer the hopper counts as low. */
  lowAt: number
  entry: boolean
  /** What a reset does with a card in the path: 1 leaves it, 2 brings it back to the hopper, 3 captures it. */
  onReset: number
  /** Trouble bits of the state word; a reset clears them. */
  trouble: number
  /** `at` is a name of the command table, such as `move-front`. */
  misbehaviours: Misbehaviour[]
  /** 0 moves as soon as somebody has looked; 1 takes as long as a real machine. */
  pace: number
  /** How long a guest leaves a card at the gate; null leaves it there. */
  takenAfterMs: number | null
  /** The motion under way. */
  moving: { bit: number; finish: () => void } | null
  /** A card waits at the hopper's exit. */
  ready: boolean
  onTaken?: (card: SimulatedCard) => void
  onCaptured?: (card: SimulatedCard) => void
}

/** A machine with an empty hopper unless `options.stack` fills it. Its antenna is the encoder's. */
export function machine(options: Partial<Machine> = {}): Machine & Antenna {
  return {
    model: 'k720',
    address: 0,
    firmware: 'TTCE_K720_V2.00',
    stack: [],
    at: 'none',
    card: null,
    bin: [],
    taken: [],
    binCapacity: 18,
    lowAt: 15,
    entry: false,
    onReset: 3,
    trouble: 0,
    misbehaviours: [],
    pace: 0,
    takenAfterMs: null,
    moving: null,
    ready: false,
    ...options,
    cards() {
      return this.at === 'encoder' && this.card ? [this.card] : []
    },
  }
}

/** The guest pulls the card from the gate. False when none stands there. */
export function take(machine: Machine): boolean {
  if (machine.at !== 'gate') return false
  give(machine)
  return true
}

/** The guest pushes a card in at the front. False when the machine does not take it. */
export function insert(machine: Machine, card: SimulatedCard): boolean {
  if (!machine.entry || machine.card) return false
  set(machine, { card, at: 'encoder', entry: false })
  return true
}

/** The state word, as somebody looks. A motion of a machine without pace is over once it was seen under way. */
export function look(machine: Machine): number {
  const word = stateOf(machine)
  const { moving, pace } = machine
  if (moving && pace === 0) moving.finish()
  machine.ready = !machine.card && machine.stack.length > 0
  if (machine.at === 'gate' && !moving) guestSees(machine)
  return word
}

function stateOf(machine: Machine): number {
  const { stack, lowAt, moving, trouble, at, card, ready, model } = machine
  const { preFeeds } = profileOf(model)
  const supply = stack.length === 0 ? bits.hopperEmpty : stack.length <= lowAt ? bits.hopperLow : 0
  const place = { none: 0, gate: sensors.gate, encoder: sensors.encoder }[at]
  const preparing = preFeeds && !card && !ready && stack.length > 0 ? bits.preparing : 0
  const waiting = preFeeds && ready && stack.length > 0 ? sensors.ready : 0
  const box = isFull(machine) ? bits.boxFull : 0
  return trouble | supply | place | preparing | waiting | box | (moving?.bit ?? 0)
}

function guestSees(machine: Machine): void {
  const { card, takenAfterMs } = machine
  if (takenAfterMs === null) return
  setTimeout(() => {
    if (machine.card === card && machine.at === 'gate') give(machine)
  }, takenAfterMs).unref()
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
    machine.card ??= machine.stack.shift() ?? null
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
  if (machine.pace > 0) setTimeout(moving.finish, tookMs * machine.pace).unref()
}

function isFull(machine: Machine): boolean {
  return machine.bin.length >= machine.binCapacity
}

function give(machine: Machine): void {
  const card = lift(machine)
  if (!card) return
  machine.taken.push(card)
  machine.onTaken?.(card)
}

function capture(machine: Machine): void {
  const card = lift(machine)
  if (!card) return
  machine.bin.push(card)
  machine.onCaptured?.(card)
}

function putBack(machine: Machine): void {
  const card = lift(machine)
  if (card) machine.stack.push(card)
}

function lift(machine: Machine): SimulatedCard | null {
  const { card } = machine
  set(machine, { card: null, at: 'none', ready: false })
  return card
}
