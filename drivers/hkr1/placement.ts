import { recordBytes } from './record.ts'

/** Where the 48 bytes of a record lie on a card that has accepted the login. */
export interface Placement {
  /**
   * `sealed`: only the appliance can write here. `unsealed`: a place that does not have the appliance's keys yet, and
   * that no door reads. `none`: a card without keys.
   */
  guard: 'sealed' | 'unsealed' | 'none'
  /** The number of bytes in one write. */
  cellBytes: 4 | 16
  read(): Promise<Uint8Array>
  /** Called before a write: creates the place on a card that has none yet. Does nothing elsewhere. */
  prepare(): Promise<void>
  writeCell(index: number, data: Uint8Array): Promise<void>
  /**
   * Called before the record becomes valid: protects an open place with the appliance's keys and logs in with them.
   * Does nothing elsewhere.
   */
  seal(): Promise<void>
}

/**
 * Writes a record to a card. The cell with the magic is the one that makes a record valid: it is zeroed first and
 * written last, so that an interruption at any point leaves no valid record. `held` is the current content of the
 * place.
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

/** Zeroes a record, beginning with the cell that makes it valid. The card's keys stay. */
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
