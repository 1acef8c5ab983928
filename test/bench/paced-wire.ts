import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

/** What has passed on a line since it was last asked. */
export interface Passed {
  /** In both directions. */
  bytes: number
  /** How long those bytes were on the wire, in milliseconds. */
  wireMs: number
  /** How long the device thought or moved: from what it last heard or said to what it said next. */
  deviceMs: number
}

/** A device at the end of a serial line, behind a serial device server. */
export interface PacedLine {
  /** `tcp://127.0.0.1:port`. */
  address: string
  passed(): Passed
  close(): void
}

const bitsAByte = 10

/** Plays a device at the far end of a line of so many bits a second: 8 data bits, a start and a stop bit, both ways at once. */
export async function pacedLine(baudRate: number, play: (wire: Duplex) => Promise<void>): Promise<PacedLine> {
  const msAByte = (bitsAByte * 1_000) / baudRate
  const open = new Set<Socket>()
  let bytes = 0
  let deviceMs = 0

  const server = createServer({ noDelay: true }, (socket) => {
    const [near, far] = duplexPair()
    let lastEvent = performance.now()
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      near.destroy()
    })
    near.once('close', () => void socket.destroy())
    const toDevice = lane((chunk) => {
      lastEvent = performance.now()
      near.write(chunk)
    })
    const fromDevice = lane((chunk) => void socket.write(chunk))
    socket.on('data', toDevice)
    near.on('data', (chunk: Buffer) => {
      const now = performance.now()
      deviceMs += now - lastEvent
      lastEvent = now
      fromDevice(chunk)
    })
    void play(far)
  })

  /** One direction: what is sent leaves when the line is free, and has arrived when its last bit has. */
  function lane(arrive: (chunk: Buffer) => void): (chunk: Buffer) => void {
    let freeAt = 0
    let before: Promise<void> = Promise.resolve()
    return (chunk) => {
      bytes += chunk.length
      freeAt = Math.max(freeAt, performance.now()) + chunk.length * msAByte
      const at = freeAt
      before = before.then(() => moment(at)).then(() => arrive(chunk))
    }
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed() {
      const passed = { bytes, wireMs: bytes * msAByte, deviceMs }
      bytes = 0
      deviceMs = 0
      return passed
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Timers come up to a millisecond late, which is a byte; the last stretch is waited out in turns of the loop. */
async function moment(at: number): Promise<void> {
  const left = at - performance.now()
  if (left > 3) await pause(left - 2)
  while (performance.now() < at) await turn()
}
