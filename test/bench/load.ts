import { connect, type Socket } from 'node:net'

export interface Load {
  requests: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  worst: number
}

export interface Drive {
  port: number
  connections: number
  seconds: number
  /** The bytes of the next request, from `requestText`. */
  next: () => string
  /** How long each connection rests between an answer and its next request; not at all unless said. */
  restMs?: number
  /**
   * Whether the client polls without a pause, on a core of its own. An answer to a client that sleeps has to wake it, which costs
   * the server more than a short request: a constant server that keeps its client busy is spared that, and a slower one is not.
   */
  isAwake?: boolean
}

/**
 * Keeps `connections` kept-alive connections busy for a while, one request at a time on each. Rejects for anything
 * that is not a success: a refusal is answered faster than the work.
 */
export async function drive({
  port,
  connections,
  seconds,
  next,
  restMs = 0,
  isAwake = false,
}: Drive): Promise<Load> {
  const took: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  const driven = Promise.all(
    Array.from({ length: connections }, () => oneConnection({ port, next, restMs }, end, took)),
  )
  if (isAwake) pollUntil(driven)
  await driven
  const elapsed = (performance.now() - started) / 1000
  const sorted = Float64Array.from(took).sort()
  return {
    requests: took.length,
    perSecond: took.length / elapsed,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    worst: sorted.at(-1) ?? 0,
  }
}

/** Keeps the loop turning, so that it never waits for the system. */
function pollUntil(end: Promise<unknown>): void {
  let isOver = false
  const over = () => {
    isOver = true
  }
  end.then(over, over)
  const turn = () => {
    if (!isOver) setImmediate(turn)
  }
  turn()
}

function oneConnection(
  { port, next, restMs }: { port: number; next: () => string; restMs: number },
  end: number,
  took: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let asked = 0
    const ask = () => {
      asked = performance.now()
      socket.write(next(), 'latin1')
    }
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.once('close', () => resolve())
    onAnswers(socket, (status, text) => {
      const now = performance.now()
      if (status >= 300) {
        socket.destroy()
        return reject(new Error(`answered ${status}: ${text()}`))
      }
      took.push(now - asked)
      if (now >= end) socket.end()
      else if (restMs === 0) ask()
      else setTimeout(ask, restMs)
    })
  })
}

/** Calls `answered` with the status of each whole answer. Only answers with a Content-Length, or without a body. */
function onAnswers(socket: Socket, answered: (status: number, text: () => string) => void): void {
  let chunks: Buffer[] = []
  let size = 0
  let needed = 0
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (needed === 0) needed = wholeSize(Buffer.concat(chunks))
    if (needed === 0 || size < needed) return
    const whole = chunks
    chunks = []
    size = 0
    needed = 0
    const status = Number(whole[0]!.toString('latin1', 9, 12))
    answered(status, () => Buffer.concat(whole).toString('utf8'))
  })
}

/** Bytes of the answer, head and body; 0 while its head is not complete. */
function wholeSize(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, head)) ?? []
  return head + 4 + Number(length)
}

/** A request as it goes over the wire. `body` is JSON text in ASCII. */
export function requestText(method: string, path: string, token: string, body = ''): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/vnd.api+json',
    `Authorization: Bearer ${token}`,
  ]
  if (body !== '') lines.push('Content-Type: application/vnd.api+json', `Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Asks once, and gives the answer's text. */
export function askOnce(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request, 'latin1'))
    socket.once('error', reject)
    onAnswers(socket, (status, text) => {
      socket.end()
      const whole = text()
      if (status >= 300) reject(new Error(`answered ${status}: ${whole}`))
      else resolve(whole.slice(whole.indexOf('\r\n\r\n') + 4))
    })
  })
}
