import type { Duplex } from 'node:stream'
import type { CardDispenser, Identity, InitAction } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { dispenser, dispenserTurns, type Mechanism } from '../../src/devices/driving/dispenser.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { line } from './exchange.ts'
import { identity } from './identity.ts'
import { type MachineCommands, machineCommands } from './machine-commands.ts'
import { expectPossible, type F2Machine, go, positionsOf, sensorBlock, statusOf } from './motion.ts'
import { profileOf } from './protocol.ts'
import { type Positive, printable } from './text.ts'

/** The functions of an F2 machine beyond the capability, for maintenance. The faults are the same. */
interface Service {
  /** The sensors as the machine reports them: 0 free, 1 a card. Their number and places depend on the model. */
  sensors(): Promise<string>
  /** The machine's own count of captured cards, 0 to 999. It counts while `countsCaptures` is set. */
  binCount(): Promise<number>
}

/**
 * A dispenser of the F2 family on an open wire. Options: `address` 0..15, `contacts` true with a contact station,
 * `countsCaptures` true to let the machine count the cards in its bin.
 */
export function crt571(
  wire: Duplex,
  { model, patience, options, clock }: DeviceOptions,
): Required<CardDispenser> & Service {
  const { commands, foreign } = profileOf(model)
  const address = typeof options.address === 'number' ? options.address : 0
  const counts = options.countsCaptures === true
  const ours = line(wire, address, patience, clock)
  const { field, close } = ours
  const positions = positionsOf(commands, options.contacts === true)
  const machine: F2Machine = {
    ...machineCommands(ours, commands),
    commands,
    positions,
    field,
    isAtContacts: false,
    clock,
    patience,
  }
  const inTurn = dispenserTurns()
  const status = () => machine.ask('status')
  const mechanism: Mechanism<Positive> = {
    positions,
    initialise: (card) => initialise(machine, card, { model, foreign, counts }),
    look: status,
    atRest: status,
    entry: async (enabled) => void (await machine.ask(enabled ? 'entry-on' : 'entry-off')),
    closeEntry: () => machine.ask('entry-off'),
    expectPossible,
    go: (to, before) => go(machine, to, before),
    status: (seen) => statusOf(machine, seen),
    close,
  }
  return {
    ...dispenser(mechanism, inTurn),
    sensors: () => inTurn(() => sensorBlock(machine)),
    binCount: () => inTurn(() => binCount(machine)),
    binEmptied: () => inTurn(async () => void (counts && (await setBinCount(machine, '000')))),
  }
}

async function initialise(
  machine: F2Machine,
  card: InitAction,
  { model, foreign, counts }: { model: string; foreign: RegExp; counts: boolean },
): Promise<Identity> {
  machine.isAtContacts = false
  const versionText = printable((await machine.ask(`initialise-${card}${counts ? '-counting' : ''}`)).data)
  const { version, ...reported } = await identity(machine.ask, versionText)
  if (foreign.test(`${versionText} ${version}`))
    throw new DeviceFault(
      'unsupported-operation',
      `the machine is a ${version}, not a ${model}: it uses the same numbers for other moves`,
    )
  return reported
}

async function binCount({ ask }: MachineCommands): Promise<number> {
  const digits = printable((await ask('bin-count')).data)
  if (/^\d{3}$/.test(digits)) return Number(digits)
  throw new DeviceFault('vendor-error', `bin-count: ${JSON.stringify(digits)} is no count`)
}

async function setBinCount({ ask }: MachineCommands, digits: string): Promise<void> {
  await ask('bin-count-set', Buffer.from(digits, 'latin1'))
}
