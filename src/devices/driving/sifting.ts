import type { Deframer } from '../network/listening.ts'

/** The frames of one protocol in a stream of bytes. */
interface Sifted<Received> {
  /**
   * The length in bytes of the frame that begins with these bytes, as far as it is known; null when no frame begins so.
   * `isClean` is true when no byte was skipped since the last frame.
   */
  sizeOf(held: readonly number[], isClean: boolean): number | null
  /** Decodes a frame of that length; null when the bytes are not a frame after all. */
  read(held: readonly number[]): Received | null
  /** What the skipped bytes mean, once the line is quiet; null for nothing. */
  passedOver(bytes: PassedOver): Received | null
  /** The first byte of the frame that the skipped bytes may have been. */
  stx: number
}

/** A run of bytes that belong to no frame. */
export interface PassedOver {
  count: number
  /** How many of them there are from the first STX on; 0 without an STX. */
  begun: number
  /** The bytes after that STX, two at most. */
  behindStx: readonly number[]
}

const none: PassedOver = { count: 0, begun: 0, behindStx: [] }

/**
 * Finds frames in a stream that arrives in pieces of any size, and skips noise byte by byte. It buffers at most the
 * longest frame.
 */
export function sifting<Received>({ stx, sizeOf, read, passedOver }: Sifted<Received>): Deframer<Received> {
  let held: number[] = []
  let dropped = none

  return {
    push(chunk) {
      const received: Received[] = []
      for (const byte of chunk) {
        held.push(byte)
        sift(received)
      }
      return received
    },
    quiet() {
      const received: Received[] = []
      while (held.length > 0) {
        drop()
        sift(received)
      }
      const amount = passedOver(dropped)
      if (amount) received.push(amount)
      dropped = none
      return received
    },
    get restless() {
      return held.length > 0 || dropped.count > 0
    },
  }

  function sift(received: Received[]): void {
    while (held.length > 0) {
      const size = sizeOf(held, dropped.count === 0)
      if (size !== null && held.length < size) return
      const thing = size === null ? null : read(held.slice(0, size))
      if (size === null || thing === null) drop()
      else {
        received.push(thing)
        held = held.slice(size)
        dropped = none
      }
    }
  }

  function drop(): void {
    const { count, begun, behindStx } = dropped
    const isFirst = begun === 0 && held[0] === stx
    dropped = {
      count: count + 1,
      begun: begun > 0 || isFirst ? begun + 1 : 0,
      behindStx: isFirst ? held.slice(1, 3) : behindStx,
    }
    held.shift()
  }
}
