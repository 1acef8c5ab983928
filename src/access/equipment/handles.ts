import type { Duplex } from 'node:stream'
import { appearing } from '../../devices/appearing.ts'
import { type Bay, type BayEvent, bay } from '../../devices/bay.ts'
import type {
  CardDispenser,
  CardEncoder,
  DispenserStatus,
  Identity,
  Position,
} from '../../devices/capability.ts'
import type { Driver, LockDriver } from '../../devices/driver.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Recorder } from '../../flight/recorder.ts'
import type { Clock } from '../../host/clock.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import type { DeviceAddress } from './device-address.ts'
import { deviceLines } from './device-lines.ts'

/** What the appliance's devices are opened with. */
export interface Workshop {
  drivers: readonly Driver[]
  lockDrivers: readonly LockDriver[]
  /** Opens a wire by its address; rejects with an Error in words. */
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** Small secrets, as the vault keeps them. */
  seal(text: string, context: string): string
  unseal(sealed: string, context: string): string
  mark(text: string, context: string): string
  clock: Clock
  log(event: BayEvent): void
  /** Keeps what passes on the wires; nothing does where there is none. */
  recorder?: Recorder
}

/** A dispenser as it is now: its line, and what it is busy with. */
export interface DispenserHandle {
  id: string
  bay: Bay<CardDispenser>
  openedAt: number
  clock: Clock
  identity: Identity | null
  /** How often it has started; and whether somebody asked for the next time. */
  starts: number
  restartAsked: boolean
  /** How often it has waited for a returned card: only who began last may end that. */
  acceptances: number
  activity: 'dispensing' | 'encoding' | 'presenting' | 'capturing' | null
  /**
   * The guest in front of it, while a card waits at the gate; without a run it is a card that nobody made now. Unix
   * milliseconds, and `until` on the clock that never goes back.
   */
  guest: { runId: string | null; since: number; deadline: number; until: number } | null
  /** What stands in the way of the next card: why it did not start, until it has started well. */
  fault: { fault: DeviceFault; since: number } | null
  /** `at` in Unix milliseconds, `looked` on the clock that never goes back. */
  seen: { status: DispenserStatus; at: number; looked: number } | null
  /** What the model can do, once it was asked. */
  positions: readonly Position[]
}

export interface EncoderHandle {
  bay: Bay<CardEncoder>
  identity: Identity | null
  /** The card that was made here last, until it was seen to be gone. */
  issued: string | null
}

/** What has to be put right before a dispenser may be used: cards whose way was cut short. */
type Settle = (handle: DispenserHandle, machine: CardDispenser) => Promise<void>

const finishesWithinMs = 10_000

