import type { Duplex } from 'node:stream'
import {
  type CardDispenser,
  type Identity,
  type InitAction,
  positions,
} from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { dispenser } from '../../src/devices/driving/dispenser.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { deadline } from '../../src/devices/inbox.ts'
import { lineOn } from './line.ts'
import { ask, order, stateOf } from './machine-commands.ts'
import { expectPossible, go, type K720 } from './motion.ts'
import { limits, profileOf } from './protocol.ts'
import { bits, placeOf, type Sensors, sensors, statusOf, troubleIn } from './state-word.ts'

/**
 * The permanent settings of the machine: when it accepts a card at the front, and what a reset does with a card in the
 * path.
 */
const wantedSettings = { entry: 0x01, reset: 0x01 }

/**
 * A dispenser of the K7x0 family on an open wire. Options: `address` 0 to 15, and `sensors` where a unit numbers them
 * in another way.
 */
export function k720(wire: Duplex, { model, patience, options, clock }: DeviceOptions): CardDispenser {
  const { takesBack, preFeeds } = profileOf(model)
  const machine: K720 = {
    ...lineOn(wire, Number(options.address ?? 0), patience, clock),
    model,
    preFeeds,
    sensors: { ...sensors, ...(options.sensors as Partial<Sensors> | undefined) },
    busyBits: bits.dispensing | bits.collecting | (preFeeds ? bits.preparing : 0),
    isEntryOpen: true,
  }
  return dispenser({
    positions: positions.filter((to) => to !== 'chip' && (to !== 'stacker' || takesBack)),
    initialise: (card) => initialise(machine, card),
    look: () => stateOf(machine),
    atRest: () => atRest(machine),
    entry: (enabled) => entry(machine, enabled),
    closeEntry: () => closeEntry(machine),
    expectPossible: (to, word) => expectPossible(machine, to, word),
    go: (to, before) => go(machine, to, before),
    status: (word) => statusOf(word, machine),
    close: () => void wire.destroy(),
  })
}

async function initialise(machine: K720, card: InitAction): Promise<Identity> {
  const { clock, patience } = machine
  const text = Buffer.from((await ask(machine, 'version')) ?? []).toString('latin1')
  const firmware = text.replace(/[^\x20-\x7e]/g, '').trim()
  await applySettings(machine)
  await order(machine, 'reset')
  await clock.sleep(limits.resetMs * patience)
  const word = await atRest(machine)
  const trouble = troubleIn(word)
  if (trouble) {
    const { code, vendorCode } = trouble
    throw new DeviceFault(code, `reset: the machine still shows ${vendorCode}`, { vendorCode })
  }
  await entry(machine, false)
  const isEmpty = placeOf(word, machine.sensors) === 'none'
  if (card !== 'leave' && !isEmpty) await go(machine, card === 'hold' ? 'front' : 'capture', word)
  return {
    model: /K7\d0/.exec(firmware)?.[0] ?? machine.model.toUpperCase(),
    firmware,
    // The machine reports no serial number.
    serialNumber: '',
  }
}

/**
 * Writes the settings that differ, because the machine stores them permanently. Throws when a reset would still move the
 * card in the path.
 */
async function applySettings(machine: K720): Promise<void> {
  const { clock, patience } = machine
  const before = await ask(machine, 'settings')
  if (before?.[2] === wantedSettings.entry && before[3] === wantedSettings.reset) return
  if (before?.[2] !== wantedSettings.entry) await order(machine, 'entry-by-command')
  if (before?.[3] !== wantedSettings.reset) await order(machine, 'reset-leaves')
  await clock.sleep(limits.settingMs * patience)
  // A setting has no reply, and firmware that does not report its settings cannot be checked.
  const after = before && (await ask(machine, 'settings'))
  if (!after || after[3] === wantedSettings.reset) return
  if (placeOf(await stateOf(machine), machine.sensors) !== 'none')
    throw new DeviceFault(
      'dispenser-offline',
      'reset-leaves: the machine did not store it, and a reset would move the card in the path',
    )
}

/** The state word once nothing moves any more, or once the longest motion must have ended. */
async function atRest(machine: K720): Promise<number> {
  const { busyBits, clock, patience } = machine
  const by = deadline(clock, limits.motionMs * patience)
  for (;;) {
    const word = await stateOf(machine)
    if (!(word & busyBits) || by.left() <= 0) return word
    await clock.sleep(limits.lookMs * patience)
  }
}

async function entry(machine: K720, enabled: boolean): Promise<void> {
  const { clock, patience } = machine
  await order(machine, enabled ? 'entry-on' : 'entry-off')
  await clock.sleep(limits.settingMs * patience)
  if ((await stateOf(machine)) & bits.notExecuted)
    throw new DeviceFault('unsupported-operation', 'the machine could not set its entry', {
      vendorCode: '4000',
    })
  machine.isEntryOpen = enabled
}

async function closeEntry(machine: K720): Promise<number | null> {
  if (!machine.isEntryOpen) return null
  await entry(machine, false)
  return atRest(machine)
}
