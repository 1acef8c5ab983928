import { getAll, getList, type Resource } from '../../../lib/server/api.ts'

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

/** A dispenser or an encoder that has no address, so no port and no line shows it: a key system may have encoders of its own. */
export interface Unaddressed {
  kind: Configured['kind']
  id: string
  name: string
  /** The number or code of an encoder at its key system. */
  externalCode: string | null
}

interface Stored {
  name: string
  device: { path?: string | null } | null
  externalCode?: string | null
}

/** Reads the connected devices, those without an address, and the drivers of dispensers and encoders, and of payment terminals. */
export async function readDevices(signal: AbortSignal) {
  const all = (path: string) => getAll<Stored>(`/api/config/v1/${path}?page[size]=100`, 500, signal)
  const [connected, drivers, dispensers, encoders] = await Promise.all([
    getList<Connected>('/api/config/v1/connected-devices', { signal }),
    getList<Driver>('/api/config/v1/drivers', { signal }),
    all('dispensers'),
    all('access-controllers'),
  ])
  const able = (...capabilities: string[]) =>
    drivers.data.filter(({ attributes }) => capabilities.includes(attributes.capability))
  return {
    connected: connected.data,
    unaddressed: [...unaddressed('dispenser', dispensers.data), ...unaddressed('encoder', encoders.data)],
    drivers: able('dispenser', 'encoder'),
    terminals: able('payment-terminal'),
  }
}

function unaddressed(kind: Configured['kind'], all: readonly Resource<Stored>[]): Unaddressed[] {
  return all
    .filter(({ attributes }) => !attributes.device?.path)
    .map(({ id, attributes: { name, externalCode = null } }) => ({ kind, id, name, externalCode }))
}

/** The model and the firmware, as the device calls itself. */
export function identityText(identity: Identity | null): string {
  return [identity?.model, identity?.firmware].filter(Boolean).join(' ')
}
