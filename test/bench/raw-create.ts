import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Connection, openWritingConnection } from '../../src/store/connection.ts'

const repeats = 512

/** What one raw create takes. */
export interface RawCreate {
  perSecond: number
  /** Microseconds of CPU. */
  cpu: number
}

/**
 * Runs the bare statements behind a durable create: a reservation, a stay and its three parts, copied from the
 * ones there are, `group` of them in each commit.
 */
export function rawCreate(data: string, group: number): RawCreate {
  const db = openWritingConnection(join(data, 'nightporter.db'))
  const insert = copier(db)
  const commit = db.transaction(() => {
    for (let index = 0; index < group; index++) insert()
  })
  const run = () => {
    for (let made = 0; made < repeats; made += group) commit()
  }
  run()
  const [started, used] = [performance.now(), process.cpuUsage()]
  run()
  const took = performance.now() - started
  const { user, system } = process.cpuUsage(used)
  db.close()
  const made = Math.ceil(repeats / group) * group
  return { perSecond: (made * 1000) / took, cpu: (user + system) / made }
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
