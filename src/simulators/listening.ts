import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Opens the port of a simulator, 0 for any free one, and returns `HOST:PORT`. Rejects with the system's error. */
export function listening(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(`${host}:${(server.address() as AddressInfo).port}`)
    })
  })
}

/** Closes the port of a simulator, with all connections. */
export function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
