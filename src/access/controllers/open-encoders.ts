import { bay } from '../../devices/bay/bay.ts'
import type { CardEncoder } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { AddressedDevice } from './device-address.ts'
import { bayOptions, type EncoderHandle } from './device-handle.ts'
import type { DeviceLine } from './device-lines.ts'
import type { Workshop } from './workshop.ts'

/** The encoder of a controller. Throws encoder-offline for a controller without a device. */
export function encoderOf({ id, name, device }: AccessController): AddressedDevice {
  if (!device) throw new DeviceFault('encoder-offline', `${name} has no device. Configure one.`)
  return { id, name, device }
}

/** Opens an encoder, which connects, and reconnects after a loss. */
export function openEncoder(
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
        handle.identity = await device.identify()
        line.answered()
      },
    }),
  }
  return handle
}
