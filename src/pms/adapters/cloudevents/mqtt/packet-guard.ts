import type { Socket } from 'node:net'

/**
 * Closes a connection when the other side starts an MQTT packet above the announced limit, before the packet is
 * buffered. It only observes the stream, which the parser reads as well.
 */
export function guardPackets(socket: Socket, largest: number): void {
  let header = true
  let length = 0
  let digits = 0
  let left = 0

  function refuse(what: string): void {
    socket.destroy(Object.assign(new Error(`the broker sent ${what}`), { code: 'ERR_PACKET' }))
  }

  /** The length of a packet follows its first byte: seven bits in each byte, the lowest bits first. */
  function lengthDigit(byte: number): void {
    length += (byte & 0x7f) * 128 ** digits
    digits++
    if (byte < 0x80) left = length
    else if (digits === 4) refuse('a packet whose length cannot be read')
    if (left > largest) refuse(`a packet of ${left} bytes; ${largest} are accepted`)
    if (byte < 0x80) [header, length, digits] = [left === 0, 0, 0]
  }

  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; ) {
      if (left > 0) {
        const passed = Math.min(left, chunk.length - at)
        left -= passed
        at += passed
        header = left === 0
      } else if (header) {
        header = false
        at++
      } else {
        lengthDigit(chunk[at] ?? 0)
        at++
      }
    }
  })
}
