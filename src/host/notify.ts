import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Clock, Timer } from './clock.ts'

/** What the service manager is told. Nothing here rejects: without it the appliance runs on. */
export interface ServiceManager {
  /** READY=1, and from then on WATCHDOG=1 at twice the rate that is asked for. */
  ready(): Promise<void>
  /** STOPPING=1, and no WATCHDOG=1 any more. */
  stopping(): Promise<void>
}

interface ServiceManagerOptions {
  clock: Clock
  /** NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID are looked at; the process's own unless given. */
  environment?: Record<string, string | undefined>
  /** Told why a message did not arrive. */
  failed(error: Error): void
  /** Asked before each WATCHDOG=1; while false none is sent, and the service manager restarts us. */
  alive?(): boolean
  /** The program that speaks to the service manager. */
  command?: string
}

/** The systemd that started us; where there is none, every call does nothing. */
export function serviceManager(options: ServiceManagerOptions): ServiceManager {
  const {
    clock,
    environment = process.env,
    failed,
    alive = () => true,
    command = '/usr/bin/systemd-notify',
  } = options
  let watchdog: Timer | null = null

  async function send(message: string): Promise<void> {
    if (!environment.NOTIFY_SOCKET) return
    try {
      // Node has no unix datagram sockets, and a native module for three words would be too much.
      await run(command, [message], { timeout: 10_000, killSignal: 'SIGKILL', env: environment })
    } catch (error) {
      failed(new Error(`systemd was not told ${message}`, { cause: error }))
    }
  }

  return {
    async ready() {
      await send('READY=1')
      const period = watchdogPeriod(environment)
      if (period === null || watchdog) return
      watchdog = clock.setInterval(() => {
        if (alive()) void send('WATCHDOG=1')
      }, period)
      watchdog.unref()
    },
    async stopping() {
      watchdog?.cancel()
      await send('STOPPING=1')
    },
  }
}

const run = promisify(execFile)

/** Milliseconds between two signs of life: half of what systemd allows. Null when it does not watch this process. */
function watchdogPeriod({ WATCHDOG_USEC, WATCHDOG_PID }: Record<string, string | undefined>): number | null {
  const allowed = Number(WATCHDOG_USEC)
  if (!Number.isSafeInteger(allowed) || allowed <= 0) return null
  if (WATCHDOG_PID && Number(WATCHDOG_PID) !== process.pid) return null
  return Math.max(1, Math.floor(allowed / 2_000))
}