/** Every open device, each under the configuration it was opened with; a changed one is opened anew. */
export function handles(workshop: Workshop, settle: Settle) {
  const dispensers = new Map<string, { device: string; handle: DispenserHandle }>()
  /** The card in the making at each dispenser. It outlives a handle that is dropped. */
  const making = new Map<string, Promise<unknown>>()
  /** Those that were dropped and are not closed yet. */
  const leaving = new Map<string, Promise<void>>()
  const encoders = new Map<string, { device: string; path: string | null; handle: EncoderHandle }>()
  const opener = deviceLines(workshop)

  function dispenser(row: Dispenser): DispenserHandle {
    const device = JSON.stringify(row.device)
    const known = dispensers.get(row.id)
    if (known?.device === device) return known.handle
    if (known) leave(known.handle)
    const handle = openDispenser(row)
    dispensers.set(row.id, { device, handle })
    return handle
  }

  function openDispenser(row: Dispenser): DispenserHandle {
    const line = opener('dispenser', row.name, row.device)
    const handle: DispenserHandle = {
      id: row.id,
      openedAt: workshop.clock.now(),
      clock: workshop.clock,
      identity: null,
      starts: 0,
      restartAsked: false,
      acceptances: 0,
      activity: null,
      guest: null,
      fault: null,
      seen: null,
      positions: [],
      bay: bay<CardDispenser>({
        ...common(row.name, row.device),
        offlineCode: 'dispenser-offline',
        busyCode: 'encoder-busy',
        queueLimit: 20,
        // Each start of a machine that answers moves its mechanics.
        standsStill: (fault) => fault instanceof DeviceFault && fault.code !== 'dispenser-offline',
        open: async (signal) => {
          await leaving.get(row.id)
          return line.open(signal).catch((error) => {
            // Without a line nothing is known of the machine, not even what was wrong with it.
            handle.fault = null
            throw error
          })
        },
        started: (machine) => begin(handle, row.device, machine, line.heard),
      }),
    }
    return handle
  }

  async function begin(
    handle: DispenserHandle,
    { path }: DeviceAddress,
    machine: CardDispenser,
    heard: () => void,
  ): Promise<void> {
    try {
      handle.starts++
      // A card in the path is moved only after it is known whose it is.
      handle.identity = await machine.initialise('leave')
      heard()
      // An encoder on the same line could not begin before, and may be needed to settle.
      for (const each of encoders.values())
        if (path && each.path === path && each.handle.bay.state() === 'offline') each.handle.bay.reset()
      handle.positions = machine.positions
      // Whoever lost the machine while he made a card first writes down what he knows of it.
      await making.get(handle.id)
      await settle(handle, machine)
      handle.fault = null
      handle.restartAsked = false
    } catch (error) {
      if (error instanceof DeviceFault) stand(handle, error)
      throw error
    }
  }

  function stand(handle: DispenserHandle, fault: DeviceFault): void {
    const same = handle.fault?.fault.code === fault.code
    handle.fault = { fault, since: same && handle.fault ? handle.fault.since : workshop.clock.now() }
  }

  /** The machine for one card, alone; its next start settles nothing before this has ended. */
  async function make<T>(handle: DispenserHandle, work: (machine: CardDispenser) => Promise<T>): Promise<T> {
    return handle.bay.use(async (machine) => {
      const made = work(machine)
      const ended = made.catch(() => {})
      making.set(handle.id, ended)
      try {
        return await made
      } finally {
        if (making.get(handle.id) === ended) making.delete(handle.id)
      }
    })
  }

  function encoder(row: AccessController): EncoderHandle {
    const address = row.device
    if (!address) throw new DeviceFault('encoder-offline', `${row.name} has no device.`)
    const device = JSON.stringify(address)
    const known = encoders.get(row.id)
    if (known?.device === device) return known.handle
    void known?.handle.bay.close()
    const line = opener('encoder', row.name, address)
    const handle: EncoderHandle = {
      identity: null,
      issued: null,
      bay: bay<CardEncoder>({
        ...common(row.name, address),
        offlineCode: 'encoder-offline',
        busyCode: 'encoder-busy',
        queueLimit: 20,
        open: line.open,
        started: async (device) => {
          handle.identity = await device.identify()
          line.heard()
        },
      }),
    }
    encoders.set(row.id, { device, path: address.path ?? null, handle })
    return handle
  }

  function common(name: string, { path, patience }: DeviceAddress) {
    const slowest = patience ?? 1
    return {
      name,
      clock: workshop.clock,
      log: workshop.log,
      appears: (nudge: () => void) => appearing(path ?? '', workshop.clock, nudge),
      backoff: { firstMs: Math.max(20, 1_000 * slowest), maxMs: Math.max(200, 60_000 * slowest) },
    }
  }

  /** Drops the handle of a dispenser, and gives it; the next use connects anew. Null when there was none. */
  function drop(dispenserId: string): DispenserHandle | null {
    const known = dispensers.get(dispenserId)
    dispensers.delete(dispenserId)
    if (known) leave(known.handle)
    return known?.handle ?? null
  }

  /** Drops them all, and gives them. */
  function dropAll(): DispenserHandle[] {
    return [...dispensers.keys()].map((id) => drop(id)!)
  }

  /** Its line can be opened again only when it is closed. */
  function leave({ id, bay }: DispenserHandle): void {
    const left = bay.close()
    leaving.set(id, left)
    void left.then(() => leaving.get(id) === left && leaving.delete(id))
  }

  /** A card in the making is finished first, if that does not take too long. */
  async function close(): Promise<void> {
    const enough = workshop.clock.sleep(finishesWithinMs, { ref: false })
    await Promise.race([Promise.all(making.values()), enough])
    const open = [...dispensers.values(), ...encoders.values()]
    await Promise.all(open.map(({ handle }) => handle.bay.close()))
  }

  return {
    dispenser,
    encoder,
    make,
    drop,
    dropAll,
    close,
    isOpen: (dispenserId: string) => dispensers.has(dispenserId),
    openDispensers: () => [...dispensers.values()].map(({ handle }) => handle),
    /** Those that are open, without opening any. */
    dispenserAt: (id: string) => dispensers.get(id)?.handle ?? null,
    encoderAt: (id: string) => encoders.get(id)?.handle ?? null,
  }
}

export type Handles = ReturnType<typeof handles>
