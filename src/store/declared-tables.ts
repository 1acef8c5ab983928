import type { Field, Fields } from '../resource/field.ts'
import type { Resources } from '../resource/path.ts'
import type { Resource } from '../resource/resource.ts'

/**
 * Returns the SQL that creates the tables and indexes of a resource. A migration contains this text, and the
 * tests compare it with the database.
 */
export function tablesOf(resources: Resources, resource: Resource): string[] {
  const columns = Object.entries(resource.fields).filter(([, field]) => isColumn(field))
  const main = create(resource.table, [
    'rid INTEGER PRIMARY KEY',
    'id BLOB NOT NULL UNIQUE',
    'createdAt INTEGER NOT NULL',
    'updatedAt INTEGER NOT NULL',
    'revision INTEGER NOT NULL',
    ...columns.map(([name, field]) => columnOf(resources, name, field)),
  ])
  return [main, ...partTables(resources, resource), ...indexesOf(resource)]
}

function partTables(resources: Resources, resource: Resource): string[] {
  return Object.values(resource.fields as Fields).flatMap(({ kind, table, members, options }) => {
    if (kind !== 'parts' || !table) return []
    const columns = Object.entries(members ?? {}).filter(([, member]) => isColumn(member))
    const sql = create(
      table,
      [
        `owner INTEGER NOT NULL REFERENCES ${resource.table} (rid)`,
        'position INTEGER NOT NULL',
        ...columns.map(([name, field]) => columnOf(resources, name, field)),
        ...columns.flatMap(([, field]) => generatedFor(field)),
        'PRIMARY KEY (owner, position)',
      ],
      'STRICT, WITHOUT ROWID',
    )
    const indexes = ((options as { indexes?: readonly string[] }).indexes ?? []).map(
      (column) => `CREATE INDEX ${table}_${column} ON ${table} (${column}) WHERE ${column} IS NOT NULL;`,
    )
    return [sql, ...indexes]
  })
}

function indexesOf(resource: Resource): string[] {
  const unique = Object.entries(resource.fields)
    .filter(([, { options }]) => options.unique)
    .map(([name]) => `CREATE UNIQUE INDEX ${resource.table}_${name} ON ${resource.table} (${name});`)
  const declared = resource.indexes.map(({ fields, unique, where }) => {
    const name = `${resource.table}_${fields.join('_')}`
    const condition = where ? ` WHERE ${where}` : ''
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${resource.table} (${fields.join(', ')})${condition};`
  })
  return [...unique, ...declared]
}

function create(table: string, lines: string[], kind = 'STRICT'): string {
  return `CREATE TABLE ${table} (\n  ${lines.join(',\n  ')}\n) ${kind};`
}

function columnOf(resources: Resources, name: string, { column, options, to }: Field): string {
  const target = to ? ` REFERENCES ${resources.get(to)!.table} (rid)` : ''
  return `${name} ${column}${options.required ? ' NOT NULL' : ''}${target}`
}

/** The column that filters compare instead of that of the field. The writer does not know it. */
function generatedFor({ column, options: { comparedBy } }: Field): string[] {
  return comparedBy ? [`${comparedBy.column} ${column} GENERATED ALWAYS AS (${comparedBy.sql}) VIRTUAL`] : []
}

function isColumn({ kind, options }: Field): boolean {
  return kind !== 'parts' && !options.computed
}
