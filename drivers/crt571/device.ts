import type { Duplex } from 'node:stream'
import type {
  CardDispenser,
  CardPosition,
  DispenserStatus,
  Identity,
  InitAction,
  Position,
} from '../../src/devices/capability.ts'
import { positions } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { asking } from './asking.ts'
import { line } from './exchange.ts'
import { identity } from './identity.ts'
import type { CommandName, CommandTable, Motion, MotionName } from './protocol.ts'
import { limits, profileOf } from './protocol.ts'
import type { Positive } from './text.ts'
import { printable } from './text.ts'

/** Behind the gate nobody can reach a card that stands at the antenna, so that is where one is held. */
const motions: Record<Exclude<Position, 'stacker'>, MotionName> = {
  encoder: 'move-encoder',
  chip: 'move-chip',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
}

const callsWaiting = 16

const places: Record<string, CardPosition> = { '0': 'none', '1': 'gate', '2': 'encoder' }
const levels: Record<string, DispenserStatus['stacker']> = { '0': 'empty', '1': 'nearEmpty', '2': 'ok' }

/** What a machine of the F2 family does beyond the capability, for who looks after it. Faults are the same. */
interface Service {
  /** Its sensors as it tells them: 0 free, 1 a card. How many there are, and where, is the model's. */
  sensors(): Promise<string>
  /** How many cards it captured, by its own count, which goes on where `countsCaptures` is set: 0 to 999. */
  binCount(): Promise<number>
}

/**
 * A dispenser of the F2 family on an open wire. Options: `address` 0..15, `contacts` true with a contact station,
 * `countsCaptures` true when the machine shall count the cards in its bin.
 */
