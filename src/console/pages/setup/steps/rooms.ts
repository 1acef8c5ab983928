/** A room as the box previews it. */
export interface Room {
  name: string
  unitType: string
  floor?: string | null
}

/** Enough of a file that is no text for the box to say so. */
const startOfOther = 4_096

/** The text of a file: UTF-16 with its mark, UTF-8, or what a spreadsheet on Windows saves. */
export function textOf(bytes: ArrayBuffer): string {
  const text = decoded(bytes)
  return text.includes('\0') ? text.slice(0, startOfOther) : text
}

function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Usual codes of room types with how many people fit in. */
const usual: Record<string, number> = {
  SGL: 1,
  DBL: 2,
  TWN: 2,
  TRP: 3,
  QUA: 4,
  FAM: 4,
  SUI: 4,
  STU: 2,
  APT: 4,
}
export const usualOccupancy = (code: string): number => usual[code] ?? 2
