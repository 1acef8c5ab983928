/** The XOR of all bytes, 0 for none: the check byte of most serial protocols. */
export function exclusiveOr(bytes: Iterable<number>): number {
  let sum = 0
  for (const byte of bytes) sum ^= byte
  return sum
}
