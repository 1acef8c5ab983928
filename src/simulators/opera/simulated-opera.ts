import { randomUUID } from 'node:crypto'
import { type Bookings, bookings } from './bookings.ts'
import { type GatewayOptions, gateway, type SimulatedGateway } from './gateway.ts'
import { operations } from './operations.ts'
import { type SimulatedStream, simulatedStream } from './stream.ts'

/** A simulated property at OPERA Cloud, behind a simulated gateway of OHIP. */
export interface SimulatedOpera extends Bookings, SimulatedGateway {
  stream: SimulatedStream
}

/** Serves a simulated property. Rejects with the system's error when the port is not available. */
export async function simulatedOpera(options: Omit<GatewayOptions, 'keys'>): Promise<SimulatedOpera> {
  const house = bookings(options)
  const keys = {
    hotelId: 'SAND01',
    applicationKey: randomUUID(),
    clientId: 'nightporter',
    clientSecret: 'opera-secret',
  }
  const served = await gateway(operations(house), { ...options, keys, now: house.now })
  const stream = simulatedStream(served)
  house.changed = ({ id }) => stream.send(id, 'UPDATE RESERVATION')
  return Object.assign(house, served, { stream })
}
