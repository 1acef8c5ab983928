import type { Duplex } from 'node:stream'
import type { Clock, Timer } from '../../host/clock.ts'

/** A decoder of a stream of bytes. Pure and bounded; it resynchronises after any noise and never throws. */
export interface Deframer<Received> {
  /** Accepts bytes in pieces of any size; returns the frames that are complete. */
  push(chunk: Uint8Array): Received[]
  /**
   * Call it when the line has been quiet. It returns what the decoder makes of an incomplete frame, and drops that
   * frame.
   */
  quiet(): Received[]
  /** True when `quiet` may return something. */
  readonly restless: boolean
}

/** Called when bytes arrived that are not, or not yet, a whole frame. */
export interface Bytes {
  kind: 'bytes'
}

/**
 * Calls `receive` with each frame that arrives on the wire, and `gone` once when the wire has ended, failed or been
 * closed. An incomplete frame that stops for `gapMs` is dropped. The function listens to the wire's errors, so that
 * none ends the process.
 */
export function listen<Received>(
  wire: Duplex,
  frames: Deframer<Received>,
  clock: Clock,
  gapMs: number,
  receive: (sound: Received | Bytes) => void,
  gone: () => void,
): void {
  let gap: Timer | null = null
  let turn: NodeJS.Immediate | undefined
  let ended = false

  wire.on('data', (chunk: Uint8Array) => {
    still()
    const received = frames.push(chunk)
    if (received.length === 0) receive({ kind: 'bytes' })
    for (const each of received) receive(each)
    if (frames.restless) gap = clock.setTimeout(giveUp, gapMs)
  })
  for (const event of ['end', 'close', 'error']) wire.on(event, end)

  // One more turn of the event loop accepts bytes that arrived while the process was busy.
  function giveUp() {
    turn = setImmediate(() => {
      for (const each of frames.quiet()) receive(each)
    })
  }

  function still() {
    gap?.cancel()
    clearImmediate(turn)
  }

  function end() {
    if (ended) return
    ended = true
    still()
    gone()
  }
}
