import type { Duplex } from 'node:stream'
import type { Timing } from '../../src/devices/driver.ts'
import { writeWithin } from '../../src/devices/driving/write-within.ts'
import { deadline, type Inbox, inbox } from '../../src/devices/inbox.ts'
import { type Bytes, listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import { control, deframer, type EncoderReceived, fieldsIn, message } from './framing.ts'
import { limits } from './protocol.ts'

type Fields = readonly string[]

/** The result of sending a request: accepted (or answered at once), declined and so not executed, or not confirmed. */
type Offered = 'accepted' | 'declined' | 'unconfirmed' | 'blocked' | 'gone'

/** One wire to a lock system. Every method is for one caller at a time. */
export type EncoderLine = ReturnType<typeof line>

interface Line extends Timing {
  wire: Duplex
  box: Inbox<EncoderReceived>
  /** Messages that arrived while a control byte was awaited. */
  early: (Fields | 'damaged')[]
}

/** Opens the line to a lock system: an inbox of what it sends, and what the driver may send. */
export function line(wire: Duplex, patience: number, clock: Clock) {
  const line: Line = { wire, clock, patience, box: inbox(clock), early: [] }
  const { box } = line
  const receive = (received: EncoderReceived | Bytes) => {
    if (received.kind !== 'bytes') box.put(received)
  }
  listen(wire, deframer(), clock, limits.gapMs * patience, receive, box.end)
  return {
    /** Sends ENQ: whether the lock system is ready for a request. `withinMs` shortens the link's own deadline. */
    enquire: (withinMs: number = Number.POSITIVE_INFINITY): Promise<'ack' | 'nak' | 'late' | 'gone'> =>
      enquire(line, withinMs),
    /** Sends a request once. After `unconfirmed`, `blocked` and `gone` it may have arrived. */
    offer: (fields: Fields): Promise<Offered> => offer(line, fields),
    /** The next message that arrives within `ms`. */
    receive: (ms: number): Promise<Fields | 'damaged' | 'late' | 'gone'> => nextMessage(line, ms),
    /** The messages that arrived while no caller waited; other bytes are dropped. */
    unheard: (): Promise<Fields[]> => unheard(line),
    /** Whether the line still accepts bytes. */
    isOpen: (): boolean => !box.ended && wire.writable,
    /** Closes the wire for this reason. */
    fail: (why: string): void => void wire.destroy(new Error(why)),
    close: (): void => void wire.destroy(),
  }
}

async function enquire(line: Line, withinMs: number): Promise<'ack' | 'nak' | 'late' | 'gone'> {
  const sent = await write(line, Uint8Array.of(control.enq))
  if (sent === 'sent') return confirmation(line, false, Math.min(withinMs, limits.ackMs * line.patience))
  return sent === 'gone' ? 'gone' : 'late'
}

async function offer(line: Line, fields: Fields): Promise<Offered> {
  const sent = await write(line, message(fields))
  if (sent !== 'sent') return sent
  const received = await confirmation(line, true, limits.ackMs * line.patience)
  if (received === 'ack') return 'accepted'
  if (received !== 'nak') return received === 'gone' ? 'gone' : 'unconfirmed'
  // A request whose NAK is followed by an ACK must not be sent again: one of the two is noise, and which one is
  // unknown.
  const next = await confirmation(line, true, limits.quietMs * line.patience)
  return next === 'ack' ? 'accepted' : 'declined'
}

async function nextMessage(line: Line, ms: number): Promise<Fields | 'damaged' | 'late' | 'gone'> {
  const by = deadline(line.clock, ms)
  for (;;) {
    const before = line.early.shift()
    if (before) return before
    const received = await line.box.next(by.left())
    if (received === 'late' || received === 'gone') return received
    stash(line, received)
  }
}

async function unheard(line: Line): Promise<Fields[]> {
  for (;;) {
    const received = await line.box.next(0)
    if (received === 'late' || received === 'gone')
      return line.early.splice(0).filter((each) => each !== 'damaged')
    stash(line, received)
  }
}

/**
 * Waits for ACK or NAK. With `orMessage` a message counts as ACK: the ACK was lost, and the message is the expected
 * answer.
 */
async function confirmation(line: Line, orMessage: boolean, ms: number) {
  const by = deadline(line.clock, ms)
  for (;;) {
    const received = await line.box.next(by.left())
    if (received === 'late' || received === 'gone') return received
    if (received.kind === 'control' && received.word !== 'enq') return received.word
    stash(line, received)
    if (orMessage && received.kind === 'message') return 'ack'
  }
}

function stash({ early }: Line, received: EncoderReceived): void {
  if (received.kind === 'message') early.push(fieldsIn(received.text))
  if (received.kind === 'damaged') early.push('damaged')
  if (early.length > mostUnheard) early.shift()
}

/** Whether the wire accepted the bytes in time: bytes that pile up before a blocked wire would be executed later. */
async function write(
  { wire, box, clock, patience }: Line,
  bytes: Uint8Array,
): Promise<'sent' | 'blocked' | 'gone'> {
  if (box.ended || !wire.writable) return 'gone'
  const sent = await writeWithin(wire, bytes, limits.ackMs * patience, clock)
  if (sent === 'taken') return 'sent'
  return sent === 'failed' || box.ended ? 'gone' : 'blocked'
}

const mostUnheard = 64
