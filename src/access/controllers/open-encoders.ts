import { bay } from '../../devices/bay/bay.ts'
import type { CardEncoder } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { DeviceAddress } from './device-address.ts'
import { bayOptions, type EncoderHandle } from './device-handle.ts'
import type { DeviceLines } from './device-lines.ts'
import type { Workshop } from './workshop.ts'

/** The open encoders. One whose address has changed is opened again. */
export type OpenEncoders = ReturnType<typeof openEncoders>

/** Returns the encoders; none is open at first. */
export function openEncoders(workshop: Workshop, lines: DeviceLines) {
  const known = new Map<string, { device: string; path: string | null; handle: EncoderHandle }>()
  return {
    /** Throws encoder-offline for a controller without a device. */
    open({ id, name, device: address }: AccessController): EncoderHandle {
      if (!address) throw new DeviceFault('encoder-offline', `${name} has no device. Configure one.`)
      const device = JSON.stringify(address)
      const before = known.get(id)
      if (before?.device === device) return before.handle
      void before?.handle.bay.close()
      const handle = openEncoder(workshop, lines, name, address)
      known.set(id, { device, path: address.path ?? null, handle })
      return handle
    },
    /** The handle of an open encoder; null where it is not open. */
    at: (id: string): EncoderHandle | null => known.get(id)?.handle ?? null,
    /** The controllers whose encoders are open. */
    ids: (): string[] => [...known.keys()],
    /** Closes the encoder of a controller. The next use connects again. */
    drop(id: string): void {
      void known.get(id)?.handle.bay.close()
      known.delete(id)
    },
    /** Retries the offline encoders on the line of this path. */
    retryOn(path: string | null | undefined): void {
      for (const each of known.values())
        if (path && each.path === path && each.handle.bay.state() === 'offline') each.handle.bay.reset()
    },
    close: (): Promise<unknown> => Promise.all([...known.values()].map(({ handle }) => handle.bay.close())),
  }
}

function openEncoder(
  workshop: Workshop,
  lines: DeviceLines,
  name: string,
  address: DeviceAddress,
): EncoderHandle {
  const line = lines.of('encoder', name, address)
  const handle: EncoderHandle = {
    identity: null,
    issued: null,
    bay: bay<CardEncoder>({
      ...bayOptions(workshop, name, address),
      offlineCode: 'encoder-offline',
      open: line.open,
      started: async (device) => {
        handle.identity = await device.identify()
        line.answered()
      },
    }),
  }
  return handle
}
