/** The units of each type that the PMS sells, by code. */
export type UnitsByType = Readonly<Record<string, readonly string[]>>

/** The units of the sample property. */
export const sampleUnits = 'SGL:101-110,DBL:201-216,FAM:301-310,STE:401-404'

/** Parses `CODE:FIRST-LAST,CODE:FIRST-LAST`; a code alone is a type without units. Null for an invalid text. */
export function unitsIn(text: string): UnitsByType | null {
  const found: Record<string, string[]> = {}
  for (const part of text.split(',')) {
    const [, code, first, last = first] = /^([^:,\s]{1,30})(?::(\d{1,6})(?:-(\d{1,6}))?)?$/.exec(part) ?? []
    if (code === undefined) return null
    const count = first === undefined ? 0 : Number(last) - Number(first) + 1
    if (count < 0 || count > 2_000) return null
    found[code] = Array.from({ length: count }, (_, at) => String(Number(first) + at))
  }
  return found
}
