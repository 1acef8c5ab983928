import { type Bay, bay } from '../../devices/bay/bay.ts'
import type { CardDispenser, CardEncoder } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { AddressedDevice } from '../resources/device-address.ts'
import { bayOptions, type DispenserHandle, type EncoderHandle } from './device-handle.ts'
import { type DeviceLine, deviceLines } from './device-lines.ts'
import { type Recover, startDispenser } from './dispenser-start.ts'
import type { Workshop } from './workshop.ts'

const finishesWithinMs = 10_000

/** The open devices. A device whose configuration has changed is opened again. */
export type Handles = ReturnType<typeof handles>

/** Returns the handles without opening a device. `recover` runs at each start of a dispenser. */
export function handles(workshop: Workshop, recover: Recover) {
  const lineOf = deviceLines(workshop)
  /** The card that each dispenser makes or has made last. It outlives the handle of the dispenser. */
  const cards = new Map<string, Promise<unknown>>()
  const encoders = openDevices((row) => openEncoder(workshop, lineOf('encoder', row), row))
  const dispensers = openDevices((row, left) => {
    const line = lineOf('dispenser', row)
    const cardEnded = () => cards.get(row.id)
    const answered = () => encoders.retryOn(row.device.path)
    return startDispenser({ workshop, line, left, cardEnded, answered, recover }, row)
  })
  return {
    dispenser: dispensers.open,
    /** Throws encoder-offline for a controller without a device. */
    encoder: (controller: AccessController): EncoderHandle => encoders.open(encoderOf(controller)),
    /** Runs `work` alone at the machine. The next start of the machine waits for it before it recovers. */
    make: <T>({ id, bay }: DispenserHandle, work: (machine: CardDispenser) => Promise<T>): Promise<T> =>
      bay.use(async (machine) => {
        const made = work(machine)
        const ended = made.catch(() => {})
        cards.set(id, ended)
        return made
      }),
    drop: dispensers.drop,
    openDispensers: dispensers.all,
    dispenserAt: dispensers.at,
    encoderAt: encoders.at,
    /** The controllers whose encoders are open. */
    openEncoders: encoders.ids,
    dropEncoder: encoders.drop,
    /** Closes all devices. Waits up to 10 s for cards that are being made. */
    async close(): Promise<void> {
      const enough = workshop.clock.sleep(finishesWithinMs, { ref: false })
      await Promise.race([Promise.all(cards.values()), enough])
      await Promise.all([dispensers.close(), encoders.close()])
    },
  }
}

/**
 * Returns the open devices of one kind. One whose address has changed is opened again. The line of a dropped handle is
 * in use until the handle is closed: `left` gives the promise of that, undefined where there is none.
 */
function openDevices<Handle extends { bay: Pick<Bay<unknown>, 'state' | 'reset' | 'close'> }>(
  open: (row: AddressedDevice, left: () => Promise<void> | undefined) => Handle,
) {
  const known = new Map<string, { device: string; path: string | null; handle: Handle }>()
  /** Dropped devices that are not closed yet. */
  const leaving = new Map<string, Promise<void>>()

  function leave(id: string): void {
    const left = known.get(id)?.handle.bay.close()
    if (!left) return
    leaving.set(id, left)
    void left.then(() => leaving.get(id) === left && leaving.delete(id))
  }

  return {
    open(row: AddressedDevice): Handle {
      const device = JSON.stringify(row.device)
      const before = known.get(row.id)
      if (before?.device === device) return before.handle
      leave(row.id)
      const handle = open(row, () => leaving.get(row.id))
      known.set(row.id, { device, path: row.device.path ?? null, handle })
      return handle
    },
    /** The handle of an open device; null where it is not open. */
    at: (id: string): Handle | null => known.get(id)?.handle ?? null,
    all: (): Handle[] => [...known.values()].map(({ handle }) => handle),
    ids: (): string[] => [...known.keys()],
    /** Drops the handle of a device and returns it; null when there was none. The next use connects again. */
    drop(id: string): Handle | null {
      const { handle = null } = known.get(id) ?? {}
      leave(id)
      known.delete(id)
      return handle
    },
    /** Retries the offline devices on the line of this path. */
    retryOn(path: string | null | undefined): void {
      for (const { path: own, handle } of known.values())
        if (path && own === path && handle.bay.state() === 'offline') handle.bay.reset()
    },
    close: (): Promise<unknown> => Promise.all([...known.values()].map(({ handle }) => handle.bay.close())),
  }
}

/** The encoder of a controller. Throws encoder-offline for a controller without a device. */
function encoderOf({ id, name, device }: AccessController): AddressedDevice {
  if (!device) throw new DeviceFault('encoder-offline', `${name} has no device. Configure one.`)
  return { id, name, device }
}

/** Opens an encoder, which connects, and reconnects after a loss. */
function openEncoder(
  workshop: Workshop,
  line: DeviceLine<'encoder'>,
  encoder: AddressedDevice,
): EncoderHandle {
  const handle: EncoderHandle = {
    identity: null,
    issued: null,
    bay: bay<CardEncoder>({
      ...bayOptions(workshop, encoder),
      offlineCode: 'encoder-offline',
      open: line.open,
      started: async (device) => {
        handle.identity = await line.firstAnswer(device.identify())
      },
    }),
  }
  return handle
}
