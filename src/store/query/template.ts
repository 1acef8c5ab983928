/**
 * JSON text with SQL expressions between NUL characters, which JSON text cannot contain. Each expression yields
 * JSON text.
 */
export type Template = string

const mark = '\0'

/** Returns the place of an SQL expression in a template. */
export function slot(sql: string): Template {
  return `${mark}${sql}${mark}`
}

/**
 * Returns the SQL that yields a template's text. One call of `concat` is a third faster than nested calls of
 * `json_object`: SQLite forgets that the result of a subquery is JSON, so each object parsed those inside it again.
 */
export function filled(template: Template): string {
  const parts = template.split(mark).map((part, index) => (index % 2 === 1 ? part : quoted(part)))
  return `concat(${parts.filter((part) => part !== "''").join(', ')})`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
