import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import driver from '../../../drivers/industry-standard/driver.ts'
import { type LockPc, lay, lockPc, type PcCard } from '../../../drivers/industry-standard/lock-pc.ts'
import { simulateLockPc } from '../../../drivers/industry-standard/simulator.ts'
import type { LockSetup, OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import { openWire, parseAddress } from '../../../src/devices/wire.ts'
import { type SetupBasics, setupBasics } from '../lock-system-bench.ts'

export type Transport = 'tcp' | 'serial'

export const noSocat = spawnSync('socat', ['-V']).error ? 'left out: socat is not installed' : false

export interface House {
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
  transport?: Transport
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
  const setup: SetupBasics = { ...setupBasics, ...options.setup }
  const pc = lockPc({
    rooms: ['101', '102', '103', '104', '105', '106'],
    encoders: [1, 2],
    clock: () => shownAt(setup.now(), setup),
    options: { cardWaitMs: 60_000, answersOnNewest: true, ...options.pc },
  })
  const line = options.transport === 'serial' ? await serialLine(pc) : await tcpPort(pc)
  const system = driver.open({
    ...setup,
    connection: { path: line.path, patience: 0.25, ...options.connection },
    credentials: options.credentials ?? {},
    openWire: async (path, { baudRate, signal }) => {
      const parsed = parseAddress(path)
      if ('problem' in parsed) throw new Error(parsed.problem)
      return openWire(parsed.address, { baudRate, signal, checkMs: 50 })
    },
  })
  await online(system)
  return {
    system,
    pc,
    freshCard(encoder) {
      const card = newCard()
      lay(pc, encoder, card)
      return card
    },
    async unplug() {
      await line.unplug()
      await until(() => system.state().line !== 'online')
    },
    async plug() {
      await line.plug()
      await online(system)
    },
    cut: line.cut,
    async close() {
      await system.close()
      await line.close()
      for (const encoder of pc.encoders.values()) encoder.task?.callOff()
    },
  }
}

export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 3_000; turn++) {
    if (isSo()) return
    await pause(5)
  }
  throw new Error('waited for fifteen seconds')
}

function online(system: OnlineLockSystem): Promise<void> {
  return until(() => system.state().line === 'online')
}

interface Line {
  path: string
  cut(): void
  unplug(): Promise<void>
  plug(): Promise<void>
  close(): Promise<void>
}

async function tcpPort(pc: LockPc): Promise<Line> {
  const sockets = new Set<Socket>()
  let server = listening()
  let port = 0
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
    port = (server.address() as AddressInfo).port
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

/** A pseudo-terminal that socat joins to a port; pulling it out kills socat, and the path is gone. */
async function serialLine(pc: LockPc): Promise<Line> {
  const port = await tcpPort(pc)
  const folder = mkdtempSync(join(tmpdir(), 'lock-pc-'))
  const path = join(folder, 'line')
  let socat: ChildProcess | null = null
  async function plug() {
    if (socat) return
    const ends = [`pty,raw,echo=0,link=${path}`, `tcp:${port.path.slice('tcp://'.length)},nodelay`]
    const started = spawn('socat', ends, { stdio: 'ignore' })
    socat = started
    await until(() => existsSync(path) || started.exitCode !== null)
  }
  async function unplug() {
    const pulled = socat
    socat = null
    if (!pulled || pulled.exitCode !== null || pulled.signalCode !== null) return
    const ended = once(pulled, 'exit')
    pulled.kill('SIGKILL')
    await ended
    rmSync(path, { force: true })
  }
  await plug()
  return {
    path,
    cut: () => void unplug(),
    unplug,
    plug,
    async close() {
      await unplug()
      await port.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
