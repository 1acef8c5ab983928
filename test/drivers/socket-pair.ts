import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The near end of a TCP connection, for a driver, and a hand at the cable. Neither keeps the process alive. */
export interface SocketPair {
  near: Duplex
  /** Pulls the cable at the far end. */
  cut(): void
}

/** Plays a device at the far end of a TCP connection of its own. The near end may be used at once. */
export function socketPair(play: (far: Duplex) => Promise<void>): SocketPair {
  let far: Socket | null = null
  let isCut = false
  const server = createServer({ noDelay: true }, (socket) => {
    server.close()
    far = socket.unref()
    socket.on('error', () => {})
    if (isCut) socket.destroy()
    else void play(socket)
  })
  // Without a host to look up the port is there at once.
  server.listen(0).unref()
  const { port } = server.address() as AddressInfo
  const near = connect({ port, host: '127.0.0.1', noDelay: true }).unref()
  near.on('error', () => {})
  return {
    near,
    cut() {
      isCut = true
      far?.destroy()
    },
  }
}
