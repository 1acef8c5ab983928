import type { Duplex } from 'node:stream'
import { deadline, inbox } from '../../src/devices/inbox.ts'
import { listen } from '../../src/devices/network/listening.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { CodePage } from './code-page.ts'
import { type Framing, frame, frames, type Heard, longestRecord, type Sign, signs } from './framing.ts'
import { type FiasRecord, readRecord } from './record.ts'

/** A record did not get through. */
export class NotSent extends Error {
  /** The other side may have taken it all the same. */
  mayHaveArrived: boolean

  constructor(detail: string, mayHaveArrived: boolean) {
    super(detail)
    this.name = 'NotSent'
    this.mayHaveArrived = mayHaveArrived
  }
}

interface LineOptions {
  clock: Clock
  framing: Framing
  page: CodePage
  /** Stretches or shortens every deadline; 1 unless said otherwise. */
  patience: number
  /** Told of each whole record, in order. */
  hear(record: FiasRecord): void
  /** Told of what came and is no record, as text; null for what did not come through whole. */
  unread?(text: string | null): void
  /** Told once when the wire has ended, failed or been closed. */
  gone(): void
}

/** Records to and from the other side, over one wire. */
export interface Line {
  /**
   * Sends a record as `recordText` gives it. Resolves once the other side has acknowledged it, over TCP once the wire
   * has taken it; rejects with NotSent, or with a DeviceFault when too many wait.
   */
  send(text: string): Promise<void>
  close(): void
}

/** Serial: how long a sign is awaited, how often a record is sent again after NAK, and how often ENQ asks for the sign. */
const signMs = 3_000
const resends = 3
const enquiries = 3
/** How long the wire may take to take a record. */
const takenMs = 5_000
/** A record that stops for as long was cut off. */
const gapMs = 2_000
const mayWait = 64

/** A line over an open wire. Never throws. */
export function line(wire: Duplex, options: LineOptions): Line {
  const { clock, framing, page, patience, hear, unread, gone } = options
  const inTurn = oneAtATime(mayWait, 'lock-system-busy')
  const confirmations = inbox<'ack' | 'nak'>(clock)
  const isSerial = framing !== 'tcp'
  /** What the last record got for an answer; a NAK before there was one, so that it comes (again). */
  let answered: Sign = 'nak'
  let ended = false

  listen<Heard>(wire, frames(framing), clock, gapMs * patience, take, () => {
    ended = true
    confirmations.end()
    gone()
  })

  return {
    send: (text) => inTurn(() => (isSerial ? sendSerial(text) : sendPlain(framed(text)))),
    close: () => void wire.destroy(),
  }

  function take(heard: Heard | { kind: 'bytes' }): void {
    if (heard.kind === 'control') {
      if (heard.word === 'enq') sign(answered)
      else confirmations.put(heard.word)
    }
    if (heard.kind === 'damaged') {
      sign('nak')
      unread?.(null)
    }
    if (heard.kind !== 'message') return
    sign('ack')
    const text = page.decode(heard.text)
    const record = readRecord(text)
    if (record) hear(record)
    else unread?.(text)
  }

  function sign(word: Sign): void {
    answered = word
    // It may go behind a record that is leaving. A side that takes no bytes at all gets no signs piled up for it: it will
    // ask for the last one.
    if (isSerial && !ended && wire.writableLength <= 2 * longestRecord) wire.write(Uint8Array.of(signs[word]))
  }

  function framed(text: string): Buffer {
    try {
      return frame(page.encode(text), framing)
    } catch (error) {
      throw new NotSent(`a record that cannot be sent: ${(error as Error).message}`, false)
    }
  }

  async function sendPlain(bytes: Buffer): Promise<void> {
    if (ended) throw new NotSent('the line is closed', false)
    const left = deadline(clock, takenMs * patience)
    // Nothing is piled up behind what the other side has not taken: it would all be carried out later.
    while (wire.writableLength > 0 && !ended && left.left() > 0) await clock.sleep(20)
    if (ended || wire.writableLength > 0) throw new NotSent('the line takes no bytes', false)
    const { promise: taken, resolve } = Promise.withResolvers<'taken' | 'lost' | 'late'>()
    clock.setTimeout(() => resolve('late'), Math.max(1, left.left())).unref()
    wire.write(bytes, (error) => resolve(error ? 'lost' : 'taken'))
    if ((await taken) !== 'taken') {
      // The rest of it may leave at any time as long as the line is open.
      wire.destroy()
      throw new NotSent('the line did not take the whole record', true)
    }
  }

  async function sendSerial(text: string): Promise<void> {
    const bytes = framed(text)
    for (let sent = 0; sent <= resends; sent++) {
      confirmations.empty()
      await sendPlain(bytes)
      const said = await signOf()
      if (said === 'ack') return
      if (said !== 'nak') {
        wire.destroy()
        throw new NotSent('the record was not acknowledged', true)
      }
    }
    throw new NotSent(`the record was refused as damaged ${resends + 1} times`, false)
  }

  /** The sign for the record just sent. It is not sent again for want of one: the other side is asked what it said. */
  async function signOf(): Promise<'ack' | 'nak' | 'late' | 'gone'> {
    let said = await confirmations.next(signMs * patience)
    for (let asked = 0; said === 'late' && asked < enquiries; asked++) {
      if (ended || wire.writableLength > 0) return 'gone'
      wire.write(Uint8Array.of(signs.enq))
      said = await confirmations.next(signMs * patience)
    }
    return said
  }
}
