import type { CommandName } from './protocol.ts'
import type { Machine } from './simulator.ts'

const firmware = 'CRT-591-M001'
const version = 'C591_M001_A_130702'

/** What a command came to: the data of a positive reply, or the two error characters. */
export type Result = { data: Uint8Array } | { code: string }

const done: Result = { data: new Uint8Array() }

/** Carries a command out on the machine, card by card. */
export function perform(machine: Machine, name: CommandName): Result {
  if (!machine.initialised && !name.startsWith('initialise')) return { code: 'B0' }
  return deeds[name](machine)
}

const deeds: Record<CommandName, (machine: Machine) => Result> = {
  'initialise-hold': (machine) => initialise(machine, () => machine.card && rest(machine, 'gate')),
  'initialise-capture': (machine) =>
    machine.card && isFull(machine) ? { code: 'A1' } : initialise(machine, () => capture(machine)),
  'initialise-leave': (machine) => initialise(machine, () => {}),
  status: () => done,
  'move-front': (machine) => withCard(machine, () => rest(machine, 'gate')),
  'move-chip': (machine) => withCard(machine, () => rest(machine, 'encoder')),
  'move-encoder': (machine) => withCard(machine, () => rest(machine, 'encoder')),
  'move-capture': (machine) => {
    if (!machine.card) return { code: '02' }
    if (isFull(machine)) return { code: 'A1' }
    capture(machine)
    return done
  },
  'move-eject': (machine) => withCard(machine, () => give(machine)),
  'entry-on': (machine) => switchEntry(machine, true),
  'entry-off': (machine) => switchEntry(machine, false),
  serial: ({ serialNumber }) => ({ data: Uint8Array.of(serialNumber.length, ...Buffer.from(serialNumber)) }),
  version: () => ({ data: Buffer.from(version) }),
}

/** The guest pulls the card, or it drops out: it is in his hand from now on. */
export function give(machine: Machine): void {
  const card = lift(machine)
  if (!card) return
  machine.taken.push(card)
  machine.onTaken?.(card)
}

export function isFull(machine: Machine): boolean {
  return machine.bin.length >= machine.binCapacity
}

function initialise(machine: Machine, clearPath: () => void): Result {
  machine.initialised = true
  machine.entry = false
  clearPath()
  return { data: Buffer.from(firmware) }
}

function switchEntry(machine: Machine, open: boolean): Result {
  machine.entry = open
  return done
}

/** Feeds a card from the stacker when the path is empty, as the machine does for every move but a capture. */
function withCard(machine: Machine, move: () => void): Result {
  if (!machine.card) machine.card = machine.stack.shift() ?? null
  if (!machine.card) return { code: 'A0' }
  move()
  return done
}

function rest(machine: Machine, at: 'gate' | 'encoder') {
  const { card, takenAfterMs } = machine
  const arrives = at === 'gate' && machine.at !== 'gate'
  machine.at = at
  if (!arrives || takenAfterMs === null) return
  setTimeout(() => {
    if (machine.card === card && machine.at === 'gate') give(machine)
  }, takenAfterMs).unref()
}

function capture(machine: Machine) {
  const card = lift(machine)
  if (!card) return
  machine.bin.push(card)
  machine.onCaptured?.(card)
}

function lift(machine: Machine) {
  const { card } = machine
  machine.card = null
  machine.at = 'none'
  return card
}
