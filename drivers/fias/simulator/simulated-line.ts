import type { Duplex } from 'node:stream'
import { inbox } from '../../../src/devices/inbox.ts'
import { listen } from '../../../src/devices/network/listening.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { codePage } from '../code-page.ts'
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
export interface SimulatedLine {
  /** Sends records, all in one piece. On a serial line each record waits for its sign, and is repeated after a NAK. */
  send(...texts: string[]): void
  /** Sends one record in two pieces, the second a moment later. */
  sendSplit(text: string): void
  /** Sends bytes as they are. */
  raw(bytes: Uint8Array): void
  close(): void
}

const page = codePage('windows-1252')
const signMs = 3_000

/** Simulates one end of a wire. */
export function simulatedLine(
  wire: Duplex,
  framing: Framing,
  manners: SerialManners,
  { clock, receive, gone }: { clock: Clock; receive(record: FiasRecord): void; gone(): void },
): SimulatedLine {
  const confirmations = inbox<'ack' | 'nak'>(clock)
  const isSerial = framing !== 'tcp'
  let answered: Sign = 'nak'
  let sending: Promise<void> = Promise.resolve()

  listen<FiasReceived>(wire, frames(framing), clock, 2_000, take, () => {
    confirmations.end()
    gone()
  })

  function take(received: FiasReceived | { kind: 'bytes' }): void {
    if (received.kind === 'control') {
      if (received.word === 'enq') raw(Uint8Array.of(signs[answered]))
      else confirmations.put(received.word)
    }
    if (received.kind === 'damaged') sign('nak')
    if (received.kind !== 'message') return
    if (isSerial && manners.naks > 0) {
      manners.naks--
      sign('nak')
      return
    }
    if (isSerial && manners.unacknowledged > 0) {
      manners.unacknowledged--
      answered = 'ack'
    } else sign('ack')
    const record = readRecord(page.decode(received.text))
    if (record) receive(record)
  }

  function sign(word: Sign): void {
    answered = word
    if (isSerial) raw(Uint8Array.of(signs[word]))
  }

  function raw(bytes: Uint8Array): void {
    if (!wire.destroyed && wire.writable) wire.write(bytes)
  }

  const framed = (text: string) => frame(page.encode(text), framing)

  async function inSteps(bytes: Buffer): Promise<void> {
    for (let tries = 0; tries < 4; tries++) {
      confirmations.empty()
      raw(bytes)
      if ((await confirmations.next(signMs)) !== 'nak') return
    }
  }

  return {
    send(...texts) {
      const all = texts.map(framed)
      if (!isSerial) raw(Buffer.concat(all))
      else for (const bytes of all) sending = sending.then(() => inSteps(bytes))
    },
    sendSplit(text) {
      const bytes = framed(text)
      const half = bytes.length >> 1
      raw(bytes.subarray(0, half))
      clock.setTimeout(() => raw(bytes.subarray(half)), 20)
    },
    raw,
    close: () => void wire.destroy(),
  }
}
