import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Clock, Timer } from './clock.ts'

/** The messages to the service manager. No call rejects: the appliance runs without a service manager too. */
export type ServiceManager = ReturnType<typeof serviceManager>

interface ServiceManagerOptions {
  clock: Clock
  /** Contains NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; default the environment of the process. */
  environment?: Record<string, string | undefined>
  /** Called with the reason when a message could not be sent. */
  failed(error: Error): void
  /**
   * Called before each WATCHDOG=1. While it returns false none is sent, and the service manager restarts the
   * process.
   */
  alive?(): boolean
  /** The program that sends the messages. */
  command?: string
}

/**
 * Returns the interface to the systemd that started this process. Without systemd every call does nothing.
 */
export function serviceManager(options: ServiceManagerOptions) {
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
      // Node has no Unix datagram sockets, and a native module for three messages would be too much.
      await run(command, [message], { timeout: 10_000, killSignal: 'SIGKILL', env: environment })
    } catch (error) {
      failed(new Error(`systemd was not notified of ${message}`, { cause: error }))
    }
  }

  return {
    /** Sends READY=1, and from then on WATCHDOG=1 at twice the requested rate. */
    async ready(): Promise<void> {
      await send('READY=1')
      const period = watchdogPeriod(environment)
      if (period === null || watchdog) return
      watchdog = clock.setInterval(() => {
        if (alive()) void send('WATCHDOG=1')
      }, period)
      watchdog.unref()
    },
    /** Sends STOPPING=1, and no more WATCHDOG=1. */
    async stopping(): Promise<void> {
      watchdog?.cancel()
      await send('STOPPING=1')
    },
  }
}

const run = promisify(execFile)

/**
 * Returns the milliseconds between two WATCHDOG=1: half of what systemd allows. Null when systemd does not
 * watch this process.
 */
function watchdogPeriod({ WATCHDOG_USEC, WATCHDOG_PID }: Record<string, string | undefined>): number | null {
  const allowed = Number(WATCHDOG_USEC)
  if (!Number.isSafeInteger(allowed) || allowed <= 0) return null
  if (WATCHDOG_PID && Number(WATCHDOG_PID) !== process.pid) return null
  return Math.max(1, Math.floor(allowed / 2_000))
}
