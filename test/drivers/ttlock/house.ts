import { createServer, type Server, type Socket } from 'node:net'
import driver from '../../../drivers/ttlock/driver.ts'
import { calls } from '../../../drivers/ttlock/protocol.ts'
import { type SimulatedCloud, simulatedCloud } from '../../../drivers/ttlock/simulator/simulated-cloud.ts'
import { simulateTtlock } from '../../../drivers/ttlock/simulator/simulator.ts'
import type { BayEvent } from '../../../src/devices/bay/bay-event.ts'
import type { OnlineGrant, OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { ownPort } from '../../own-port.ts'
import { testClock } from '../../test-clock.ts'
import type { SetupBasics } from '../lock-system-bench.ts'
import { setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'

/** A driver and a simulated cloud, with real sockets between them. */
export interface House {
  clock: Clock
  system: OnlineLockSystem
  cloud: SimulatedCloud
  port: number
  events: BayEvent[]
  /** What the driver says of its exchanges. */
  recorded: string[]
  /** The requests that make, change or take a PIN, in order. */
  writes(): SimulatedCloud['requests']
  unplug(): Promise<void>
  plug(): Promise<void>
  close(): Promise<void>
}

export interface HouseOptions {
  cloud?: Partial<SimulatedCloud>
  connection?: Record<string, unknown>
  password?: string
  setup?: Partial<SetupBasics>
}

/** Resolves once the driver has seen that the cloud is there. */
export async function house({
  cloud: given,
  connection,
  password,
  setup,
}: HouseOptions = {}): Promise<House> {
  const clock = setup?.clock ?? testClock()
  const cloud = simulatedCloud({ clock, ...given })
  const port = await listening(cloud, await ownPort())
  const events: BayEvent[] = []
  const recorded: string[] = []
  const { clientId, clientSecret, username } = cloud
  const system = driver.open({
    ...setupBasics,
    ...setup,
    clock,
    connection: { baseUrl: `http://127.0.0.1:${port.port}`, ...connection },
    credentials: { clientId, clientSecret, username, password: password ?? cloud.password },
    openWire: () => Promise.reject(new Error('there is no wire')),
    log(event) {
      events.push(event)
      setup?.log?.(event)
    },
    record: (direction, text) => recorded.push(`${direction} ${text}`),
  })
  const made: House = {
    clock,
    system,
    cloud,
    port: port.port,
    events,
    recorded,
    writes: () => cloud.requests.filter(({ call }) => calls[call].writes),
    unplug: () => port.close(),
    async plug() {
      await port.close()
      Object.assign(port, await listening(cloud, port.port))
      await until(clock, () => system.state().line === 'online')
    },
    async close() {
      await system.close()
      await port.close()
    },
  }
  await until(clock, () => system.state().line === 'online')
  return made
}

interface Port {
  port: number
  close(): Promise<void>
}

async function listening(cloud: SimulatedCloud, port: number): Promise<Port> {
  const sockets = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void simulateTtlock(socket, cloud)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

let numbered = 0

/** Eight digits that no lock minds, another each time: no three of them are equal or in a row. */
export function nextPin(): string {
  numbered++
  const chosen = [0, 1, 2, 3].map((place) => '123489'[Math.floor(numbered / 6 ** place) % 6])
  return chosen.map((digit) => `6${digit}`).join('')
}

export const day = 86_400_000
/** The noon after a test clock’s start in UTC, so that windows of whole days begin in whole minutes. */
export const noon = Date.UTC(2026, 5, 2, 12)

/** A guest's PIN for lock 1001 over two days. */
export function pinGrant(over: Partial<OnlineGrant> = {}): OnlineGrant {
  return {
    lock: '1001',
    sequence: 1,
    copy: false,
    usage: 'Guest',
    authorizations: [],
    validFrom: noon,
    validUntil: noon + 2 * day,
    credential: 1,
    keyType: 'pinCode',
    encoder: null,
    extraLocks: [],
    pin: nextPin(),
    family: 1,
    label: 'Key 1',
    ...over,
  }
}
