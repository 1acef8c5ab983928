import type { MotionName } from '../../../src/devices/driving/dispenser.ts'
import { capture, guestComes, isFull, supply } from '../../../src/simulators/devices/simulated-card-path.ts'
import {
  beginMove,
  type Obstacle,
  type SimulatedMachine,
} from '../../../src/simulators/devices/simulated-machine.ts'
import type { AntennaCommandName } from '../antenna-protocol.ts'
import type { Crt571CommandName } from '../protocol.ts'

/**
 * The simulated machine and the antenna in it. `model` decides which commands it understands; `misbehaviours` are those
 * of the antenna too.
 */
export interface Crt571Machine extends SimulatedMachine {
  serialNumber: string
  /** False after power-on: it then refuses all but an initialisation with B0. */
  initialised: boolean
  /** Whether it was initialised to count captured cards, and its count. */
  counts: boolean
  binCount: number
  /** The bits of the F3's light, as last set. */
  light: number
}

/** The result of a command: the data of a positive reply, or the two error characters. */
export type MechanicsResult = { data: Uint8Array } | { code: string }

const done: MechanicsResult = { data: new Uint8Array() }

/** The identity of each model: in the reply to an initialisation, and to a question for the version. */
const names: Record<string, { model: string; version: string }> = {
  'qu-tk-f3': { model: 'QU-TK-F31-V1.10', version: 'C571_F31_A_170413' },
  'hb-hdn': { model: 'CRT-591-V1.00', version: 'C591_R02_A_170413' },
}
const standardNames = { model: 'CRT-591-M001', version: 'C591_M001_A_130702' }

/** What the machine does at each command but a motion. */
export const mechanics: Record<
  Exclude<Crt571CommandName, AntennaCommandName | MotionName>,
  (machine: Crt571Machine, data: Uint8Array) => MechanicsResult
> = {
  'initialise-hold': (machine) => initialise(machine, 'hold', false),
  'initialise-capture': (machine) => initialise(machine, 'capture', false),
  'initialise-leave': (machine) => initialise(machine, 'leave', false),
  'initialise-hold-counting': (machine) => initialise(machine, 'hold', true),
  'initialise-capture-counting': (machine) => initialise(machine, 'capture', true),
  'initialise-leave-counting': (machine) => initialise(machine, 'leave', true),
  status: () => done,
  sensors: (machine) => ({ data: Buffer.from(sensorsOf(machine)) }),
  'entry-on': (machine) => switchEntry(machine, true),
  'entry-off': (machine) => switchEntry(machine, false),
  serial: ({ serialNumber }) => ({ data: Uint8Array.of(serialNumber.length, ...Buffer.from(serialNumber)) }),
  configuration: () => ({ data: Buffer.from('9V10HRLD2') }),
  version: ({ model }) => ({ data: Buffer.from((names[model] ?? standardNames).version) }),
  firmware: ({ model }) => ({ data: Buffer.from((names[model] ?? standardNames).version) }),
  'bin-count': ({ binCount }) => ({ data: Buffer.from(String(binCount).padStart(3, '0')) }),
  'bin-count-set': (machine, data) => {
    const digits = Buffer.from(data).toString('latin1')
    if (!/^\d{3}$/.test(digits)) return { code: '01' }
    machine.binCount = Number(digits)
    return done
  },
  light: (machine, [bits = 0]) => {
    machine.light = bits
    return done
  },
}

const highestCount = 999

/** st0, st1 and st2. */
export function statusOf(machine: Crt571Machine, binFull: string) {
  return {
    card: { none: '0', gate: '1', encoder: '2', chip: '2' }[machine.at],
    stacker: { empty: '0', low: '1', enough: '2' }[supply(machine)],
    bin: isFull(machine) ? binFull : '0',
  }
}

/** Ten sensors: the first at the gate, the second at antenna and contacts, the rest between. */
function sensorsOf({ at }: Crt571Machine): string {
  const covered = { none: -1, gate: 0, encoder: 1, chip: 1 }[at]
  return Array.from({ length: 10 }, (_, index) => (index === covered ? '1' : '0')).join('')
}

function initialise(
  machine: Crt571Machine,
  action: 'hold' | 'capture' | 'leave',
  counts: boolean,
): MechanicsResult {
  if (action === 'capture' && machine.card && isFull(machine)) return { code: 'A1' }
  Object.assign(machine, { initialised: true, entry: false, counts })
  if (action === 'capture') swallow(machine)
  if (action === 'hold' && machine.card) move(machine, 'move-front')
  return { data: Buffer.from((names[machine.model] ?? standardNames).model) }
}

function switchEntry(machine: Crt571Machine, open: boolean): MechanicsResult {
  machine.entry = open
  return done
}

const refusals: Record<Obstacle, string> = { 'no card': '02', 'stacker empty': 'A0', 'bin full': 'A1' }

/** Executes a motion. */
export function move(machine: Crt571Machine, name: MotionName): MechanicsResult {
  const complete = beginMove(machine, name)
  if (typeof complete === 'string') return { code: refusals[complete] }
  if (name === 'move-capture') {
    if (machine.binCount === highestCount) return { code: '50' }
    swallow(machine)
    return done
  }
  const arrives = name === 'move-front' && machine.at !== 'gate'
  complete()
  if (arrives) guestComes(machine)
  return done
}

function swallow(machine: Crt571Machine) {
  if (machine.card && machine.counts) machine.binCount++
  capture(machine)
}
