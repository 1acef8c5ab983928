import type { Duplex } from 'node:stream'
import { writeWithin } from '../../src/devices/driving/write-within.ts'
import { deadline, inbox } from '../../src/devices/inbox.ts'
import { listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import { control, deframer, type EncoderReceived, fieldsIn, message } from './framing.ts'
import { limits } from './protocol.ts'

type Fields = readonly string[]

/** The result of sending a request: accepted (or answered at once), declined and so not executed, or not confirmed. */
type Offered = 'accepted' | 'declined' | 'unconfirmed' | 'blocked' | 'gone'

/** One wire to a lock system. Every method is for one caller at a time. */
export interface EncoderLine {
  /** Sends ENQ: whether the lock system is ready for a request. `withinMs` shortens the link's own deadline. */
  enquire(withinMs?: number): Promise<'ack' | 'nak' | 'late' | 'gone'>
  /** Sends a request once. After `unconfirmed`, `blocked` and `gone` it may have arrived. */
  offer(fields: Fields): Promise<Offered>
  /** The next message that arrives within `ms`. */
  receive(ms: number): Promise<Fields | 'damaged' | 'late' | 'gone'>
  /** The messages that arrived while no caller waited; other bytes are dropped. */
  unheard(): Promise<Fields[]>
  /** Whether the line still accepts bytes. */
  isOpen(): boolean
  /** Closes the wire for this reason. */
  fail(why: string): void
  close(): void
}

export function line(wire: Duplex, patience: number, clock: Clock): EncoderLine {
  const box = inbox<EncoderReceived>(clock)
  const ackMs = limits.ackMs * patience
  /** Messages that arrived while a control byte was awaited. */
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
      const received = await confirmation(true, ackMs)
      if (received === 'ack') return 'accepted'
      if (received !== 'nak') return received === 'gone' ? 'gone' : 'unconfirmed'
      // A request whose NAK is followed by an ACK must not be sent again: one of the two is noise, and which one is
      // unknown.
      return (await confirmation(true, limits.quietMs * patience)) === 'ack' ? 'accepted' : 'declined'
    },
    async receive(ms) {
      const by = deadline(clock, ms)
      for (;;) {
        const before = early.shift()
        if (before) return before
        const received = await box.next(by.left())
        if (received === 'late' || received === 'gone') return received
        stash(received)
      }
    },
    async unheard() {
      for (;;) {
        const received = await box.next(0)
        if (received === 'late' || received === 'gone')
          return early.splice(0).filter((each) => each !== 'damaged')
        stash(received)
      }
    },
    isOpen: () => !box.ended && wire.writable,
    fail: (why) => void wire.destroy(new Error(why)),
    close: () => void wire.destroy(),
  }

  /**
   * Waits for ACK or NAK. With `orMessage` a message counts as ACK: the ACK was lost, and the message is the expected
   * answer.
   */
  async function confirmation(orMessage: boolean, ms: number) {
    const by = deadline(clock, ms)
    for (;;) {
      const received = await box.next(by.left())
      if (received === 'late' || received === 'gone') return received
      if (received.kind === 'control' && received.word !== 'enq') return received.word
      stash(received)
      if (orMessage && received.kind === 'message') return 'ack'
    }
  }

  function stash(received: EncoderReceived): void {
    if (received.kind === 'message') early.push(fieldsIn(received.text))
    if (received.kind === 'damaged') early.push('damaged')
    if (early.length > mostUnheard) early.shift()
  }

  /** Whether the wire accepted the bytes in time: bytes that pile up before a blocked wire would be executed later. */
  async function write(bytes: Uint8Array): Promise<'sent' | 'blocked' | 'gone'> {
    if (box.ended || !wire.writable) return 'gone'
    const sent = await writeWithin(wire, bytes, ackMs, clock)
    if (sent === 'taken') return 'sent'
    return sent === 'failed' || box.ended ? 'gone' : 'blocked'
  }
}

const mostUnheard = 64
