import { execFile } from 'node:child_process'
import { write } from 'node:fs'
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
  /** The connected socket of systemd, if it passed one. */
  socket?: number | null
  /** The program that sends the messages where systemd passed no socket. */
  command?: string
}

const longestStartMs = 3_600_000
const askEveryMs = 30_000
const moreTimeMs = 120_000

/**
 * Returns the interface to the systemd that started this process. Without systemd every call does nothing.
 */
export function serviceManager(options: ServiceManagerOptions) {
  const {
    clock,
    environment = process.env,
    failed,
    alive = () => true,
    socket = null,
    command = '/usr/bin/systemd-notify',
  } = options
  let watchdog: Timer | null = null
  let start: Timer | null = null

  async function send(message: string): Promise<void> {
    if (!environment.NOTIFY_SOCKET) return
    try {
      // Node has no Unix datagram sockets, but writes to one that is open.
      if (socket !== null) await written(socket, message)
      else await run(command, [message], { timeout: 10_000, killSignal: 'SIGKILL', env: environment })
    } catch (error) {
      failed(new Error(`systemd was not notified of ${message}`, { cause: error }))
    }
  }

  return {
    /**
     * Until `ready`, asks for more time than systemd allows for a start, for an hour at most: a large database is checked
     * and migrated slowly on a slow disk, and a start that is ended there would be ended each time.
     */
    starting(): void {
      const latest = clock.monotonic() + longestStartMs
      start = clock.setInterval(() => {
        if (clock.monotonic() <= latest) void send(`EXTEND_TIMEOUT_USEC=${moreTimeMs * 1_000}`)
      }, askEveryMs)
      start.unref()
    },
    /** Sends READY=1, and from then on WATCHDOG=1 at twice the requested rate. */
    async ready(): Promise<void> {
      start?.cancel()
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
      start?.cancel()
      watchdog?.cancel()
      await send('STOPPING=1')
    },
  }
}

const run = promisify(execFile)

function written(socket: number, message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    write(socket, message, (error) => (error ? reject(error) : resolve()))
  })
}

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
