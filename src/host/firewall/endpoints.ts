import { isLoopback } from '../machine/reachable.ts'

/** Where the box connects to, or where it listens for a peer. */
export interface Endpoint {
  direction: 'out' | 'in'
  /** An address or a name; for `in` that of a peer. Null stands for every host. */
  host: string | null
  port: number
}

/** The usual ports of the protocols that the box speaks over TCP. A line to a device has none. */
const portOf: Record<string, number | null> = {
  'https:': 443,
  'http:': 80,
  'mqtts:': 8883,
  'mqtt:': 1883,
  'wss:': 443,
  'ws:': 80,
  'sftp:': 22,
  'tcp:': null,
}
const everywhere = new Set(['0.0.0.0', '::'])

/** Returns the endpoints that a configuration names at any depth: URLs, and objects with a port. */
export function endpointsIn(value: unknown): Endpoint[] {
  if (typeof value === 'string') return ofUrl(value)
  if (Array.isArray(value)) return value.flatMap(endpointsIn)
  if (typeof value !== 'object' || value === null) return []
  const { port, host, peers, ...others } = value as Record<string, unknown>
  const rest = endpointsIn(Object.values(others))
  if (typeof port !== 'number') return [...rest, ...endpointsIn(host)]
  if (Array.isArray(peers) || typeof host !== 'string' || everywhere.has(host)) {
    const from = Array.isArray(peers) && peers.length > 0 ? peers.map(String) : [null]
    return [...rest, ...from.map((peer): Endpoint => ({ direction: 'in', host: peer, port }))]
  }
  return [...rest, { direction: 'out', host, port }]
}

function ofUrl(text: string): Endpoint[] {
  const url = URL.parse(text)
  const usual = portOf[url?.protocol ?? '']
  if (!url || usual === undefined) return []
  const port = Number(url.port) || usual
  return port ? endpointsTo(url.hostname.replace(/^\[|\]$/g, ''), port) : []
}

/** Returns the endpoint of a connection of the box; none for one to this machine, which `0.0.0.0` and `::` mean, too. */
export function endpointsTo(host: string, port: number): Endpoint[] {
  return isLoopback(host) || everywhere.has(host) ? [] : [{ direction: 'out', host, port }]
}
