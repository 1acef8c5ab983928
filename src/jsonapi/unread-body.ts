import type { IncomingMessage, ServerResponse } from 'node:http'

/** So much of a body is still read after the answer, in bytes, because a kept connection is worth more. */
const mostDrained = 131_072
/** How long the client has to read the answer before its connection goes, in milliseconds. */
const readWithinMs = 1_000

/**
 * Ends the connection with the answer where it is given before the whole body has come: what nobody wants is not read. The
 * connection is closed for writing first, and for reading when the client has had time to take the answer, because a reset
 * would take the answer with it.
 */
export function leaveUnread(message: IncomingMessage, response: ServerResponse): void {
  const { socket } = response
  if (!socket || message.complete || isShort(message) || response.headersSent) return
  response.setHeader('Connection', 'close')
  // Node calls this when the answer is written.
  socket.destroySoon = () => {
    socket.end()
    socket.setTimeout(readWithinMs, () => socket.destroy())
    // Node begins to read the rest in the next tick.
    setImmediate(() => socket.pause())
  }
}

function isShort({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= mostDrained
}
