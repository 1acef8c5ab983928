import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { CardDispenser, CardEncoder, CardFormat, CardLockSystem } from './capability.ts'
import type { LockSetup, OnlineKeyType, OnlineLockSystem } from './lock-system.ts'
import type { WireMask } from './mask.ts'

export interface DeviceCapabilities {
  dispenser: CardDispenser
  encoder: CardEncoder
}

/** How far a driver may be trusted, declared by the driver itself. */
export interface Provenance {
  /** The source of the knowledge about the protocol. */
  known: 'vendor-manual' | 'field-capture' | 'reverse-engineered' | 'own-design'
  /** What the driver has been proven on. `simulator` alone means: never on a real device. */
  proven: readonly string[]
  /** What a probe of an unknown device moves or writes. */
  probing: 'nothing' | 'motor' | 'radio'
}

/** Each id has four hex digits. */
interface UsbIds {
  vendorId: string
  productId: string
}

/** How the appliance finds, opens and simulates one family of devices. */
export interface Driver<Kind extends keyof DeviceCapabilities = keyof DeviceCapabilities> {
  /** The name of the driver in a device configuration. */
  name: string
  /** Other names that select this driver with a different profile. */
  models: readonly string[]
  vendor: string
  capability: Kind
  /**
   * The driver whose line this device shares. This device is opened on a branch of the wire that the other driver has
   * open at the same address, and is closed with that wire. Default: the device has a line of its own.
   */
  joins?: string
  provenance: Provenance
  /** The kinds of card that an encoder writes. */
  cardFormats?: readonly CardFormat[]
  /**
   * A device on a serial line, or behind a serial device server; `usb` is how it identifies itself where it has its own
   * USB.
   */
  serial?: { baudRates: readonly [number, ...number[]]; usb?: UsbIds }
  /** A USB HID device that communicates in feature reports: `reportLine` sends them on its wire. */
  hid?: UsbIds
  /** JSON Schema of `device.options` for this driver. */
  options: Record<string, unknown>
  /** Creates a mask for each wire. Without a mask the recorder keeps only the number of bytes. */
  mask?: (options: Record<string, unknown>) => WireMask
  /** Talks to the device over an open wire. Never throws; faults come from the methods. */
  open(wire: Duplex, device: DeviceOptions): DeviceCapabilities[Kind]
}

export interface DeviceOptions extends Timing {
  /** The driver's name or one of its models. */
  model: string
  /** Validated against the driver's `options` schema before. */
  options: Record<string, unknown>
}

/** What a driver measures time with. */
export interface Timing {
  clock: Clock
  /** Multiplies every deadline and every pause, 0.01..10. Default: 1. */
  patience: number
}

interface LockDeclaration {
  /** The name of the driver in a provider's configuration. */
  name: string
  vendor: string
  capability: 'lock-system'
  provenance: Provenance
  /** JSON Schemas of a provider's `connection` and `credentials`. */
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** Creates a mask for each wire that the lock system opens, as for the driver of a device. */
  mask?: () => WireMask
  /** New credentials for a provider that is created without any; null where only a person knows them. */
  generate(): Record<string, unknown> | null
  /** Null when a lock of a system with this connection can have the code; otherwise a description of a valid one. */
  lockCodeProblem(code: string, connection: Record<string, unknown>): string | null
}

/** How a lock system whose rights travel on the card is configured. */
export interface CardLockDriver extends LockDeclaration {
  lockMode: 'offline-data-on-card'
  /** The kinds of card that can carry its rights. */
  cardFormats: readonly CardFormat[]
  generate(): Record<string, unknown>
  open(connection: Record<string, unknown>, credentials: Record<string, unknown>): CardLockSystem
}

/** How a lock system that keeps the rights itself is configured. */
export interface OnlineLockDriver extends LockDeclaration {
  /** The kinds of key it makes. */
  keyTypes: readonly OnlineKeyType[]
  lockMode: 'online' | 'hybrid'
  /**
   * Never throws. When the lock system cannot be reached, its methods reject with a fault and the driver reconnects
   * without end.
   */
  open(setup: LockSetup): OnlineLockSystem
}

export type LockDriver = CardLockDriver | OnlineLockDriver

/** Keeps the precise types of a driver's declaration. */
export function driver<Kind extends keyof DeviceCapabilities>(declaration: Driver<Kind>): Driver<Kind> {
  return declaration
}
