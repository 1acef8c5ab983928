import type { Driver, Provenance } from '../driver.ts'
import type { PluggedIn } from './plugged-in.ts'

/** A supported device that a plugged-in thing may be. */
export interface DeviceCandidate {
  driver: string
  vendor: string
  capability: Driver['capability']
  /**
   * descriptor: the device's own USB ids match. line: it is a serial line, which does not show what is connected to it.
   */
  by: 'descriptor' | 'line'
  /** What a probe of it moves. */
  probing: Provenance['probing']
}

/** The drivers that may drive it. A device whose USB ids match a driver has no other candidates. */
export function candidatesFor({ transport, usb }: PluggedIn, drivers: readonly Driver[]): DeviceCandidate[] {
  const own = drivers.filter(({ joins }) => joins === undefined)
  const described = own.filter((driver) => {
    const descriptor = transport === 'hid' ? driver.hid : driver.serial?.usb
    return (
      usb !== null &&
      descriptor?.vendorId.toUpperCase() === usb.vendorId &&
      descriptor.productId.toUpperCase() === usb.productId
    )
  })
  if (described.length > 0) return described.map((driver) => candidate(driver, 'descriptor'))
  if (transport === 'hid') return []
  return own.filter(({ serial }) => serial && !serial.usb).map((driver) => candidate(driver, 'line'))
}

function candidate(
  { name, vendor, capability, provenance }: Driver,
  by: DeviceCandidate['by'],
): DeviceCandidate {
  return { driver: name, vendor, capability, by, probing: provenance.probing }
}
