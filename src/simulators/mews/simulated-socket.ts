import type { Server } from 'node:http'
import { WebSocketServer } from 'ws'

interface Tokens {
  clientToken: string
  accessToken: string
}

/** The WebSocket of a simulated property. It sends events to its listeners, and repeats nothing. */
export function simulatedSocket(server: Server, tokens: Tokens) {
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const cookie = `ClientToken=${tokens.clientToken}; AccessToken=${tokens.accessToken}`
    if (request.url !== '/ws/connector' || request.headers.cookie !== cookie) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (open) => open.on('error', () => open.terminate()))
  })
  return {
    send(event: Record<string, unknown>): void {
      for (const open of sockets.clients) open.send(JSON.stringify({ Events: [event] }))
    },
    cut(): void {
      for (const open of sockets.clients) open.terminate()
    },
  }
}
