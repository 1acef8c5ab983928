import { encode } from 'uqr'

/** A QR code as an SVG path of its dark modules, in a square of `size` units. */
export interface QrPath {
  size: number
  path: string
}

/**
 * Returns the QR code of a text. This module imports nothing of the pages, so it is a file of its own, and the first screens of all pages
 * stay in as few files as before.
 */
export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { border: 3 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: dark.join('') }
}
