import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import driver from '../../../drivers/industry-standard/driver.ts'
import {
  type LockPc,
  lay,
  lockPc,
  type PcCard,
} from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import { simulateLockPc } from '../../../drivers/industry-standard/simulator/simulator.ts'
import type { LockSetup, OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import { openWire, parseAddress } from '../../../src/devices/wires/wire.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { ownPort } from '../../own-port.ts'
import { testClock } from '../../test-clock.ts'
import { type SetupBasics, setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'

export interface House {
  clock: Clock
  system: OnlineLockSystem
  pc: LockPc
  /** Lays a card that nobody has used yet on an encoder. */
  freshCard(encoder: number): PcCard
  /** Nobody is at the other end any more; resolves once the driver has seen it. */
  unplug(): Promise<void>
  /** Somebody is there again; resolves once the driver is online. */
  plug(): Promise<void>
  /** Ends every line that is open, as a lock PC does that starts anew. It can be reached again. */
  cut(): void
  close(): Promise<void>
}

export interface HouseOptions {
  /** A port of this machine unless said otherwise. */
  wire?: WireKind
  setup?: Partial<SetupBasics>
  connection?: Record<string, unknown>
  credentials?: Record<string, unknown>
  pc?: Partial<LockPc>
}

let cards = 0

export function newCard(): PcCard {
  cards++
  return { uid: `04${cards.toString(16).toUpperCase().padStart(12, '0')}`, holds: null }
}

/** What the clock of a lock PC shows at a moment, YYYYMMDDHHmm. */
export function shownAt(instant: number, { wallTime }: Pick<LockSetup, 'wallTime'>): string {
  const { date, time } = wallTime(instant)
  return `${date.replaceAll('-', '')}${time.slice(0, 2)}${time.slice(3, 5)}`
}

/** A driver and a lock PC with the rooms 101 to 106 and the encoders 1 and 2, over a real wire and ready. */
export async function house(options: HouseOptions = {}): Promise<House> {
  const { wire = tcp } = options
  const setup: SetupBasics = { ...setupBasics, clock: wire.clock, ...options.setup }
  const { clock } = setup
  const pc = lockPc({
    rooms: ['101', '102', '103', '104', '105', '106'],
    encoders: [1, 2],
    clock,
    shown: () => shownAt(clock.now(), setup),
    options: { cardWaitMs: 60_000, answersOnNewest: true, ...options.pc },
  })
  const line = await wire.to(pc)
  const system = driver.open({
    ...setup,
    connection: { path: line.path, patience: 1, ...options.connection },
    credentials: options.credentials ?? {},
    openWire: async (path, { baudRate, signal }) => {
      const parsed = parseAddress(path)
      if ('problem' in parsed) throw new Error(parsed.problem)
      return openWire(parsed.address, { clock, baudRate, signal, checkMs: 50 })
    },
  })
  const online = () => until(clock, () => system.state().line === 'online')
  await online()
  return {
    clock,
    system,
    pc,
    freshCard(encoder) {
      const card = newCard()
      lay(pc, encoder, card)
      return card
    },
    async unplug() {
      await line.unplug()
      await until(clock, () => system.state().line !== 'online')
    },
    async plug() {
      await line.plug()
      await online()
    },
    cut: line.cut,
    async close() {
      await system.close()
      await line.close()
      for (const encoder of pc.encoders.values()) encoder.task?.callOff()
    },
  }
}

export interface Line {
  path: string
  cut(): void
  unplug(): Promise<void>
  plug(): Promise<void>
  close(): Promise<void>
}

/** What lies between the driver and a lock PC, in whose time. */
export interface WireKind {
  name: string
  clock: Clock
  /** Why tests are left out; false where they are not. */
  missing: string | false
  to(pc: LockPc): Promise<Line>
}

export const tcp: WireKind = { name: 'tcp', clock: testClock(), missing: false, to: tcpPort }

export async function tcpPort(pc: LockPc): Promise<Line> {
  const sockets = new Set<Socket>()
  let server = listening()
  const port = await ownPort()
  function listening() {
    return createServer({ noDelay: true }, (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
      void simulateLockPc(socket, pc)
    })
  }
  async function plug() {
    if (server.listening) return
    server = listening()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  function cut() {
    for (const socket of sockets) socket.destroy()
  }
  async function unplug() {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  }
  await plug()
  return { path: `tcp://127.0.0.1:${port}`, cut, unplug, plug, close: unplug }
}
