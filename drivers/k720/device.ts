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
import { deadline } from '../../src/devices/inbox.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { asking } from './asking.ts'
import { line } from './line.ts'
import type { MotionName } from './protocol.ts'
import { limits, profileOf } from './protocol.ts'
import { bits, type Sensors, sensors as standardSensors, troubleIn } from './state-word.ts'

/** Behind the mouth nobody can reach a card that stands at the antenna, so that is where one is held. */
const motions: Record<Exclude<Position, 'chip'>, MotionName> = {
  encoder: 'move-encoder',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
  stacker: 'move-stacker',
}

/** Where the card stands at the end of a motion. */
const arrivals: Record<MotionName, CardPosition> = {
  'move-encoder': 'encoder',
  'move-front': 'gate',
  'move-eject': 'none',
  'move-capture': 'none',
  'move-stacker': 'none',
}

/** What the machine keeps for good: which cards it takes in at the front, and what a reset does with one in the path. */
const wantedSettings = { entry: 0x01, reset: 0x01 }

const callsWaiting = 16

/**
 * A dispenser of the K7x0 family on an open wire. Options: `address` 0 to 15, and `sensors` where a unit numbers them
 * in another way.
 */
export function k720(wire: Duplex, { model, patience, options, clock }: DeviceOptions): CardDispenser {
  const { takesBack, preFeeds } = profileOf(model)
  const seen: Sensors = { ...standardSensors, ...(options.sensors as Partial<Sensors> | undefined) }
  const { ask, state, tell, close } = asking(line(wire, Number(options.address ?? 0), patience, clock))
  const inTurn = oneAtATime(callsWaiting, 'dispenser-offline')
  const reachable = positions.filter((to) => to !== 'chip' && (to !== 'stacker' || takesBack))
  const busyBits = bits.dispensing | bits.collecting | (preFeeds ? bits.preparing : 0)
  /** Unknown until it was said on this wire. */
  let entryOn = true

  return {
    positions: reachable,
    initialise: (card) => inTurn(() => initialise(card)),
    status: () => inTurn(async () => readStatus(await state())),
    move: (to) => inTurn(() => move(to)),
    entry: (enabled) => inTurn(() => entry(enabled)),
    close,
  }

  async function initialise(card: InitAction): Promise<Identity> {
    const text = Buffer.from((await ask('version')) ?? []).toString('latin1')
    const firmware = text.replace(/[^\x20-\x7e]/g, '').trim()
    const settings = await ask('settings')
    // Kept for good by the machine, so it is written only where it has to change.
    if (settings?.[2] !== wantedSettings.entry) await tell('entry-by-command')
    if (settings?.[3] !== wantedSettings.reset) await tell('reset-leaves')
    await tell('reset')
    await clock.sleep(limits.resetMs * patience)
    const word = await atRest()
    const trouble = troubleIn(word)
    if (trouble) {
      const { code, vendorCode } = trouble
      throw new DeviceFault(code, `reset: the machine still shows ${vendorCode}`, { vendorCode })
    }
    await entry(false)
    if (card !== 'leave' && placeOf(word) !== 'none') await go(card === 'hold' ? 'front' : 'capture', word)
    return {
      model: /K7\d0/.exec(firmware)?.[0] ?? model.toUpperCase(),
      firmware,
      // The machine has none that it could tell.
      serialNumber: '',
    }
  }

  /** The state word once nothing moves any more; as it is after the longest motion. */
  async function atRest(): Promise<number> {
    const by = deadline(clock, limits.motionMs * patience)
    for (;;) {
      const word = await state()
      if (!(word & busyBits) || by.left() <= 0) return word
      await clock.sleep(limits.lookMs * patience)
    }
  }

  async function entry(enabled: boolean): Promise<void> {
    await tell(enabled ? 'entry-on' : 'entry-off')
    await clock.sleep(limits.settingMs * patience)
    const word = await state()
    if (word & bits.notExecuted)
      throw new DeviceFault('unsupported-operation', 'the machine could not set its entry', {
        vendorCode: '4000',
      })
    entryOn = enabled
  }

  async function move(to: Position): Promise<DispenserStatus> {
    if (to === 'chip' || !reachable.includes(to))
      throw new DeviceFault('unsupported-operation', `this model cannot move a card to ${to}`)
    let before = possible(to, await atRest())
    // With the entry open the machine would swallow the card it has just presented.
    if ((to === 'front' || to === 'eject') && entryOn) {
      await entry(false)
      before = possible(to, await atRest())
    }
    return readStatus(placeOf(before) === wanted(to) ? before : await go(to, before))
  }

  /** Where a card has to stand already for nothing to be moved. */
  function wanted(to: Position): CardPosition | null {
    return to === 'front' ? 'gate' : to === 'encoder' || to === 'hold' ? 'encoder' : null
  }

  /** Refuses what would go wrong: on an empty path the machine would feed a fresh card and send that. */
  function possible(to: Position, word: number): number {
    const trouble = troubleIn(word)
    if (trouble)
      throw new DeviceFault(trouble.code, `the machine shows ${trouble.vendorCode}`, {
        vendorCode: trouble.vendorCode,
      })
    const place = placeOf(word)
    if (to !== 'encoder' && place === 'none')
      throw new DeviceFault('no-card', `no card in the path to move to ${to}`)
    if (to === 'encoder' && place === 'none' && word & bits.hopperEmpty && !(word & seen.ready))
      throw new DeviceFault('dispenser-empty', 'the hopper is empty')
    if (to === 'capture' && word & bits.boxFull)
      throw new DeviceFault('dispenser-bin-full', 'the box is full')
    return word
  }

  /** Has a motion carried out and looks at the sensors until they show that it is done. Gives the state word. */
  async function go(to: Exclude<Position, 'chip'>, before: number): Promise<number> {
    const name = motions[to]
    const from = placeOf(before)
    await tell(name)
    const by = deadline(clock, limits.motionMs * patience)
    let seenMoving = false
    for (let still = 0; still < limits.stillLooks && by.left() > 0; ) {
      await clock.sleep(limits.lookMs * patience)
      const word = await sensors(name)
      const place = placeOf(word)
      refuseTrouble(name, word, from)
      // A machine that prepares its next card moves as well, and tells nothing of this one.
      seenMoving ||= (word & (bits.dispensing | bits.collecting)) !== 0 || place === 'unknown'
      if (to === 'hold' && from === 'gate') refuseOther(name, place)
      if (word & busyBits || place === 'unknown') continue
      if (place === arrivals[name] && (seenMoving || provesItself(name, from))) return word
      if (++still === limits.stillLooks && place === from && !seenMoving)
        throw new DeviceFault('dispenser-offline', `${name}: the machine did not begin; nothing moved`)
    }
    throw unproved(name, 'its sensors do not show that it was done')
  }

  /** A card that a guest pulls out of the mouth leaves the path as empty as one that was taken in. */
  function provesItself(name: MotionName, from: CardPosition): boolean {
    return from !== 'gate' || arrivals[name] !== 'none' || name === 'move-eject'
  }

  function refuseTrouble(name: MotionName, word: number, from: CardPosition): void {
    const trouble = troubleIn(word)
    if (!trouble) return
    const { code, vendorCode } = trouble
    const wasPulled = name === 'move-capture' && from === 'gate' && placeOf(word) === 'none'
    if (wasPulled) throw unproved(name, `the machine shows ${vendorCode}, and the card is gone`)
    throw new DeviceFault(code, `${name}: the machine shows ${vendorCode}`, {
      outcomeUnknown: from !== 'none',
      vendorCode,
    })
  }

  /**
   * A card that is called back from the mouth covers a sensor all the way. An empty path means that a guest pulled it, and
   * that the machine feeds another.
   */
  function refuseOther(name: MotionName, place: CardPosition): void {
    if (place === 'none') throw unproved(name, 'the card is gone from the mouth, and another may be fed')
  }

  async function sensors(name: MotionName): Promise<number> {
    try {
      return await state()
    } catch (cause) {
      throw unproved(name, 'its sensors cannot be read afterwards', cause)
    }
  }

  function placeOf(word: number): CardPosition {
    const value = word & seen.mask
    if (value === 0) return 'none'
    return value === seen.encoder ? 'encoder' : value === seen.gate ? 'gate' : 'unknown'
  }

  function readStatus(word: number): DispenserStatus {
    const hasCards = !(word & bits.hopperEmpty) || (preFeeds && (word & seen.ready) !== 0)
    return {
      card: placeOf(word),
      stacker: !hasCards ? 'empty' : word & (bits.hopperLow | bits.hopperEmpty) ? 'nearEmpty' : 'ok',
      bin: word & bits.boxFull ? 'full' : 'ok',
    }
  }
}

function unproved(name: MotionName, detail: string, cause?: unknown): DeviceFault {
  return new DeviceFault('dispenser-timeout', `${name}: ${detail}`, { cause })
}
