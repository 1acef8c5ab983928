import type { Duplex } from 'node:stream'
import { writeWithin } from '../../src/devices/driving/write-within.ts'
import { deadline, inbox } from '../../src/devices/inbox.ts'
import { listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import { control, deframer, fieldsIn, type Heard, message } from './framing.ts'
import { limits } from './protocol.ts'

type Fields = readonly string[]

/** What became of a request: accepted (or answered at once), declined and so not carried out, or not confirmed. */
type Offered = 'accepted' | 'declined' | 'unconfirmed' | 'blocked' | 'gone'

/** One wire to a lock system. Every method is for one caller at a time. */
export interface Line {
  /** ENQ: whether the lock system is ready for a request. `withinMs` makes it shorter than the link's own time. */
  enquire(withinMs?: number): Promise<'ack' | 'nak' | 'late' | 'gone'>
  /** Sends a request once. After `unconfirmed`, `blocked` and `gone` it may have arrived. */
  offer(fields: Fields): Promise<Offered>
  /** The next message, as long as it comes within `ms`. */
  hear(ms: number): Promise<Fields | 'damaged' | 'late' | 'gone'>
  /** The messages that came and that nobody waited for; what else came is forgotten. */
  unheard(): Promise<Fields[]>
  /** Whether bytes can be given to it at all. */
  isOpen(): boolean
  /** Gives the wire up, for this reason. */
  fail(why: string): void
  close(): void
}

export function line(wire: Duplex, patience: number, clock: Clock): Line {
  const box = inbox<Heard>(clock)
  const ackMs = limits.ackMs * patience
  /** Messages that came while something else was waited for. */
  const early: (Fields | 'damaged')[] = []
  listen(
    wire,
    deframer(),
    clock,
    limits.gapMs * patience,
    (sound) => {
      if (sound.kind !== 'bytes') box.put(sound)
    },
    box.end,
  )

  return {
    async enquire(withinMs = Number.POSITIVE_INFINITY) {
      const sent = await write(Uint8Array.of(control.enq))
      return sent === 'sent'
        ? confirmation(false, Math.min(withinMs, ackMs))
        : sent === 'gone'
          ? 'gone'
          : 'late'
    },
    async offer(fields) {
      const sent = await write(message(fields))
      if (sent !== 'sent') return sent
      const heard = await confirmation(true, ackMs)
      if (heard === 'ack') return 'accepted'
      if (heard !== 'nak') return heard === 'gone' ? 'gone' : 'unconfirmed'
      // A request whose NAK is followed by an ACK must not be sent again, whichever of the two is noise.
      return (await confirmation(true, limits.quietMs * patience)) === 'ack' ? 'accepted' : 'declined'
    },
    async hear(ms) {
      const by = deadline(clock, ms)
      for (;;) {
        const before = early.shift()
        if (before) return before
        const heard = await box.next(by.left())
        if (heard === 'late' || heard === 'gone') return heard
        stash(heard)
      }
    },
    async unheard() {
      for (;;) {
        const heard = await box.next(0)
        if (heard === 'late' || heard === 'gone') return early.splice(0).filter((each) => each !== 'damaged')
        stash(heard)
      }
    },
    isOpen: () => !box.ended && wire.writable,
    fail: (why) => void wire.destroy(new Error(why)),
    close: () => void wire.destroy(),
  }

  /** ACK or NAK. With `orMessage` a message counts as ACK: its ACK was lost, and it is what was waited for. */
  async function confirmation(orMessage: boolean, ms: number) {
    const by = deadline(clock, ms)
    for (;;) {
      const heard = await box.next(by.left())
      if (heard === 'late' || heard === 'gone') return heard
      if (heard.kind === 'control' && heard.word !== 'enq') return heard.word
      stash(heard)
      if (orMessage && heard.kind === 'message') return 'ack'
    }
  }

  function stash(heard: Heard): void {
    if (heard.kind === 'message') early.push(fieldsIn(heard.text))
    if (heard.kind === 'damaged') early.push('damaged')
    if (early.length > mostUnheard) early.shift()
  }

  /** Whether the wire took it in time: what piles up before a wire that takes nothing would be carried out later. */
  async function write(bytes: Uint8Array): Promise<'sent' | 'blocked' | 'gone'> {
    if (box.ended || !wire.writable) return 'gone'
    const sent = await writeWithin(wire, bytes, ackMs, clock)
    if (sent === 'taken') return 'sent'
    return sent === 'failed' || box.ended ? 'gone' : 'blocked'
  }
}

const mostUnheard = 64
