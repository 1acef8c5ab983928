import type { Clock } from '../host/clock.ts'
import type { Scratch } from '../resource/keeper.ts'
import type { Observers } from '../resource/observer.ts'
import type { Resources } from '../resource/path.ts'
import { type Connection, openScratchConnection } from './connection.ts'
import { reader } from './reader.ts'
import { type ShapeOf, transactions } from './writer/transaction.ts'

interface ScratchOptions {
  path: string
  resources: Resources
  shapeOf: ShapeOf
  observers: Observers
  clock: Clock
  /** A number that changes with every write to the store itself. */
  version(): number
}

/** Nothing in a trial reads the journal, which may have millions of lines. */
const startsEmpty: readonly string[] = ['journal']
const writing = /\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(\w+)/

/** A command writes to a table that has no copy yet. */
class NotCopied extends Error {
  readonly table: string

  constructor(table: string) {
    super(`${table} has no copy in the scratch store`)
    this.table = table
  }
}

/**
 * Opens a scratch store on the database at `path`, which stays as it is and can be written meanwhile. A table is copied to memory
 * before the first write to it; all other tables are read where they are. Its reader has no scans: it throws for a page that needs one.
 */
export function openScratch({
  path,
  resources,
  shapeOf,
  observers,
  clock,
  version,
}: ScratchOptions): Scratch {
  const db = openScratchConnection(path)
  const copied = new Set<string>()
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    const [, table] = writing.exec(sql) ?? []
    if (table !== undefined && !copied.has(table)) throw new NotCopied(table)
    return prepare(sql)
  }) as Connection['prepare']
  const tools = transactions(db, resources, shapeOf, observers)
  let written = 0

  /** Runs a command to its end, anew for each table that it is the first to write. */
  function run<Output>(work: () => Output, keeps: boolean): Output {
    for (;;) {
      db.exec('BEGIN')
      try {
        const output = work()
        db.exec(keeps ? 'COMMIT' : 'ROLLBACK')
        if (!keeps) tools.rolledBack()
        written++
        return output
      } catch (error) {
        if (db.inTransaction) db.exec('ROLLBACK')
        tools.rolledBack()
        if (!(error instanceof NotCopied)) throw error
        copy(db, error.table)
        copied.add(error.table)
      }
    }
  }

  return {
    reader: reader(db, resources, { version: () => version() + written, clock, scans: { take: noScan } }),
    writer: {
      async execute({ run: command }, input, { actor, dryRun }) {
        // The commands run in this thread: other requests are answered between them.
        await new Promise((resolve) => setImmediate(resolve))
        return run(() => command(tools.begin(clock.now(), actor), structuredClone(input)), dryRun !== true)
      },
    },
    close: () => db.close(),
  }
}

function noScan(): never {
  throw new Error('a scratch store has no scans')
}

/** Copies a table with its indexes. A table of the temporary schema is found before the one of its name in the file. */
function copy(db: Connection, table: string): void {
  const declared = db
    .prepare(
      'SELECT type, name, sql FROM main.sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC',
    )
    .all(table) as { type: string; name: string; sql: string }[]
  for (const { type, name, sql } of declared)
    db.exec(sql.replace(new RegExp(`^(CREATE (?:UNIQUE )?${type})\\s+"?${name}"?`, 'i'), `$1 temp.${name}`))
  if (startsEmpty.includes(table)) return
  const columns = (db.pragma(`main.table_info(${table})`) as { name: string }[])
    .map(({ name }) => name)
    .join()
  db.exec(`INSERT INTO temp.${table} (${columns}) SELECT ${columns} FROM main.${table}`)
}
