/** Returns the SQL of a UUID's 16 bytes; the text of the UUID is bound, or is an SQL expression. */
export function uuidBytes(text = '?'): string {
  return `unhex(replace(${text}, '-', ''))`
}

/** Returns the SQL of the row number for an id that is bound as text; null without the row. */
export function ridOf(table: string): string {
  return `(SELECT rid FROM ${table} WHERE id = ${uuidBytes()})`
}

/** Returns the SQL of the text of a UUID that a column contains as bytes. */
export function uuidText(column: string): string {
  const part = (start: number, length: number) => `hex(substr(${column},${start},${length}))`
  return `lower(concat_ws('-', ${part(1, 4)}, ${part(5, 2)}, ${part(7, 2)}, ${part(9, 2)}, ${part(11, 6)}))`
}
