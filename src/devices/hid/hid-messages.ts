import type { Deframer } from '../network/listening.ts'

/**
 * Feature reports over a stream of bytes: the requests of the appliance to a HID device, and their results. Every request
 * has exactly one answer, which repeats its tag, so that a late answer is not taken for that of another request.
 *
 *   48 52  tag  kind  length(2, low byte first)  content
 *
 *   >  01 set  report, its id first         <  81 done    nothing
 *   >  02 get  id length(2)                 <  82 report  the report, its id first
 *                                           <  ff failed  why, in words
 */
export const kinds = { set: 0x01, get: 0x02, done: 0x81, report: 0x82, failed: 0xff } as const

export interface HidMessage {
  kind: number
  tag: number
  content: Uint8Array
}

export const mark = [0x48, 0x52] as const
export const headLength = 6
/**
 * More than any report has: the length of a report is two bytes in USB, but real HID reports have some hundred bytes.
 */
export const longest = 1_024

/** Encodes a message: a mark, the tag, the kind, the length in two bytes and the content. */
export function encodeHid({ tag, kind, content }: HidMessage): Buffer {
  const head = Buffer.from([...mark, tag, kind, content.length & 0xff, content.length >>> 8])
  return Buffer.concat([head, content])
}

/** Finds the messages in a stream, and skips all other bytes one by one. */
export function hidMessages(): Deframer<HidMessage> {
  let held = Buffer.alloc(0)

  return {
    push(chunk) {
      held = Buffer.concat([held, chunk])
      const found: HidMessage[] = []
      for (;;) {
        const start = held.indexOf(mark[0])
        held = start < 0 ? Buffer.alloc(0) : held.subarray(start)
        if (held.length < headLength) return found
        const length = held.readUInt16LE(4)
        if (held[1] !== mark[1] || !knownKinds.has(held[3]!) || length > longest) {
          held = held.subarray(1)
          continue
        }
        if (held.length < headLength + length) return found
        const content = Uint8Array.from(held.subarray(headLength, headLength + length))
        found.push({ tag: held[2]!, kind: held[3]!, content })
        held = held.subarray(headLength + length)
      }
    },
    quiet() {
      held = Buffer.alloc(0)
      return []
    },
    get restless() {
      return held.length > 0
    },
  }
}

const knownKinds: ReadonlySet<number> = new Set(Object.values(kinds))
