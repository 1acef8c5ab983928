import type { Deframer } from '../network/listening.ts'

/** How the things in a stream of bytes are told from noise, and from one another. */
interface Sifted<Heard> {
  /**
   * How many bytes what begins with these will have, as far as can be told; null when nothing begins so. It `isClean` when
   * no byte was passed over since the last thing made out.
   */
  sizeOf(held: readonly number[], isClean: boolean): number | null
  /** What so many bytes are; null when they are not what they seemed to be. */
  read(held: readonly number[]): Heard | null
  /** What the bytes amount to that were passed over until the line fell quiet; null for nothing. */
  passedOver(bytes: PassedOver): Heard | null
  /** The first byte of what the passed over bytes may have been. */
  stx: number
}

/** Bytes that belong to nothing, in a row. */
export interface PassedOver {
  count: number
  /** How many of them from the first STX on; 0 where there is none. */
  begun: number
  /** The bytes behind that STX, two at most. */
  behindStx: readonly number[]
}

const none: PassedOver = { count: 0, begun: 0, behindStx: [] }

/** Finds things in a stream, in pieces of any size, holding at most the longest one; passes over noise byte by byte. */
export function sifting<Heard>({ stx, sizeOf, read, passedOver }: Sifted<Heard>): Deframer<Heard> {
  let held: number[] = []
  let dropped = none

  return {
    push(chunk) {
      const heard: Heard[] = []
      for (const byte of chunk) {
        held.push(byte)
        sift(heard)
      }
      return heard
    },
    quiet() {
      const heard: Heard[] = []
      while (held.length > 0) {
        drop()
        sift(heard)
      }
      const amount = passedOver(dropped)
      if (amount) heard.push(amount)
      dropped = none
      return heard
    },
    get restless() {
      return held.length > 0 || dropped.count > 0
    },
  }

  function sift(heard: Heard[]): void {
    while (held.length > 0) {
      const size = sizeOf(held, dropped.count === 0)
      if (size !== null && held.length < size) return
      const thing = size === null ? null : read(held.slice(0, size))
      if (size === null || thing === null) drop()
      else {
        heard.push(thing)
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
