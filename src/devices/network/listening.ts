import type { Duplex } from 'node:stream'
import type { Clock, Timer } from '../../host/clock.ts'

/** What a driver makes out in a stream of bytes. Pure, bounded, back in step after any noise; never throws. */
export interface Deframer<Heard> {
  /** Takes bytes as they come, in pieces of any size; gives what has become clear. */
  push(chunk: Uint8Array): Heard[]
  /** To be called when the line has been quiet: what has begun will not be completed. */
  quiet(): Heard[]
  /** True when `quiet` may have something to say. */
  readonly restless: boolean
}

/** Something was said that is nothing whole, or not yet. */
export interface Bytes {
  kind: 'bytes'
}

/**
 * Tells `hear` what comes over the wire, and `gone` once when the wire has ended, failed or been closed. A frame that
 * stops for `gapMs` is given up. An error of the wire never goes unheard, so it cannot end the process.
 */
export function listen<Heard>(
  wire: Duplex,
  frames: Deframer<Heard>,
  clock: Clock,
  gapMs: number,
  hear: (sound: Heard | Bytes) => void,
  gone: () => void,
): void {
  let gap: Timer | null = null
  let turn: NodeJS.Immediate | undefined
  let ended = false

  wire.on('data', (chunk: Uint8Array) => {
    still()
    const heard = frames.push(chunk)
    if (heard.length === 0) hear({ kind: 'bytes' })
    for (const each of heard) hear(each)
    if (frames.restless) gap = clock.setTimeout(giveUp, gapMs)
  })
  for (const event of ['end', 'close', 'error']) wire.on(event, end)

  // One more turn of the loop lets bytes in that came while the process was held up.
  function giveUp() {
    turn = setImmediate(() => {
      for (const each of frames.quiet()) hear(each)
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
