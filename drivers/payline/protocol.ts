import type { TerminalOrder } from '../../src/devices/payment-terminal.ts'

/** The requests of the protocol. `withinMs`: how long an answer may take; null for as long as the guest needs. */
export const requests = {
  pay: { withinMs: null },
  ask: { withinMs: 5_000 },
  cancel: { withinMs: 5_000 },
} as const
export type RequestName = keyof typeof requests

/** A request on the wire, one line of JSON. `ask` and `cancel` name the reference. */
export interface PaylineRequest {
  id: number
  pay?: TerminalOrder
  ask?: string
  cancel?: string
}

/** The longest line that is read, in characters. */
export const longestLine = 4_096

/** Calls `heard` with each whole line that arrives. A longer line than `longestLine` is dropped. */
export function lineSplitter(heard: (line: string) => void): (chunk: Buffer) => void {
  const text = new TextDecoder()
  let rest = ''
  return (chunk) => {
    // A chunk may end in the middle of a character.
    rest += text.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = (lines.pop() ?? '').slice(-longestLine)
    for (const line of lines) heard(line)
  }
}
