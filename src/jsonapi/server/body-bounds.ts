/**
 * What a body may have. Its time costs every other request: an object with 80,000 members takes half a second to check, and
 * 250,000 empty objects fit into the bytes of the largest body. The largest body of the interfaces in use, an import of a
 * hundred reservations or a setup of two thousand rooms, has a third of these values.
 */
export const bodyBounds = { depth: 32, values: 50_000, members: 1_000 } as const

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the first bound that a JSON text exceeds; null when it keeps to all of them. It reads the bytes once and creates no
 * values, so it is called before the text is parsed. Of a text that is not JSON the result means nothing.
 */
export function exceededBound(json: Uint8Array): keyof typeof bodyBounds | null {
  // For each open array or object, the number of commas in it; for an array below zero, because only members are limited.
  const commas = new Int32Array(bodyBounds.depth + 1)
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === quote) at = endOfText(json, at)
    else if (byte === comma) {
      if (++values > bodyBounds.values) return 'values'
      if (++commas[depth]! >= bodyBounds.members) return 'members'
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > bodyBounds.depth) return 'depth'
      if (++values > bodyBounds.values) return 'values'
      commas[depth] = byte === openBrace ? 0 : -bodyBounds.values
    } else if ((byte === closeBrace || byte === closeBracket) && depth > 0) depth--
  }
  return null
}

/** Returns where the quote is that ends the text which begins at `at`. */
function endOfText(json: Uint8Array, at: number): number {
  let end = at + 1
  while (end < json.length && json[end] !== quote) end += json[end] === backslash ? 2 : 1
  return end
}
