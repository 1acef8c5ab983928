import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { PortMemory, RememberedPort } from '../../../devices/wires/usb-ports.ts'
import { writeDurably } from '../../../host/files/durable.ts'

/**
 * Keeps the memory in a file, which survives a power cut. A file that cannot be read is the same as none: equal devices are
 * then not opened until they are chosen by port.
 */
export function portsInFile(file: string): PortMemory {
  const ports = new Map(readPorts(file))
  return {
    get: (address) => ports.get(address),
    entries: () => ports.entries(),
    set(address, port) {
      if (isDeepStrictEqual(ports.get(address), port)) return
      ports.set(address, port)
      writeDurably(file, `${JSON.stringify(Object.fromEntries(ports), null, 2)}\n`)
    },
  }
}

function readPorts(file: string): [string, RememberedPort][] {
  try {
    const read: Record<string, Partial<RememberedPort> | null> | null = JSON.parse(readFileSync(file, 'utf8'))
    return Object.entries(read ?? {}).flatMap(([address, each]) => {
      const { place, port, device } = each ?? {}
      const isWhole = [place, port, device].every((text) => typeof text === 'string')
      return isWhole ? [[address, { place, port, device } as RememberedPort]] : []
    })
  } catch {
    return []
  }
}
