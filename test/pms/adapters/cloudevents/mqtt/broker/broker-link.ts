import type { Socket } from 'node:net'
import mqttPacket, { type Packet } from 'mqtt-packet'

export type Direction = 'in' | 'out'

/** A packet as it passes: `in` comes from the client. */
export interface Passing {
  direction: Direction
  clientId: string
  /** The n-th of its direction on this connection; the first is 1. */
  n: number
  packet: Packet
}

/**
 * What becomes of it: it is lost; the connection is cut before it, after the broker has acted on it and before anything
 * it answers leaves, or when half of its bytes have left; it comes twice, or after the next of its direction.
 */
export type Verdict = 'pass' | 'lose' | 'cut-before' | 'cut-after' | 'half' | 'twice' | 'after-next'

/** One connection of a client, at which whatever can befall a line does. */
export interface Link {
  clientId: string
  send(packet: Packet): void
  /** Ends it without a word. */
  cut(): void
  /** Ends it after what was sent has left. */
  end(): void
}

export interface LinkOptions {
  judge(passing: Passing): Verdict
  received(packet: Packet, link: Link): void
  closed(link: Link): void
}

const version = { protocolVersion: 5 }

export function openLink(socket: Socket, { judge, received, closed }: LinkOptions): Link {
  const counted = { in: 0, out: 0 }
  const held: Record<Direction, Packet | null> = { in: null, out: null }
  let isMute = false
  const link: Link = {
    clientId: '',
    send: (packet) => pass('out', packet),
    cut: () => socket.destroy(),
    end: () => socket.end(),
  }
  const does: Record<Direction, (packet: Packet) => void> = {
    in: (packet) => received(packet, link),
    out: (packet) => {
      if (socket.writable) socket.write(mqttPacket.generate(packet, version))
    },
  }

  function pass(direction: Direction, packet: Packet): void {
    if (socket.destroyed || isMute) return
    if (packet.cmd === 'connect') link.clientId = packet.clientId
    const waiting = held[direction]
    held[direction] = null
    const verdict = judge({ direction, clientId: link.clientId, n: ++counted[direction], packet })
    carriesOut[verdict](direction, packet)
    if (waiting) does[direction](waiting)
  }

  const carriesOut: Record<Verdict, (direction: Direction, packet: Packet) => void> = {
    pass: (direction, packet) => does[direction](packet),
    lose: () => {},
    'cut-before': () => socket.destroy(),
    'cut-after': (direction, packet) => {
      isMute = true
      does[direction](packet)
      if (direction === 'in') socket.destroy()
      else socket.end(() => socket.destroy())
    },
    half: (direction, packet) => {
      isMute = true
      // Half of what comes from a client is nothing that the broker could act on.
      if (direction === 'in') return void socket.destroy()
      const bytes = mqttPacket.generate(packet, version)
      socket.end(bytes.subarray(0, bytes.length / 2), () => socket.destroy())
    },
    twice: (direction, packet) => {
      does[direction](packet)
      does[direction](packet)
    },
    'after-next': (direction, packet) => {
      held[direction] = packet
    },
  }

  const parser = mqttPacket.parser(version)
  parser.on('packet', (packet) => pass('in', packet))
  parser.on('error', () => socket.destroy())
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => parser.parse(chunk))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => closed(link))
  return link
}
