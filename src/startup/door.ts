import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { SecureContextOptions } from 'node:tls'
import { connections } from '../auth/limits/connections.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../host/clock.ts'
import { closeConnections, listen, listenLocally } from '../listen/listen.ts'
import { oneAtATime } from '../listen/one-at-a-time.ts'

const answersEndWithinMs = 2_000
/** By then every request is answered. The unit allows a stop 30 s, of which closing the store takes some. */
export const abandonedAfterMs = 18_000

/** The open ports of the program. The handler behind them changes while the program starts and stops. */
export interface Door {
  /** The server that other machines reach. It is the only server when there is no second one. */
  server: Server
  /** The server for programs on this machine; null without one. */
  local: Server | null
  /** Both servers. */
  servers: readonly Server[]
  /** Why that port could not be opened. */
  localProblem: Error | null
  /** Records a request with a token: see `connections`. */
  letIn(message: IncomingMessage, response: ServerResponse): void
  /** Makes this handler answer all further requests. */
  answer(handler: RequestListener): void
  /**
   * Answers new requests with `meanwhile` while `work` runs and the running requests end. After 18 s `abandon` is called,
   * which answers those that still run. The remaining connections are closed two seconds after `work`, and two seconds after
   * `abandon` at the latest. The ports stay open.
   */
  drain(meanwhile: RequestListener, work: () => Promise<void>, abandon: () => void): Promise<void>
  /** Closes the ports and all connections. */
  close(): Promise<void>
}

interface DoorOptions {
  clock: Clock
  /** The TLS settings during the start; null without TLS. */
  secure: SecureContextOptions | null
  /** The first handler. */
  answer: RequestListener
}

/** Opens the ports. They stay open until the program ends, because a socket of systemd can be opened only once. */
export async function openDoor(config: Config, { clock, secure, answer }: DoorOptions): Promise<Door> {
  const { watch, letIn } = connections({ clock })
  let handler = answer
  const running = new Set<ServerResponse>()
  let ended: (() => void) | null = null
  const handle = oneAtATime((request, response) => {
    running.add(response)
    response.once('close', () => {
      running.delete(response)
      if (running.size === 0) ended?.()
    })
    handler(request, response)
  })
  const server = await listen(handle, config, { watch, secure })
  let localProblem: Error | null = null
  const local = await listenLocally(handle, config, watch).catch((error) => {
    localProblem = error
    return null
  })
  const servers = local ? [server, local] : [server]
  return {
    server,
    local,
    servers,
    localProblem,
    letIn,
    answer(next) {
      handler = next
    },
    async drain(meanwhile, work, abandon) {
      handler = meanwhile
      const cut = () => closeConnections(servers)
      const timers = [
        clock.setTimeout(abandon, abandonedAfterMs),
        clock.setTimeout(cut, abandonedAfterMs + answersEndWithinMs),
      ]
      await work()
      timers.push(clock.setTimeout(cut, answersEndWithinMs))
      while (running.size > 0) {
        await new Promise<void>((resolve) => {
          ended = resolve
        })
        // The next request of the same connection begins in a later turn.
        await new Promise(setImmediate)
      }
      ended = null
      for (const timer of timers) timer.cancel()
    },
    async close() {
      const closed = servers.map((each) => new Promise((resolve) => each.close(resolve)))
      closeConnections(servers)
      await Promise.all(closed)
    },
  }
}
