import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { CardDispenser, CardEncoder, CardLockSystem } from './capability.ts'
import type { LockSetup, OnlineKeyType, OnlineLockSystem } from './lock-system.ts'
import type { WireMask } from './mask.ts'

export interface Capabilities {
  dispenser: CardDispenser
  encoder: CardEncoder
}

/** How far a driver may be trusted, said by the driver itself. */
export interface Provenance {
  /** How the protocol is known. */
  known: 'vendor-manual' | 'field-capture' | 'reverse-engineered' | 'own-design'
  /** What it has been proven on. `simulator` alone means: never on a real device. */
  proven: readonly string[]
  /** What asking an unknown device "are you this?" would move or write. */
  probing: 'nothing' | 'motor' | 'radio'
}

/** As four hex digits each. */
interface UsbIds {
  vendorId: string
  productId: string
}

/** How one family of devices is found, opened and imitated. */
export interface Driver<Kind extends keyof Capabilities = keyof Capabilities> {
  /** The word used in a device configuration. */
  name: string
  /** Other words that mean this driver with a profile of its own. */
  models: readonly string[]
  vendor: string
  capability: Kind
  /**
   * The driver on whose line this device stands: it is opened on a branch of the wire which that driver has open at the
   * same address, and sees it close. A line of its own unless said otherwise.
   */
  joins?: string
  provenance: Provenance
  /** A device on a serial line, or behind a serial device server; `usb` is how it shows up where it has its own USB. */
  serial?: { baudRates: readonly [number, ...number[]]; usb?: UsbIds }
  /** A USB HID device that is asked in feature reports: `reportLine` asks on its wire. */
  hid?: UsbIds
  /** JSON Schema of `device.options` for this driver. */
  options: Record<string, unknown>
  /** Made anew for each wire. Without one nothing is kept of what passes but how many bytes it was. */
  mask?: (options: Record<string, unknown>) => WireMask
  /** Talks to the device over an open wire. Never throws; faults come from the methods. */
  open(wire: Duplex, device: DeviceOptions): Capabilities[Kind]
}

export interface DeviceOptions {
  /** The driver's name or one of its models. */
  model: string
  /** Stretches or shortens every deadline; 1 unless said otherwise, 0.01..10. */
  patience: number
  /** Checked against the driver's `options` schema before. */
  options: Record<string, unknown>
  clock: Clock
}

interface LockDeclaration {
  /** The word used in a provider's configuration. */
  name: string
  vendor: string
  capability: 'lock-system'
  provenance: Provenance
  /** JSON Schemas of a provider's `connection` and `credentials`. */
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** Of the wires that it opens, as a device's driver has one. */
  mask?: () => WireMask
  /** Fresh credentials for a provider created without any; null where only a person knows them. */
  generate(): Record<string, unknown> | null
}

/** How a lock system whose rights travel on the card is set up. */
export interface CardLockDriver extends LockDeclaration {
  lockMode: 'offline-data-on-card'
  generate(): Record<string, unknown>
  open(connection: Record<string, unknown>, credentials: Record<string, unknown>): CardLockSystem
}

/** How a lock system that keeps the rights itself is set up. */
export interface OnlineLockDriver extends LockDeclaration {
  /** The kinds of key it makes. */
  keyTypes: readonly OnlineKeyType[]
  lockMode: 'online' | 'hybrid'
  /** Never throws; what cannot be reached is a fault of the methods, and looked for, for ever. */
  open(setup: LockSetup): OnlineLockSystem
}

export type LockDriver = CardLockDriver | OnlineLockDriver

/** Keeps the types of a driver's declaration. */
export function driver<Kind extends keyof Capabilities>(declaration: Driver<Kind>): Driver<Kind> {
  return declaration
}
