/** The contrast that a text needs with its paper by WCAG 2.2, level AA. */
export const textContrast = 4.5

/** Returns the contrast of a colour, `#14595f`, with white by WCAG 2.2: 1 for white, 21 for black. */
export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** Returns the light of a channel of sRGB, from 0 to 1. */
function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
