import { readFileSync } from 'node:fs'
import type { PortMemory } from '../../../devices/usb-ports.ts'
import { writeDurably } from '../../../host/durable.ts'

/**
 * Keeps the memory in a file, which survives a power cut. A file that cannot be read is the same as none: equal devices are
 * then not opened until they are chosen by port.
 */
export function portsInFile(file: string): PortMemory {
  const places = new Map(Object.entries(readPlaces(file)))
  return {
    get: (address) => places.get(address),
    set(address, place) {
      if (places.get(address) === place) return
      places.set(address, place)
      writeDurably(file, `${JSON.stringify(Object.fromEntries(places), null, 2)}\n`)
    },
  }
}

function readPlaces(file: string): Record<string, string> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries(read ?? {})
    return Object.fromEntries(entries.filter(([, place]) => typeof place === 'string'))
  } catch {
    return {}
  }
}
