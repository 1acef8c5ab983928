import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Connection, openWritingConnection } from '../../src/store/connection.ts'

const repeats = 500

/**
 * Microseconds of the bare statements behind one durable create: a reservation, a stay and its three parts, copied from
 * the ones there are, one commit each.
 */
export function rawCreate(data: string): number {
  const db = openWritingConnection(join(data, 'nightporter.db'))
  const insert = copier(db)
  const one = db.transaction(insert)
  for (let index = 0; index < repeats; index++) one()
  const started = performance.now()
  for (let index = 0; index < repeats; index++) one()
  const took = ((performance.now() - started) * 1000) / repeats
  db.close()
  return took
}

function copier(db: Connection): () => void {
  const statement = (table: string, by: string) => {
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[]
    const row = db.prepare(`SELECT * FROM ${table} WHERE ${by} = ?`)
    const write = db.prepare(
      `INSERT INTO ${table} (${columns}) VALUES (${columns.map((name) => `@${name}`)})`,
    )
    return { row, write }
  }
  const last = (table: string) => db.prepare(`SELECT max(rid) FROM ${table}`).pluck().get() as number
  let [reservation, stay] = [last('reservation'), last('stay')]
  const tables = [
    { ...statement('reservation', 'rid'), from: reservation },
    { ...statement('stay', 'rid'), from: stay },
    ...['stay_unit', 'stay_reservation_id', 'stay_profile'].map((table) => ({
      ...statement(table, 'owner'),
      from: stay,
    })),
  ].map(({ row, write, from }) => ({ write, values: row.get(from) as Record<string, unknown> }))
  const [main, below, ...parts] = tables
  return () => {
    reservation++
    stay++
    main!.write.run({ ...main!.values, rid: reservation, id: randomBytes(16) })
    below!.write.run({ ...below!.values, rid: stay, id: randomBytes(16), reservationId: reservation })
    for (const { write, values } of parts) write.run({ ...values, owner: stay })
  }
}
