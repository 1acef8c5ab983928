import type { Duplex } from 'node:stream'
import { type SimulatedLobby, simulated } from '../demo/simulated-lobby.ts'
import type { PortMemory } from '../devices/wires/usb-ports.ts'
import { openWire, parseAddress } from '../devices/wires/wire.ts'
import type { Clock } from '../host/clock.ts'
import { expectOutgoing } from '../host/firewall/outgoing.ts'

/**
 * Opens the wire to an address: a serial line, a TCP port, or a device of the simulated lobby. Rejects with
 * an Error.
 */
export async function wireTo(
  lobby: SimulatedLobby,
  path: string,
  options: { clock: Clock; baudRate: number; signal: AbortSignal; ports: PortMemory },
): Promise<Duplex> {
  if (path.startsWith(simulated)) return lobby.connect(path.slice(simulated.length))
  const parsed = parseAddress(path)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const { address } = parsed
  if (address.transport === 'tcp') await expectOutgoing(address, options)
  return openWire(address, options)
}

/** Returns null for an address that can be opened; otherwise a sentence with what was expected. */
export function addressProblem(path: string): string | null {
  if (path.startsWith(simulated)) return null
  const parsed = parseAddress(path)
  return 'problem' in parsed ? `${parsed.problem}.` : null
}

/** Whether an address accepts any number of wires: a simulated device plays at the end of each. */
export function manyWires(path: string): boolean {
  return path.startsWith(simulated)
}
