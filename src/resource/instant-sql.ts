/** Returns the SQL of the text of an instant that a column contains as Unix milliseconds. */
export function instantText(column: string): string {
  return `(replace(datetime(${column} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')`
}
