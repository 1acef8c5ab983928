import { connect as connectTcp, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import driver from '../../../drivers/fias/driver.ts'
import type { Framing } from '../../../drivers/fias/framing.ts'
import {
  type KeySystemDeed,
  keySystem,
  type SimulatedKeySystem,
} from '../../../drivers/fias/simulator/key-system-simulator.ts'
import type { LockSetup, OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { ownPort } from '../../own-port.ts'
import { testClock } from '../../test-clock.ts'
import { berlin, type LockBench, type LockDeed, setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'

/** That of every house. */
export const clock = testClock()

/** A FIAS driver and the key system it talks to. */
export interface FiasHouse {
  system: OnlineLockSystem
  /** Where the driver listens; 0 where it connects. */
  port: number
  kss: SimulatedKeySystem
  unplug(): Promise<void>
  plug(): Promise<void>
  close(): Promise<void>
}

export interface HouseOptions {
  framing?: Framing
  direction?: 'listen' | 'connect'
  kss?: Partial<SimulatedKeySystem>
  connection?: Record<string, unknown>
}

const deeds: Record<LockDeed, KeySystemDeed> = {
  busy: { at: '*', does: 'refuse', code: 'BY' },
  refuse: { at: '*', does: 'refuse', code: 'UR' },
  strange: { at: '*', does: 'refuse', code: 'Q7' },
  'lose-request': { at: '*', does: 'silence' },
  'lose-answer': { at: '*', does: 'late' },
  late: { at: '*', does: 'hold' },
  'cut-before': { at: '*', does: 'close' },
  'cut-after': { at: '*', does: 'close-after' },
}

/** A house whose link is of use. */
export async function fiasHouse(options: HouseOptions = {}): Promise<FiasHouse> {
  const { framing = 'tcp', direction = 'connect' } = options
  const kss = keySystem({ clock, rooms: ['101', '102', '103', 'POOL'], framing, ...options.kss })
  const made = direction === 'listen' ? await listening(kss) : connected(kss)
  const connection = { direction, framing, ...made.connection, ...options.connection }
  made.plug()
  const system = fiasDriver(clock, connection, made.openWire)
  const isOnline = () => until(clock, () => system.state().line === 'online')
  await isOnline()
  await until(clock, () => kss.linkRecords.at(-1)?.id === 'LA')
  return {
    system,
    kss,
    port: made.port,
    async plug() {
      made.plug()
      await isOnline()
    },
    async unplug() {
      made.unplug()
      await until(clock, () => system.state().line !== 'online')
    },
    async close() {
      made.unplug()
      await system.close()
    },
  }
}

/** The driver alone. */
export function fiasDriver(
  clock: Clock,
  connection: Record<string, unknown>,
  openWire: LockSetup['openWire'] = () => Promise.reject(new Error('nothing is connected to')),
  log: LockSetup['log'] = () => {},
): OnlineLockSystem {
  return driver.open({
    ...setupBasics,
    log,
    clock,
    connection: { options: { Pool: 1, Gym: 3 }, ...connection },
    credentials: {},
    openWire,
  })
}

/** The house as the contract of all lock systems sees it. */
export async function fiasBench(options: HouseOptions): Promise<LockBench> {
  const house = await fiasHouse(options)
  const { system, kss } = house
  const keysAt = (lock: string) =>
    kss.book.opens(lock).map(({ uid, from, until: day, untilTime }) => ({
      told: uid,
      validFrom: from ? berlin(`${dateOf(from)}T00:00`, 'start') : 0,
      validUntil: day ? berlin(`${dateOf(day)}T${untilTime ?? '23:59:59'}`, 'end') : Number.POSITIVE_INFINITY,
    }))
  return {
    ...house,
    next: (deed) => void kss.deeds.push({ ...deeds[deed] }),
    release: kss.release,
    requests: () => kss.requests.length,
    keysAt,
    opensAt: (lock, moment) => keysAt(lock).some(({ validUntil }) => moment < validUntil),
    system,
  }
}

function dateOf(text: string): string {
  return `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`
}

/** The driver connects; what it opens is an in-memory wire. */
function connected(kss: SimulatedKeySystem) {
  let isPlugged = false
  let unplug = () => {}
  return {
    connection: { path: 'tcp://kss:5010' },
    port: 0,
    async openWire() {
      if (!isPlugged) throw new Error('nobody is there')
      const [box, machine] = duplexPair()
      unplug = () => void machine.destroy()
      // An end that is destroyed must be seen at the other, as on a socket.
      machine.once('close', () => box.destroy())
      box.once('close', () => machine.destroy())
      void kss.play(machine)
      return box
    },
    plug() {
      isPlugged = true
    },
    unplug() {
      isPlugged = false
      unplug()
    },
  }
}

/** The driver listens; the key system connects, and comes back while it is plugged in. */
async function listening(kss: SimulatedKeySystem) {
  const port = await ownPort()
  let isPlugged = false
  let socket: Socket | null = null

  function dial(): void {
    const mine = connectTcp({ host: '127.0.0.1', port, noDelay: true })
    socket = mine
    mine.on('error', () => {})
    mine.once('connect', () => void kss.play(mine))
    mine.once('close', () => {
      if (isPlugged && socket === mine) clock.setTimeout(() => isPlugged && dial(), 20)
    })
  }

  return {
    connection: { host: '127.0.0.1', port, peers: ['127.0.0.1'] },
    openWire: undefined,
    port,
    plug() {
      if (isPlugged) return
      isPlugged = true
      dial()
    },
    unplug() {
      isPlugged = false
      socket?.destroy()
    },
  }
}
