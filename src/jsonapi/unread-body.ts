import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A body of at most this many bytes is read to its end after the answer, because the connection can then be
 * reused.
 */
const mostDrained = 131_072
/** How long the client may read the answer before the server closes the connection, in milliseconds. */
const readWithinMs = 1_000

/**
 * Closes the connection after an answer that is sent before the whole body has arrived, so that the rest is
 * not read. The server first closes its writing side, and destroys the connection after a second: an
 * immediate reset could discard the answer.
 */
export function leaveUnread(message: IncomingMessage, response: ServerResponse): void {
  const { socket } = response
  if (!socket || message.complete || isShort(message) || response.headersSent) return
  response.setHeader('Connection', 'close')
  // Node calls this function when the answer has been written.
  socket.destroySoon = () => {
    socket.end()
    socket.setTimeout(readWithinMs, () => socket.destroy())
    // Node starts to read the rest in the next tick, so the pause comes after it.
    setImmediate(() => socket.pause())
  }
}

function isShort({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= mostDrained
}
