import type { Duplex } from 'node:stream'
import type { Heard } from './framing.ts'
import { deframer } from './framing.ts'

/** `bytes`: something was said that is no frame, or not yet one. */
export type Sound = Heard | { kind: 'bytes' }

/**
 * Tells `hear` what comes over the wire, and `gone` once when the wire has ended, failed or been closed. A frame that
 * stops for `gapMs` is given up. An error of the wire never goes unheard, so it cannot end the process.
 */
export function listen(wire: Duplex, gapMs: number, hear: (sound: Sound) => void, gone: () => void): void {
  const frames = deframer()
  let gap: NodeJS.Timeout | undefined
  let turn: NodeJS.Immediate | undefined
  let ended = false

  wire.on('data', (chunk: Uint8Array) => {
    still()
    const heard = frames.push(chunk)
    if (heard.length === 0) hear({ kind: 'bytes' })
    for (const each of heard) hear(each)
    if (frames.restless) gap = setTimeout(giveUp, gapMs)
  })
  for (const event of ['end', 'close', 'error']) wire.on(event, end)

  // One more turn of the loop lets bytes in that came while the process was held up.
  function giveUp() {
    turn = setImmediate(() => {
      for (const each of frames.quiet()) hear(each)
    })
  }

  function still() {
    clearTimeout(gap)
    clearImmediate(turn)
  }

  function end() {
    if (ended) return
    ended = true
    still()
    gone()
  }
}
