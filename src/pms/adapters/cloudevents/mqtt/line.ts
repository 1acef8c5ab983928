import { type ConnectionOptions, type MqttConnection, openConnection } from './connection.ts'
import { LineLost, lineFault, reasonOf } from './reasons.ts'

/** A line to a broker that reconnects without end. */
export interface BrokerLine {
  /**
   * The connection that is open or being opened; rejects with a DeviceFault during the pause before the next attempt.
   */
  connection(): Promise<MqttConnection>
  /** Disconnects, and does not reconnect. */
  close(): Promise<void>
}

/** The pause before the next attempt doubles with each failure, and is up to half shorter at random. */
export interface Pace {
  firstMs: number
  maxMs: number
}

export const defaultPace: Pace = { firstMs: 1_000, maxMs: 60_000 }

/**
 * Not every broker says that another client has taken the id over. Two clients cut each other soon after each connection, which a
 * broken network, that also fails to connect, does not.
 */
const fewestCuts = 4

interface LineOptions extends Omit<ConnectionOptions, 'signal'> {
  pace: Pace
  /** Called with a new connection, before any use. */
  opened(connection: MqttConnection): Promise<void>
  /** Called before the connection is closed. */
  leaving(connection: MqttConnection): void
  state(state: 'up' | 'down', reason: string | null): void
  /**
   * Called when another client uses the client id. `isCertain`: the broker says so; otherwise it has cut several connections in a row
   * soon after it accepted them, which a proxy that ends idle connections does as well.
   */
  takenOver(isCertain: boolean): void
}

/** Opens the line and keeps it open until it is closed. */
export function keepLine({ pace, opened, leaving, state, takenOver, ...options }: LineOptions): BrokerLine {
  const { clock } = options
  const closing = new AbortController()
  let isClosing = false
  let failures = 0
  /** The connections in a row that were accepted, and cut before they were steady. */
  let cuts = 0
  let standing: MqttConnection | null = null
  let now = attempt()
  const kept = keep()

  async function attempt(): Promise<MqttConnection> {
    const connection = await openConnection({ ...options, signal: closing.signal })
    try {
      await opened(connection)
      return connection
    } catch (error) {
      await connection.disconnect()
      throw error
    }
  }

  async function connection(): Promise<MqttConnection> {
    try {
      return await now
    } catch (error) {
      throw lineFault(reasonOf(error))
    }
  }

  async function keep(): Promise<void> {
    while (!isClosing) {
      const reason = await oneLife()
      if (isClosing) return
      state('down', reason)
      now = Promise.reject(new LineLost(reason, { sent: false }))
      now.catch(() => {})
      await clock.sleep(waitMs(), { signal: closing.signal, ref: false }).catch(() => {})
      if (!isClosing) now = attempt()
    }
  }

  /** Resolves with the reason for which a connection was not made, or has ended. */
  async function oneLife(): Promise<string> {
    try {
      standing = await now
    } catch (error) {
      cuts = 0
      return reasonOf(error)
    }
    state('up', null)
    // Two clients with the same id disconnect each other. The pause is therefore reset only after the connection has
    // stood for a while.
    const steady = clock.setTimeout(() => {
      failures = 0
      cuts = 0
    }, pace.maxMs)
    const reason = await standing.ended
    steady.cancel()
    noteEnding(standing.ending())
    standing = null
    return reason
  }

  function noteEnding(ending: ReturnType<MqttConnection['ending']>): void {
    cuts = ending === 'cut' ? cuts + 1 : 0
    const isCertain = ending === 'taken-over'
    if (isCertain || cuts >= fewestCuts) takenOver(isCertain)
  }

  function waitMs(): number {
    const whole = Math.min(pace.maxMs, pace.firstMs * 2 ** failures++)
    return whole * (0.5 + Math.random() / 2)
  }

  async function close(): Promise<void> {
    isClosing = true
    if (standing) {
      leaving(standing)
      await standing.disconnect()
    }
    closing.abort()
    await kept
  }

  return { connection, close }
}
