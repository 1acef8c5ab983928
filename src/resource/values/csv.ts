/** Returns a line of CSV (RFC 4180) without its end. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(cell).join(',')
}

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
