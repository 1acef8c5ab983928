import type { Duplex } from 'node:stream'
import { trunkOf } from '../../src/devices/branch.ts'
import { type Inbox, inbox } from '../../src/devices/inbox.ts'
import type { Bytes } from '../../src/devices/network/listening.ts'
import { listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Heard } from './framing.ts'
import { deframer } from './framing.ts'
import { limits } from './protocol.ts'

export type Sound = Heard | Bytes

/** The antenna's field as all who stand on the line know it. A motion ends it, and so does the reader itself. */
export interface Field {
  on: boolean
  /** Counts how often cards were selected, or lost because the field ended. */
  turn: number
}

/** One wire as all who stand on it share it: the machine hears one of them at a time. */
export interface Port {
  heard: Inbox<Sound>
  /** Nothing that was said earlier is still under way or can still arrive. */
  clear: boolean
  field: Field
  write(bytes: Uint8Array): void
  /** Whether the wire has taken all that was said, or takes it within `ms`. */
  written(ms: number): Promise<boolean>
  /** One conversation after the other, in the order asked. Each device has at most one under way or waiting. */
  inTurn<T>(talk: () => Promise<T>): Promise<T>
}

const ports = new WeakMap<Duplex, Port>()

/**
 * The port of a wire, or of the wire it is a branch of. Whoever comes first says with what patience it listens, and by which
 * clock.
 */
export function portOf(wire: Duplex, patience: number, clock: Clock): Port {
  const trunk = trunkOf(wire)
  const known = ports.get(trunk)
  if (known) return known
  const made = port(trunk, patience, clock)
  ports.set(trunk, made)
  return made
}

function port(wire: Duplex, patience: number, clock: Clock): Port {
  const heard = inbox<Sound>(clock)
  let unwritten = 0
  let allWritten = () => {}
  let last: Promise<unknown> = Promise.resolve()
  listen(wire, deframer(), clock, limits.gapMs * patience, heard.put, heard.end)

  return {
    heard,
    // Whoever had the wire before may have left a conversation open on it.
    clear: false,
    field: { on: false, turn: 0 },
    write(bytes) {
      unwritten++
      wire.write(bytes, (error) => {
        unwritten--
        if (error) heard.end()
        if (unwritten === 0) allWritten()
      })
    },
    async written(ms) {
      if (unwritten > 0) {
        await new Promise<void>((resolve) => {
          const timer = clock.setTimeout(resolve, ms)
          allWritten = () => {
            timer.cancel()
            resolve()
          }
        })
      }
      return unwritten === 0
    },
    inTurn(talk) {
      const mine = last.then(talk)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
