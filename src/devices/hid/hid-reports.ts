import { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { deadline, inbox } from '../inbox.ts'
import { listen } from '../network/listening.ts'
import { encodeHid, type HidMessage, hidMessages, kinds } from './hid-messages.ts'

/** A device that communicates in feature reports, without a stream. The first byte of a report is its id. */
export interface FeatureReports {
  /**
   * Sends a report. Rejects with an Error when the device did not accept it; whether the device acted on it is then
   * unknown.
   */
  set(report: Uint8Array): Promise<void>
  /** Reads the current report. Rejects with an Error when the device returned none. */
  get(id: number, length: number): Promise<Uint8Array>
  /** Releases the device. Resolves once that is done. Called once; never rejects. */
  close(): Promise<void>
}

/**
 * A wire to a device of feature reports, which answers the requests of `reportLine` one after the other. Its `destroy`
 * closes the device; the wire emits `close` when that is done.
 */
export function reportWire(device: FeatureReports): Duplex {
  const frames = hidMessages()
  const wire = new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      answerAll(frames.push(chunk)).then(() => done(), done)
    },
    final(done) {
      done()
      wire.destroy()
    },
    destroy(error, done) {
      device.close().then(() => done(error))
    },
  })
  // Without a listener, an `error` event ends the process. The device may disappear before its driver listens or after
  // the driver has stopped.
  wire.on('error', () => {})
  return wire

  async function answerAll(questions: HidMessage[]): Promise<void> {
    for (const question of questions) {
      const answer = await answerOf(device, question)
      if (!wire.destroyed) wire.push(encodeHid({ tag: question.tag, ...answer }))
    }
  }
}

async function answerOf(
  device: FeatureReports,
  { kind, content }: HidMessage,
): Promise<Omit<HidMessage, 'tag'>> {
  const none = new Uint8Array(0)
  try {
    if (kind === kinds.set) await device.set(content)
    if (kind === kinds.set) return { kind: kinds.done, content: none }
    const [id = 0, low = 0, high = 0] = content
    if (kind === kinds.get) return { kind: kinds.report, content: await device.get(id, low | (high << 8)) }
    return { kind: kinds.failed, content: Buffer.from('the request is not for a report') }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { kind: kinds.failed, content: Buffer.from(words.slice(0, 200)) }
  }
}

/** The result of a request: `late` when no answer came in time, `gone` when none will ever come. */
export type ReportAnswer<Value> = { value: Value } | { failed: string } | 'late' | 'gone'

export type ReportLine = ReturnType<typeof reportLine>

/** A partial message that has not grown for this long will not be completed. */
const gapMs = 1_000

/** Exchanges feature reports over a wire: that of a HID device, or one to a simulator. */
export function reportLine(wire: Duplex, clock: Clock) {
  const received = inbox<HidMessage>(clock)
  let tag = 0
  listen(wire, hidMessages(), clock, gapMs, receive, () => received.end())

  function receive(sound: HidMessage | { kind: 'bytes' }): void {
    if (sound.kind !== 'bytes') received.put(sound)
  }

  async function ask(
    kind: number,
    content: Uint8Array,
    withinMs: number,
  ): Promise<HidMessage | 'late' | 'gone'> {
    const { left } = deadline(clock, withinMs)
    // No request is queued behind bytes that were not accepted: they would all be executed later.
    while (wire.writableLength > 0 && !received.ended && left() > 0) await clock.sleep(Math.min(10, left()))
    if (received.ended || wire.destroyed) return 'gone'
    if (wire.writableLength > 0) return 'late'
    tag = (tag + 1) & 0xff
    wire.write(encodeHid({ tag, kind, content }))
    for (;;) {
      const answer = await received.next(left())
      if (answer === 'late' || answer === 'gone') return answer
      if (answer.tag === tag) return answer
      if (left() <= 0) return 'late'
    }
  }

  return {
    /** Sends one request at a time. The deadline, in ms, includes the sending. */
    async set(report: Uint8Array, withinMs: number): Promise<ReportAnswer<true>> {
      return outcome(await ask(kinds.set, report, withinMs), kinds.done, () => true as const)
    },
    async get(id: number, length: number, withinMs: number): Promise<ReportAnswer<Uint8Array>> {
      const content = Uint8Array.of(id, length & 0xff, length >>> 8)
      return outcome(await ask(kinds.get, content, withinMs), kinds.report, (value) => value)
    },
    get gone(): boolean {
      return received.ended || wire.destroyed
    },
    close(): void {
      received.end()
      wire.destroy()
    },
  }
}

function outcome<Value>(
  answer: HidMessage | 'late' | 'gone',
  wanted: number,
  read: (content: Uint8Array) => Value,
): ReportAnswer<Value> {
  if (answer === 'late' || answer === 'gone') return answer
  if (answer.kind === wanted) return { value: read(answer.content) }
  return {
    failed:
      answer.kind === kinds.failed
        ? Buffer.from(answer.content).toString()
        : 'the answer belongs to another request',
  }
}