export function crt571(
  wire: Duplex,
  { model, patience, options, clock }: DeviceOptions,
): Required<CardDispenser> & Service {
  const { commands, foreign } = profileOf(model)
  const address = typeof options.address === 'number' ? options.address : 0
  const reachable = positions.filter((to) => reaches(commands, to, options.contacts === true))
  const ours = line(wire, address, patience, clock)
  const { field, close } = ours
  const { ask, tryMotion } = asking(ours, commands)
  const inTurn = oneAtATime(callsWaiting, 'dispenser-offline')
  /** st0 shows antenna and contacts alike; only a confirmed move tells them apart. */
  let atContacts = false

  return {
    positions: reachable,
    initialise: (card) => inTurn(() => initialise(card)),
    status: () => inTurn(async () => readStatus(await ask('status'))),
    move: (to) => inTurn(() => move(to)),
    entry: (enabled) => inTurn(async () => void (await ask(enabled ? 'entry-on' : 'entry-off'))),
    sensors: () => inTurn(sensorBlock),
    binCount: () => inTurn(binCount),
    binEmptied: () => inTurn(binEmptied),
    close,
  }

  async function initialise(card: InitAction): Promise<Identity> {
    atContacts = false
    const counting = options.countsCaptures === true ? '-counting' : ''
    const said = printable((await ask(`initialise-${card}${counting}`)).data)
    const { version, ...told } = await identity(ask, said)
    if (foreign.test(`${said} ${version}`))
      throw new DeviceFault(
        'unsupported-operation',
        `the machine is a ${version}, which is no ${model}: it takes the same numbers for other moves`,
      )
    return told
  }

  async function sensorBlock(): Promise<string> {
    return printable((await ask('sensors')).data)
  }

  async function binCount(): Promise<number> {
    const digits = printable((await ask('bin-count')).data)
    if (/^\d{3}$/.test(digits)) return Number(digits)
    throw new DeviceFault('vendor-error', `bin-count: ${JSON.stringify(digits)} is no count`)
  }

  async function binEmptied(): Promise<void> {
    if (options.countsCaptures === true) await ask('bin-count-set', Buffer.from('000', 'latin1'))
  }

  /** Then nothing is moved: a card pulled out at that very moment would make the machine feed another one. */
  function isThere(to: Position, card: string): boolean {
    if (to === 'front') return card === '1'
    return (to === 'encoder' || to === 'hold') && card === '2' && !reachable.includes('chip')
  }

  async function move(to: Position): Promise<DispenserStatus> {
    if (to === 'stacker' || !reachable.includes(to))
      throw new DeviceFault('unsupported-operation', `this model cannot move a card to ${to}`)
    const name = motions[to]
    const found = possible(to, await ask('status'))
    // With the entry open the machine would swallow the card it has just presented.
    const before = to === 'front' || to === 'eject' ? possible(to, await ask('entry-off')) : found
    if (isThere(to, before.card)) return readStatus(before)
    atContacts = false
    await fieldOff()
    const reply = await tryMotion(name).catch(explained)
    const after = reply === 'unheard' ? await look(name, before) : await settled(name, reply)
    atContacts = to === 'chip'
    return readStatus(after)
  }

  /** A card that is active at the antenna may keep the machine from moving it. */
  async function fieldOff(): Promise<void> {
    if (!field.on) return
    try {
      await ask('rf-off')
    } catch (fault) {
      // Refused because nothing is active any more; an antenna that does not answer stops the motion.
      if (!(fault instanceof DeviceFault) || fault.code === 'dispenser-offline') throw fault
    }
  }

  /** A jam, with what the sensors show of it: for the log, and for who opens the machine. */
  async function explained(fault: unknown): Promise<never> {
    if (!(fault instanceof DeviceFault) || fault.code !== 'dispenser-jam') throw fault
    const shown = await sensorBlock().catch(() => '')
    if (shown) fault.message += `; its sensors show ${shown}`
    throw fault
  }

  /** Waits a little for the sensors to show what the reply said. */
  async function settled(name: MotionName, reply: Positive): Promise<Positive> {
    const { arrives } = motionOf(name)
    let latest = reply
    for (let looks = 0; !arrives.includes(latest.card); looks++) {
      if (looks === limits.looks) throw unproved(name, `done, but its sensors show ${latest.card}`)
      await clock.sleep(limits.lookMs * patience)
      latest = await sensors(name)
    }
    return latest
  }

  /** Nothing at all was heard of the motion: the sensors decide whether it was done, or never taken. */
  async function look(name: MotionName, before: Positive): Promise<Positive> {
    const { arrives, proof } = motionOf(name)
    const after = await sensors(name)
    const moved = after.card !== before.card
    if (moved && proof === 'sensors' && after.card === arrives[0]) return after
    if (!moved && !arrives.includes(after.card))
      throw new DeviceFault(
        'dispenser-offline',
        `${name}: the machine did not take the command; nothing moved`,
      )
    throw unproved(name, `not confirmed, and its sensors show ${after.card}`)
  }

  async function sensors(name: CommandName): Promise<Positive> {
    try {
      return await ask('status')
    } catch (cause) {
      throw unproved(name, 'its sensors cannot be read afterwards', cause)
    }
  }

  function motionOf(name: MotionName): { arrives: readonly string[]; proof: Motion['proof'] } {
    return commands[name]!
  }

  function readStatus({ card, stacker, bin }: Positive): DispenserStatus {
    const place = places[card] ?? 'unknown'
    return {
      card: place === 'encoder' && atContacts ? 'chip' : place,
      stacker: levels[stacker] ?? 'unknown',
      bin: bin === '0' ? 'ok' : 'full',
    }
  }
}

function reaches(commands: CommandTable, to: Position, contacts: boolean): boolean {
  if (to === 'stacker' || (to === 'chip' && !contacts)) return false
  return commands[motions[to]] !== undefined
}

/** Refuses what would go wrong: on an empty path the machine would feed a fresh card and send that. */
function possible(to: Position, seen: Positive): Positive {
  if (to !== 'encoder' && seen.card !== '1' && seen.card !== '2')
    throw new DeviceFault('no-card', `no card in the path to move to ${to}`)
  if (to === 'capture' && seen.bin !== '0') throw new DeviceFault('dispenser-bin-full', 'the bin is full')
  return seen
}

function unproved(name: CommandName, detail: string, cause?: unknown): DeviceFault {
  return new DeviceFault('dispenser-timeout', `${name}: ${detail}`, { cause })
}
