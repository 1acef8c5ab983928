import type { Deframer } from '../network/listening.ts'
import { exclusiveOr } from './exclusive-or.ts'
import { type PassedOver, sifting } from './sifting.ts'

/**
 * Packets that carry their length:
 *
 *   STX | address | length (2, high byte first) | payload | ETX | XOR of all bytes before
 *
 * There are control words between packets: one byte, followed by the address in some protocols. All of these bytes may
 * also occur inside a payload.
 */
interface PacketFormat<Word extends string> {
  stx: number
  etx: number
  address: AddressFormat
  /** The length of a payload, in bytes. */
  payload: { shortest: number; longest: number }
  /** The possible values of the first byte of a payload. Default: any value. */
  heads?: readonly number[]
  control: Readonly<Record<Word, number>>
  /**
   * Whether the address follows a control byte. A control byte without an address cannot be verified. It is therefore
   * accepted only when no byte was skipped before it, and never among noise or in the remains of a broken packet.
   */
  controlIsAddressed: boolean
  /** Whether the skipped bytes were a damaged packet. */
  isDamage(passedOver: PassedOver): boolean
}

/** How an address from 0 to 15 is encoded. */
interface AddressFormat {
  length: number
  write(address: number): readonly number[]
  /**
   * Null when the bytes are not an address. Bytes that have not arrived yet are left out; an incomplete address is not
   * null.
   */
  read(bytes: Iterable<number>): number | null
}

/** Two decimal digits in ASCII. */
export const twoDigits: AddressFormat = {
  length: 2,
  write: (address) => [0x30 + Math.floor(address / 10), 0x30 + (address % 10)],
  read([high = 0x30, low = 0x30]) {
    const [tens, ones] = [high - 0x30, low - 0x30]
    const address = tens * 10 + ones
    return tens >= 0 && ones >= 0 && ones <= 9 && address <= 15 ? address : null
  },
}

/** One byte. */
export const oneByte: AddressFormat = {
  length: 1,
  write: (address) => [address],
  read: ([address = 0]) => (address <= 15 ? address : null),
}

/**
 * What arrived on the line. A control word has an address where the protocol repeats it. The address of a damaged
 * packet is a guess, or null where there is none.
 */
export type ReceivedPacket<Word extends string> =
  | { kind: 'control'; word: Word; address?: number }
  | { kind: 'frame'; address: number; payload: Uint8Array }
  | { kind: 'damaged'; address: number | null }

interface FoundPacket {
  /** The offset of its STX. */
  at: number
  /** Null when the bytes cannot be an address. */
  address: number | null
  payload: Uint8Array
}

/** The framing of packets of this format. */
export function packetFraming<Word extends string>(format: PacketFormat<Word>) {
  const { stx, etx, address, payload, heads, controlIsAddressed, isDamage } = format
  const words = new Map((Object.keys(format.control) as Word[]).map((word) => [format.control[word], word]))
  const lengthAt = 1 + address.length
  const payloadAt = lengthAt + 2
  const around = payloadAt + 2
  const addressIn = (held: readonly number[]) => address.read(held.slice(1, lengthAt))

  function sizeOf(held: readonly number[], isClean: boolean): number | null {
    if (words.has(held[0]!)) return sizeOfControl(held, isClean)
    const [high = 0, low = payload.shortest, head = heads?.[0]] = held.slice(lengthAt)
    const length = high * 256 + low
    const fits = length >= payload.shortest && length <= payload.longest
    const begins = held[0] === stx && addressIn(held) !== null && (!heads || heads.includes(head!))
    return begins && fits ? length + around : null
  }

  function sizeOfControl(held: readonly number[], isClean: boolean): number | null {
    if (!controlIsAddressed) return isClean ? 1 : null
    return addressIn(held) === null ? null : lengthAt
  }

  function read(held: readonly number[]): ReceivedPacket<Word> | null {
    const word = words.get(held[0]!)
    if (word) return { kind: 'control', word, ...(controlIsAddressed && { address: addressIn(held)! }) }
    if (held.at(-2) !== etx || held.at(-1) !== exclusiveOr(held.slice(0, -1))) return null
    return { kind: 'frame', address: addressIn(held)!, payload: Uint8Array.from(held.slice(payloadAt, -2)) }
  }

  return {
    /** Encodes one packet. */
    frame(to: number, bytes: Uint8Array): Uint8Array {
      const body = [stx, ...address.write(to), bytes.length >> 8, bytes.length & 0xff, ...bytes, etx]
      return Uint8Array.from([...body, exclusiveOr(body)])
    },
    /** Encodes a control word. */
    control: (word: Word, to: number): Uint8Array =>
      Uint8Array.of(format.control[word], ...(controlIsAddressed ? address.write(to) : [])),
    /** Finds packets and control words in a stream. It buffers at most one packet. */
    deframer: (): Deframer<ReceivedPacket<Word>> =>
      sifting({
        stx,
        sizeOf,
        read,
        passedOver: (bytes) =>
          isDamage(bytes) ? { kind: 'damaged', address: address.read(bytes.behindStx) } : null,
      }),
    /**
     * Replaces the payloads in the bytes of a recording. `keep` is called wherever a packet may begin, so noise before a
     * packet does not protect it from masking; a payload ends at the latest where the bytes end. A valid packet stays
     * valid, and a damaged one stays damaged.
     */
    withPayloads(bytes: Uint8Array, keep: (found: FoundPacket) => Uint8Array): Uint8Array {
      const kept = Uint8Array.from(bytes)
      for (let at = bytes.indexOf(stx); at >= 0; at = bytes.indexOf(stx, at + 1)) {
        const from = at + payloadAt
        const length = (bytes[from - 2] ?? 0) * 256 + (bytes[from - 1] ?? 0)
        const payload = bytes.subarray(from, from + length)
        const found = { at, address: address.read(bytes.subarray(at + 1, at + lengthAt)), payload }
        replace(bytes, kept, { at, from, payload: keep(found) })
      }
      return kept
    },
  }
}

/** Replaces a payload by another of the same length, and corrects the check byte. */
function replace(
  bytes: Uint8Array,
  kept: Uint8Array,
  { at, from, payload }: { at: number; from: number; payload: Uint8Array },
): void {
  const end = from + payload.length
  // A byte that is hidden stays hidden, even if a packet seems to begin inside another packet.
  payload.forEach((byte, index) => {
    if (byte !== bytes[from + index]) kept[from + index] = byte
  })
  const [was, is] = [bytes.subarray(at, end + 1), kept.subarray(at, end + 1)]
  if (end + 1 >= bytes.length || Buffer.compare(was, is) === 0) return
  const isSound = bytes[end + 1] === exclusiveOr(was)
  kept[end + 1] = exclusiveOr(is) ^ (isSound ? 0 : 0xff)
}
