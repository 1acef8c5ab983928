import { Duplex } from 'node:stream'
import type { Direction, WireMask } from '../devices/mask.ts'

/** Told of each chunk when it may be kept; `kept` is null where there is no mask, and only `size` may be. */
export type Kept<Mark> = (mark: Mark, direction: Direction, kept: Uint8Array | null, size: number) => void

export interface Joined<Mark> {
  /** A chunk passes now; the mark is given back with it. */
  passed(mark: Mark, direction: Direction, chunk: Uint8Array): void
  /** Nothing that passed so far is continued. */
  settle(): void
}

/** A conversation that never turns is cut, because it has to be held until it is masked. */
const longestTurn = 65_536

/**
 * Holds the chunks of one direction until the other begins, masks them as one piece, and gives them back cut as they
 * came: a frame in two chunks is masked like one in one.
 */
export function joined<Mark>(mask: WireMask | null, keep: Kept<Mark>): Joined<Mark> {
  let direction: Direction = 'out'
  let held: { mark: Mark; chunk: Uint8Array }[] = []
  let size = 0

  function settle(): void {
    const turn = held
    held = []
    size = 0
    if (turn.length === 0) return
    const kept = mask ? mask(direction, Buffer.concat(turn.map(({ chunk }) => chunk))) : null
    let from = 0
    for (const { mark, chunk } of turn) {
      const until = from + chunk.length
      keep(mark, direction, kept ? kept.subarray(from, until) : null, chunk.length)
      from = until
    }
  }

  return {
    passed(mark, towards, chunk) {
      if (towards !== direction || size + chunk.length > longestTurn) settle()
      direction = towards
      held.push({ mark, chunk: Uint8Array.from(chunk) })
      size += chunk.length
    },
    settle,
  }
}

/**
 * The same wire, telling of every chunk before it goes on, and once of its end. Chunks stay as they are, and what the wire
 * has not taken yet counts as not taken here as well.
 */
export function tapped(
  wire: Duplex,
  passed: (direction: Direction, chunk: Uint8Array) => void,
  ended: () => void,
): Duplex {
  let isOver = false
  const over = () => {
    if (!isOver) ended()
    isOver = true
  }
  const outer = new Duplex({
    allowHalfOpen: wire.allowHalfOpen,
    highWaterMark: wire.writableHighWaterMark,
    read: () => void wire.resume(),
    write(chunk: Buffer, _encoding, done) {
      passed('out', chunk)
      wire.write(chunk, (error) => done(error))
    },
    final(done) {
      wire.end(() => done())
    },
    destroy(error, done) {
      over()
      wire.destroy()
      if (wire.closed) done(error)
      else wire.once('close', () => done(error))
    },
  })
  wire.on('data', (chunk: Buffer) => {
    passed('in', chunk)
    if (!outer.push(chunk)) wire.pause()
  })
  wire.once('end', () => {
    over()
    outer.push(null)
  })
  wire.on('error', (error) => outer.destroy(error))
  wire.once('close', () => outer.destroy())
  // An `error` nobody listens to ends the process, and a line may break before its driver listens or after it left.
  outer.on('error', () => {})
  if (wire.destroyed) outer.destroy()
  return outer
}
