import type { Driver, Provenance } from './driver.ts'
import type { PluggedIn } from './plugged-in.ts'

/** What something that is plugged in may be. */
export interface Candidate {
  driver: string
  vendor: string
  capability: Driver['capability']
  /** By what the device says of itself; or because it is a serial line, behind which nothing shows what stands. */
  by: 'descriptor' | 'line'
  /** What asking it would move. */
  probing: Provenance['probing']
}

/** The drivers that could drive it. A device that says what it is has no others. */
export function candidatesFor({ transport, usb }: PluggedIn, drivers: readonly Driver[]): Candidate[] {
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

function candidate({ name, vendor, capability, provenance }: Driver, by: Candidate['by']): Candidate {
  return { driver: name, vendor, capability, by, probing: provenance.probing }
}
