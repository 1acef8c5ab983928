import { getList } from '../../../lib/api.ts'

/** A driver that may fit a connected device. */
export interface Candidate {
  driver: string
  probing: 'nothing' | 'motor' | 'radio'
}

export interface Identity {
  model: string
  firmware: string
  serialNumber: string
}

/** A device that is configured at an address. */
export interface Configured {
  kind: 'dispenser' | 'encoder'
  id: string
  name: string
  driver: string
  state: 'offline' | 'starting' | 'online' | 'closed'
  identity: Identity | null
}

/** A device at a port of the box, or one that is configured. */
export interface Connected {
  isPresent: boolean | null
  node: string | null
  usb: { manufacturer: string | null; product: string | null; port: string } | null
  /** How many devices report the same identity, this one included. */
  equals: number
  candidates: Candidate[]
  configured: Configured[]
}

export interface Driver {
  vendor: string
  capability: string
  models: string[]
  provenance: { probing: Candidate['probing'] }
}

/** Reads the connected devices, and the drivers of dispensers and encoders, and of payment terminals. */
export async function readDevices(signal: AbortSignal) {
  const [connected, drivers] = await Promise.all([
    getList<Connected>('/api/config/v1/connected-devices', { signal }),
    getList<Driver>('/api/config/v1/drivers', { signal }),
  ])
  const able = (...capabilities: string[]) =>
    drivers.data.filter(({ attributes }) => capabilities.includes(attributes.capability))
  return {
    connected: connected.data,
    drivers: able('dispenser', 'encoder'),
    terminals: able('payment-terminal'),
  }
}

/** The model and the firmware, as the device calls itself. */
export function identityText(identity: Identity | null): string {
  return [identity?.model, identity?.firmware].filter(Boolean).join(' ')
}
