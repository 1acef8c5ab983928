import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So many requests of a connection may wait before no more is read from it. */
export const mostWaiting = 100

type Waiting = [request: IncomingMessage, response: ServerResponse]

/**
 * Returns a handler that begins the requests of a connection one after the other: the next one in a later turn of the event
 * loop than the answer to the one before it. Node passes all requests of a read at once, up to two thousand. Begun together
 * they would keep every other connection waiting, and their answers go out one after the other in any case. While
 * `mostWaiting` requests wait, nothing is read from the connection; a request that waits when the connection closes is not begun.
 */
export function oneAtATime(handler: RequestListener): RequestListener {
  const open = new Map<Socket, Waiting[]>()

  function begin(waiting: Waiting[], [request, response]: Waiting): void {
    response.once('close', () => setImmediate(next, request.socket, waiting))
    handler(request, response)
  }

  function next(socket: Socket, waiting: Waiting[]): void {
    // After an answer with `Connection: close` nothing more can be sent.
    const following = socket.writable ? waiting.shift() : undefined
    if (!following) {
      open.delete(socket)
      return
    }
    if (waiting.length >= mostWaiting) socket.pause()
    else if (socket.isPaused()) socket.resume()
    begin(waiting, following)
  }

  return (request, response) => {
    const { socket } = request
    const waiting = open.get(socket)
    if (waiting) {
      waiting.push([request, response])
      // Node resumes the socket after each request of what it has read.
      if (waiting.length === mostWaiting) setImmediate(() => socket.pause())
      return
    }
    const none: Waiting[] = []
    open.set(socket, none)
    begin(none, [request, response])
  }
}
