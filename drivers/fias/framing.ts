import type { Deframer } from '../../src/devices/listening.ts'

/**
 * A record between STX and ETX. Over TCP that is all; on a serial line one check byte may follow, and each record is
 * answered by ACK or NAK, which ENQ asks to hear again.
 *
 *   STX  record …  ETX  [LRC]        LRC: XOR of all bytes after STX, ETX included
 */
export type Framing = 'tcp' | 'serial' | 'serial-lrc'

export type Heard =
  | { kind: 'record'; record: Buffer }
  /** A record that did not come through whole. */
  | { kind: 'broken' }
  | { kind: 'ack' | 'nak' | 'enq' }

export const longestRecord = 2_000

export const stx = 0x02
export const etx = 0x03
export const enq = 0x05
export const ack = 0x06
export const nak = 0x15

const signs: Partial<Record<number, 'ack' | 'nak' | 'enq'>> = { [ack]: 'ack', [nak]: 'nak', [enq]: 'enq' }

/** The bytes of one record on the wire. Throws a RangeError for one that cannot be framed. */
export function frame(record: Uint8Array, framing: Framing): Buffer {
  if (record.length > longestRecord) throw new RangeError(`a record has at most ${longestRecord} bytes`)
  if (record.includes(stx) || record.includes(etx)) throw new RangeError('a record holds neither STX nor ETX')
  const check = framing === 'serial-lrc' ? [lrc(record)] : []
  return Buffer.concat([Uint8Array.of(stx), record, Uint8Array.of(etx, ...check)])
}

/** XOR of the record and of the ETX behind it. Any value, also that of a control character. */
export function lrc(record: Uint8Array): number {
  return record.reduce((sum, byte) => sum ^ byte, etx)
}

/**
 * Finds records in a stream of bytes, in pieces of any size. The check byte is read by its place, for it may look like
 * anything. An STX always begins a record: what stood before it was not whole.
 */
export function frames(framing: Framing): Deframer<Heard> {
  const record = Buffer.alloc(longestRecord)
  let at: 'outside' | 'inside' | 'check' = 'outside'
  let length = 0
  let tooLong = false

  return {
    get restless() {
      return at !== 'outside'
    },
    push(chunk) {
      const heard: Heard[] = []
      for (const byte of chunk) {
        const said = next(byte)
        if (said) heard.push(...said)
      }
      return heard
    },
    quiet() {
      if (at === 'outside') return []
      at = 'outside'
      return [{ kind: 'broken' }]
    },
  }

  function next(byte: number): Heard[] | null {
    if (at === 'check') return [ended(byte === lrc(record.subarray(0, length)))]
    if (byte === stx) return begun()
    if (at === 'outside') return sign(byte)
    if (byte !== etx) {
      if (length < longestRecord) record[length++] = byte
      else tooLong = true
      return null
    }
    if (framing !== 'serial-lrc') return [ended(true)]
    at = 'check'
    return null
  }

  function begun(): Heard[] | null {
    const cutOff = at === 'inside'
    at = 'inside'
    length = 0
    tooLong = false
    return cutOff ? [{ kind: 'broken' }] : null
  }

  function ended(isIntact: boolean): Heard {
    at = 'outside'
    if (!isIntact || tooLong) return { kind: 'broken' }
    return { kind: 'record', record: Buffer.from(record.subarray(0, length)) }
  }

  function sign(byte: number): Heard[] | null {
    const kind = framing === 'tcp' ? undefined : signs[byte]
    return kind ? [{ kind }] : null
  }
}
