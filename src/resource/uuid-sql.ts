/** SQL for the 16 bytes that a column keeps of a UUID, whose text is bound or stands in another column. */
export function uuidBytes(text = '?'): string {
  return `unhex(replace(${text}, '-', ''))`
}

/** SQL for the number of the row whose id is bound as text; null without one. */
export function ridOf(table: string): string {
  return `(SELECT rid FROM ${table} WHERE id = ${uuidBytes()})`
}

/** SQL for the text of a UUID that a column keeps as bytes. */
export function uuidText(column: string): string {
  const part = (start: number, length: number) => `hex(substr(${column},${start},${length}))`
  return `lower(${[part(1, 4), part(5, 2), part(7, 2), part(9, 2), part(11, 6)].join("||'-'||")})`
}
