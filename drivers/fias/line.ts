import type { Duplex } from 'node:stream'
import { deadline, inbox } from '../../src/devices/inbox.ts'
import { listen } from '../../src/devices/network/listening.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { CodePage } from './code-page.ts'
import { type FiasReceived, type Framing, frame, frames, longestRecord, type Sign, signs } from './framing.ts'
import { type FiasRecord, readRecord } from './record.ts'

/** A record was not delivered. */
export class NotSent extends Error {
  /** True when the other side may have received it all the same. */
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
  /** Multiplies every deadline. Default: 1. */
  patience: number
  /** Called with each whole record, in order. */
  receive(record: FiasRecord): void
  /** Called with the text of what arrived and is not a record; null when it was damaged. */
  unread?(text: string | null): void
  /** Called once when the wire has ended, failed or been closed. */
  gone(): void
}

/** Sends and receives records over one wire. */
export interface RecordLine {
  /**
   * Sends a record in the form of `recordText`. On a serial line it resolves once the other side has acknowledged the
   * record, over TCP once the wire has accepted it. Rejects with NotSent, or with a DeviceFault when too many records
   * wait.
   */
  send(text: string): Promise<void>
  close(): void
}

/**
 * Serial: how long a sign is awaited, how often a record is repeated after NAK, and how often ENQ requests the sign.
 */
const signMs = 3_000
const resends = 3
const enquiries = 3
/** The limit for the wire to accept a record. */
const takenMs = 5_000
/** A partial record that has not grown for this long is dropped. */
const gapMs = 2_000
const mayWait = 64

/** A line over an open wire. Never throws. */
export function line(wire: Duplex, options: LineOptions): RecordLine {
  const { clock, framing, page, patience, receive, unread, gone } = options
  const inTurn = oneAtATime(mayWait, 'lock-system-busy')
  const confirmations = inbox<'ack' | 'nak'>(clock)
  const isSerial = framing !== 'tcp'
  /**
   * The sign that answered the last record. Before the first record it is NAK, so that the other side sends its record
   * (again).
   */
  let answered: Sign = 'nak'
  let ended = false

  listen<FiasReceived>(wire, frames(framing), clock, gapMs * patience, take, () => {
    ended = true
    confirmations.end()
    gone()
  })

  return {
    send: (text) => inTurn(() => (isSerial ? sendSerial(text) : sendPlain(framed(text)))),
    close: () => void wire.destroy(),
  }

  function take(received: FiasReceived | { kind: 'bytes' }): void {
    if (received.kind === 'control') {
      if (received.word === 'enq') sign(answered)
      else confirmations.put(received.word)
    }
    if (received.kind === 'damaged') {
      sign('nak')
      unread?.(null)
    }
    if (received.kind !== 'message') return
    sign('ack')
    const text = page.decode(received.text)
    const record = readRecord(text)
    if (record) receive(record)
    else unread?.(text)
  }

  function sign(word: Sign): void {
    answered = word
    // The sign may follow a record that is being sent. When the other side accepts no bytes at all, no signs are
    // queued: it will ask for the last sign with ENQ.
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
    // No record is queued behind bytes that the other side has not accepted: they would all be executed later.
    while (wire.writableLength > 0 && !ended && left.left() > 0) await clock.sleep(20)
    if (ended || wire.writableLength > 0) throw new NotSent('the line accepts no bytes', false)
    const { promise: taken, resolve } = Promise.withResolvers<'taken' | 'lost' | 'late'>()
    clock.setTimeout(() => resolve('late'), Math.max(1, left.left())).unref()
    wire.write(bytes, (error) => resolve(error ? 'lost' : 'taken'))
    if ((await taken) !== 'taken') {
      // The rest of the record could leave at any time while the line is open.
      wire.destroy()
      throw new NotSent('the line did not accept the whole record', true)
    }
  }

  async function sendSerial(text: string): Promise<void> {
    const bytes = framed(text)
    for (let sent = 0; sent <= resends; sent++) {
      confirmations.empty()
      await sendPlain(bytes)
      const sign = await signOf()
      if (sign === 'ack') return
      if (sign !== 'nak') {
        wire.destroy()
        throw new NotSent('the record was not acknowledged', true)
      }
    }
    throw new NotSent(`the record was refused as damaged ${resends + 1} times`, false)
  }

  /**
   * Waits for the sign of the last record. A missing sign does not cause a repetition: ENQ asks the other side for it.
   */
  async function signOf(): Promise<'ack' | 'nak' | 'late' | 'gone'> {
    let sign = await confirmations.next(signMs * patience)
    for (let enquiry = 0; sign === 'late' && enquiry < enquiries; enquiry++) {
      if (ended || wire.writableLength > 0) return 'gone'
      wire.write(Uint8Array.of(signs.enq))
      sign = await confirmations.next(signMs * patience)
    }
    return sign
  }
}
