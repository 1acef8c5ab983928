import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../host/clock.ts'

/**
 * The period in which all connections are checked. A client that reads nothing of its answer is cut off after 30 to
 * 60 s.
 */
const periodMs = 30_000

/** Cuts off the clients of a server that do not read their answers. It must be called before the server listens. */
export function cutSlowReaders(server: Server, clock: Clock): void {
  /**
   * For each socket with unread bytes at the last check, the number of bytes read by then; null for a socket without
   * unread bytes. The key is the socket, not the answer: V8 would promote each answer to the old generation, and
   * creates would fill it five times as fast.
   */
  const stuckAt = new Map<Socket, number | null>()

  // An answer waits in the TLS socket where there is one, and in the TCP socket otherwise.
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      stuckAt.set(socket, null)
      socket.once('close', () => stuckAt.delete(socket))
    })
  }
  const checking = clock.setInterval(cut, periodMs).unref()
  server.once('close', checking.cancel)

  function cut(): void {
    for (const [socket, before] of stuckAt) {
      const { bytesWritten, writableLength } = socket
      const read = bytesWritten - writableLength
      if (writableLength > 0 && read === before) socket.destroy()
      stuckAt.set(socket, writableLength > 0 ? read : null)
    }
  }
}
