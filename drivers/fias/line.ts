import type { Duplex } from 'node:stream'
import type { Timing } from '../../src/devices/driver.ts'
import { writeWithin } from '../../src/devices/driving/write-within.ts'
import { deadline, type Inbox, inbox } from '../../src/devices/inbox.ts'
import type { CodePageDoubt } from '../../src/devices/network/guest-link.ts'
import { type Bytes, listen } from '../../src/devices/network/listening.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
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

export interface LineOptions extends Timing {
  framing: Framing
  page: CodePage
  /** Called with each whole record, in order. */
  receive(record: FiasRecord): void
  /** Called with the text of what arrived and is not a record; null when it was damaged. */
  unread?(text: string | null): void
  /** Called with a record that seems to be of another code page. */
  doubted?(record: FiasRecord, doubt: CodePageDoubt['doubt']): void
  /** Called once when the wire has ended, failed or been closed. */
  gone(): void
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

interface Line {
  wire: Duplex
  options: LineOptions
  isSerial: boolean
  /** The signs that arrived for the record that is being sent. */
  confirmations: Inbox<'ack' | 'nak'>
  /**
   * The sign that answered the last record. Before the first record it is NAK, so that the other side sends its record
   * (again).
   */
  answered: Sign
}

/** A line over an open wire. Never throws. */
export function line(wire: Duplex, options: LineOptions) {
  const { clock, framing, patience } = options
  const inTurn = oneAtATime(mayWait, 'lock-system-busy')
  const isSerial = framing !== 'tcp'
  const line: Line = { wire, options, isSerial, confirmations: inbox(clock), answered: 'nak' }
  const receive = (received: FiasReceived | Bytes) => take(line, received)
  listen<FiasReceived>(wire, frames(framing), clock, gapMs * patience, receive, () => {
    line.confirmations.end()
    options.gone()
  })
  return {
    /**
     * Sends a record in the form of `recordText`. On a serial line it resolves once the other side has acknowledged the
     * record, over TCP once the wire has accepted it. Rejects with NotSent, or with a DeviceFault when too many records
     * wait.
     */
    send: (text: string): Promise<void> =>
      inTurn(() => (isSerial ? sendSerial : sendPlain)(line, framed(options, text))),
    close: (): void => void wire.destroy(),
  }
}

function take(line: Line, received: FiasReceived | Bytes): void {
  const { page, receive, unread, doubted } = line.options
  if (received.kind === 'control') {
    if (received.word === 'enq') sign(line, line.answered)
    else line.confirmations.put(received.word)
  }
  if (received.kind === 'damaged') {
    sign(line, 'nak')
    unread?.(null)
  }
  if (received.kind !== 'message') return
  sign(line, 'ack')
  const { text, doubt } = page.decode(received.text)
  const record = readRecord(text)
  if (record && doubt) doubted?.(record, doubt)
  if (record) receive(record)
  else unread?.(text)
}

function sign(line: Line, word: Sign): void {
  const { wire, isSerial, confirmations } = line
  line.answered = word
  // The sign may follow a record that is being sent. When the other side accepts no bytes at all, no signs are
  // queued: it will ask for the last sign with ENQ.
  const accepts = !confirmations.ended && wire.writableLength <= 2 * longestRecord
  if (isSerial && accepts) wire.write(Uint8Array.of(signs[word]))
}

function framed({ page, framing }: LineOptions, text: string): Buffer {
  try {
    return frame(page.encode(text), framing)
  } catch (error) {
    throw new NotSent(`a record that cannot be sent: ${(error as Error).message}`, false)
  }
}

async function sendPlain({ wire, confirmations, options }: Line, bytes: Buffer): Promise<void> {
  const { clock, patience } = options
  if (confirmations.ended) throw new NotSent('the line is closed', false)
  const { left } = deadline(clock, takenMs * patience)
  // No record is queued behind bytes that the other side has not accepted: they would all be executed later.
  while (wire.writableLength > 0 && !confirmations.ended && left() > 0) await clock.sleep(20)
  if (confirmations.ended || wire.writableLength > 0) throw new NotSent('the line accepts no bytes', false)
  if ((await writeWithin(wire, bytes, Math.max(1, left()), clock)) === 'taken') return
  // The rest of the record could leave at any time while the line is open.
  wire.destroy()
  throw new NotSent('the line did not accept the whole record', true)
}

async function sendSerial(line: Line, bytes: Buffer): Promise<void> {
  for (let sent = 0; sent <= resends; sent++) {
    line.confirmations.empty()
    await sendPlain(line, bytes)
    const sign = await signOf(line)
    if (sign === 'ack') return
    if (sign !== 'nak') {
      line.wire.destroy()
      throw new NotSent('the record was not acknowledged', true)
    }
  }
  throw new NotSent(`the record was refused as damaged ${resends + 1} times`, false)
}

/** Waits for the sign of the last record. A missing sign does not cause a repetition: ENQ asks the other side for it. */
async function signOf({ wire, confirmations, options }: Line): Promise<'ack' | 'nak' | 'late' | 'gone'> {
  const within = signMs * options.patience
  let sign = await confirmations.next(within)
  for (let enquiry = 0; sign === 'late' && enquiry < enquiries; enquiry++) {
    if (confirmations.ended || wire.writableLength > 0) return 'gone'
    wire.write(Uint8Array.of(signs.enq))
    sign = await confirmations.next(within)
  }
  return sign
}
