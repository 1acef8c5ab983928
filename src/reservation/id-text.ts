/** SQL for an id as documents show it. */
export function idText(column: string): string {
  const part = (from: number, length: number) => `hex(substr(${column}, ${from}, ${length}))`
  return `lower(${[part(1, 4), part(5, 2), part(7, 2), part(9, 2), part(11, 6)].join(` || '-' || `)})`
}

/** SQL for the row of a table that has an id, which is to be bound as a UUID. */
export function ridOf(table: string): string {
  return `(SELECT rid FROM ${table} WHERE id = unhex(replace(?, '-', '')))`
}
