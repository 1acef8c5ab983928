import { deadline } from '../../src/devices/inbox.ts'
import { accept, answers, say, type WireEnd, written } from './end-of-wire.ts'
import type { Sound } from './port.ts'
import { type Command, limits } from './protocol.ts'
import type { Reply } from './text.ts'

/** Receives everything that is heard meanwhile. */
type Notice = (heard: Sound) => void

/**
 * Aborts whatever is under way and waits until nothing said to an earlier command can still arrive; the port's `clear` tells
 * whether that was achieved. Gives the reply to `command` should it have crossed the abort.
 *
 *   > EOT    < EOT (300 ms, asked twice)    ... quiet
 */
export async function settle(end: WireEnd, command: Command): Promise<Reply | null> {
  const { port, patience } = end
  port.clear = false
  if (port.heard.ended || !(await written(end))) return null
  let crossing: Reply | null = null
  const notice = (heard: Sound) => {
    const reply = accept(end, heard)
    if (reply && reply !== 'damaged' && answers(reply, command)) crossing = reply
  }
  const isAborted = (await abort(end, notice)) || (await abort(end, notice))
  await untilQuiet(end, (isAborted ? limits.quietMs : limits.longQuietMs) * patience, notice)
  return crossing
}

/** Whether the machine has answered an EOT. */
async function abort(end: WireEnd, notice: Notice): Promise<boolean> {
  const { port, clock, patience } = end
  say(end, 'eot')
  const by = deadline(clock, limits.ackMs * patience)
  for (;;) {
    const heard = await port.heard.next(by.left())
    if (heard === 'late' || heard === 'gone') return false
    notice(heard)
    if (heard.kind === 'control' && heard.word === 'eot') return true
  }
}

async function untilQuiet(end: WireEnd, quietMs: number, notice: Notice): Promise<void> {
  const { port, clock, patience } = end
  const by = deadline(clock, limits.settleMs * patience)
  for (;;) {
    const heard = await port.heard.next(quietMs)
    if (heard === 'late') port.clear = await written(end)
    if (heard === 'late' || heard === 'gone' || by.left() < 0) return
    notice(heard)
  }
}
