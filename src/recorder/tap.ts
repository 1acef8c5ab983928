import type { Duplex } from 'node:stream'
import type { Direction, WireMask } from '../devices/mask.ts'

/**
 * Called with each chunk when it is masked. `kept` is null without a mask; then only `size` may be recorded.
 */
type Kept<Mark> = (mark: Mark, direction: Direction, kept: Uint8Array | null, size: number) => void

/** The largest run of chunks in one direction, because a run is held in memory until it is masked. */
const longestTurn = 65_536

/**
 * Holds the chunks of one direction until the direction changes, masks them as one piece, and passes them on
 * in their original division. So a frame that arrives in two chunks is masked like a frame in one.
 */
export function joined<Mark>(mask: WireMask | null, keep: Kept<Mark>) {
  let direction: Direction = 'out'
  let held: { mark: Mark; chunk: Uint8Array }[] = []
  let size = 0

  /** Ends the current run of chunks. */
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
    /** Adds a chunk as it passed; the mark is passed on with it. */
    passed(mark: Mark, towards: Direction, chunk: Uint8Array): void {
      if (towards !== direction || size + chunk.length > longestTurn) settle()
      direction = towards
      held.push({ mark, chunk })
      size += chunk.length
    },
    settle,
  }
}

/**
 * Reports every chunk on a wire before it passes, and the end of the wire once. It returns the same wire: a
 * second stream around it would cost each exchange with a device two more turns of the event loop.
 */
export function tapped<Wire extends Duplex>(
  wire: Wire,
  passed: (direction: Direction, chunk: Uint8Array) => void,
  ended: () => void,
): Wire {
  let isOver = false
  const over = () => {
    if (!isOver) ended()
    isOver = true
  }
  const { push, write } = wire
  wire.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const bytes = bytesOf(chunk, encoding)
    if (bytes) passed('in', bytes)
    return push.call(wire, chunk, encoding)
  }
  wire.write = (chunk: unknown, ...more: unknown[]) => {
    const bytes = bytesOf(chunk, typeof more[0] === 'string' ? (more[0] as BufferEncoding) : undefined)
    if (bytes) passed('out', bytes)
    return Reflect.apply(write, wire, [chunk, ...more])
  }
  wire.once('end', over)
  wire.once('close', over)
  // An `error` without a listener ends the process, and a wire may break before its driver listens or after
  // it has left.
  wire.on('error', () => {})
  if (wire.destroyed) over()
  return wire
}

function bytesOf(chunk: unknown, encoding: BufferEncoding = 'utf8'): Uint8Array | null {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding)
  return chunk instanceof Uint8Array ? chunk : null
}
