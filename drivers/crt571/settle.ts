import { becomesQuiet } from '../../src/devices/driving/host-end.ts'
import { deadline } from '../../src/devices/inbox.ts'
import { accept, answers, type Sound, sendWord, type WireEnd, written } from './port.ts'
import { type Crt571Command, limits } from './protocol.ts'
import type { Crt571Reply } from './text.ts'

/** Receives everything that arrives meanwhile. */
type Notice = (received: Sound) => void

/**
 * Aborts the conversation that is in progress, and waits until no reply to an earlier command can still arrive. Sets
 * the port's `clear` accordingly. Returns the reply to `command` if it arrived meanwhile; otherwise null.
 *
 *   > EOT    < EOT (300 ms, sent twice)    ... quiet
 */
export async function settle(end: WireEnd, command: Crt571Command): Promise<Crt571Reply | null> {
  const { port, clock, patience } = end
  port.clear = false
  if (port.received.ended || !(await written(end))) return null
  let crossing: Crt571Reply | null = null
  const notice = (received: Sound) => {
    const reply = accept(end, received)
    if (reply && reply !== 'damaged' && answers(reply, command)) crossing = reply
  }
  const isAborted = (await abort(end, notice)) || (await abort(end, notice))
  const quietMs = (isAborted ? limits.quietMs : limits.longQuietMs) * patience
  const isQuiet = await becomesQuiet(
    port.received,
    { quietMs, mostMs: limits.settleMs * patience, clock },
    notice,
  )
  port.clear = isQuiet && (await written(end))
  return crossing
}

/** Whether the machine has answered an EOT. */
async function abort(end: WireEnd, notice: Notice): Promise<boolean> {
  const { port, clock, patience } = end
  sendWord(end, 'eot')
  const by = deadline(clock, limits.ackMs * patience)
  for (;;) {
    const received = await port.received.next(by.left())
    if (received === 'late' || received === 'gone') return false
    notice(received)
    if (received.kind === 'control' && received.word === 'eot') return true
  }
}
