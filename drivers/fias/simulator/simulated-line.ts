import type { Duplex } from 'node:stream'
import { type Inbox, inbox } from '../../../src/devices/inbox.ts'
import { type Bytes, listen } from '../../../src/devices/network/listening.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { type CodePage, codePage } from '../code-page.ts'
import { type FiasReceived, type Framing, frame, frames, type Sign, signs } from '../framing.ts'
import { type FiasRecord, readRecord } from '../record.ts'

/** How the other side of a serial line misbehaves; each number counts down. */
export interface SerialManners {
  /** The number of records that it refuses as damaged. */
  naks: number
  /** The number of records that it accepts and acknowledges only after ENQ. */
  unacknowledged: number
}

/** The other end of a line, for simulators. It does not wait for a partner that does not answer. */
export type SimulatedLine = ReturnType<typeof simulatedLine>

const signMs = 3_000

interface End {
  wire: Duplex
  page: CodePage
  framing: Framing
  manners: SerialManners
  receive(record: FiasRecord): void
  confirmations: Inbox<'ack' | 'nak'>
  /** The sign that answered the last record. */
  answered: Sign
}

interface LineSetup {
  clock: Clock
  page?: CodePage
  receive(record: FiasRecord): void
  gone(): void
}

/** Simulates one end of a wire. */
export function simulatedLine(
  wire: Duplex,
  framing: Framing,
  manners: SerialManners,
  { clock, page = codePage('windows-1252'), receive, gone }: LineSetup,
) {
  const end: End = { wire, page, framing, manners, receive, confirmations: inbox(clock), answered: 'nak' }
  let sending: Promise<void> = Promise.resolve()
  const received = (sound: FiasReceived | Bytes) => take(end, sound)
  listen<FiasReceived>(wire, frames(framing), clock, 2_000, received, () => {
    end.confirmations.end()
    gone()
  })
  const framed = (text: string) => frame(page.encode(text), framing)

  return {
    /** Sends records, all in one piece. On a serial line each record waits for its sign, and is repeated after a NAK. */
    send(...texts: string[]): void {
      const all = texts.map(framed)
      if (!isSerial(end)) raw(end, Buffer.concat(all))
      else for (const bytes of all) sending = sending.then(() => sendSerial(end, bytes))
    },
    /** Sends one record in two pieces, the second a moment later. */
    sendSplit(text: string): void {
      const bytes = framed(text)
      const half = bytes.length >> 1
      raw(end, bytes.subarray(0, half))
      clock.setTimeout(() => raw(end, bytes.subarray(half)), 20)
    },
    /** Sends bytes as they are. */
    raw: (bytes: Uint8Array): void => raw(end, bytes),
    close: (): void => void wire.destroy(),
  }
}

function isSerial({ framing }: End): boolean {
  return framing !== 'tcp'
}

function take(end: End, received: FiasReceived | Bytes): void {
  const { manners, confirmations } = end
  if (received.kind === 'control') {
    if (received.word === 'enq') raw(end, Uint8Array.of(signs[end.answered]))
    else confirmations.put(received.word)
  }
  if (received.kind === 'damaged') sign(end, 'nak')
  if (received.kind !== 'message') return
  if (isSerial(end) && manners.naks > 0) {
    manners.naks--
    sign(end, 'nak')
    return
  }
  if (isSerial(end) && manners.unacknowledged > 0) {
    manners.unacknowledged--
    end.answered = 'ack'
  } else sign(end, 'ack')
  const record = readRecord(end.page.decode(received.text).text)
  if (record) end.receive(record)
}

function sign(end: End, word: Sign): void {
  end.answered = word
  if (isSerial(end)) raw(end, Uint8Array.of(signs[word]))
}

function raw({ wire }: End, bytes: Uint8Array): void {
  if (!wire.destroyed && wire.writable) wire.write(bytes)
}

async function sendSerial(end: End, bytes: Buffer): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    end.confirmations.empty()
    raw(end, bytes)
    if ((await end.confirmations.next(signMs)) !== 'nak') return
  }
}
