import { recordBytes } from './record.ts'

/** Where the 48 bytes of a record lie on a card that has let us in. */
export interface Placement {
  /**
   * `sealed`: nobody but us can write here. `unsealed`: a place that still awaits our keys, where no door looks.
   * `none`: a card without keys.
   */
  guard: 'sealed' | 'unsealed' | 'none'
  /** How many bytes the card takes at once. */
  cellBytes: 4 | 16
  read(): Promise<Uint8Array>
  /** Before anything is written: makes the place where a card has none yet; nothing elsewhere. */
  prepare(): Promise<void>
  writeCell(index: number, data: Uint8Array): Promise<void>
  /** Before the record becomes one: closes an open place with our keys and logs in with them; nothing elsewhere. */
  seal(): Promise<void>
}

/**
 * Puts a record on a card. The cell with the magic is the only one that makes a record: it is zeroed first and
 * written last, so that a tear at any point leaves a record that nobody accepts. `held` is what the place holds.
 */
export async function writeRecord(place: Placement, record: Uint8Array, held: Uint8Array): Promise<void> {
  const [first, ...others] = cells(place, record)
  const isClear = held.subarray(0, place.cellBytes).every((byte) => byte === 0)
  await place.prepare()
  if (!isClear) await place.writeCell(0, new Uint8Array(place.cellBytes))
  for (const [index, cell] of others.entries()) await place.writeCell(index + 1, cell)
  await place.seal()
  await place.writeCell(0, first!)
}

/** Zeroes a record, the cell that makes it valid first. The card's keys stay. */
export async function clearRecord(place: Placement): Promise<void> {
  await place.prepare()
  for (const [index, cell] of cells(place, new Uint8Array(recordBytes)).entries()) {
    await place.writeCell(index, cell)
  }
}

function cells({ cellBytes }: Placement, record: Uint8Array): Uint8Array[] {
  return Array.from({ length: recordBytes / cellBytes }, (_, index) =>
    record.slice(index * cellBytes, (index + 1) * cellBytes),
  )
}
