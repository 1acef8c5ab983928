import type { Connection } from '../../src/store/connection.ts'

/** Tables of reservations made without profiles of their own, by what their row numbers are shifted with. */
const tables = {
  reservation: { rid: 'reservation' },
  stay: { rid: 'stay', reservationId: 'reservation' },
  stay_unit: { owner: 'stay' },
  stay_reservation_id: { owner: 'stay' },
  stay_profile: { owner: 'stay' },
} as const

const texts = new Set([
  'reservation.externalId',
  'stay.externalId',
  'stay_reservation_id.value',
  'stay_reservation_id.searchForm',
])

/**
 * Adds copies of every reservation whose externalId begins with `bench-`: rows, parts and indexes as the change writes
 * them, in a tenth of its time. Numbers that tell reservations apart get the copy's number behind them.
 */
export function repeatRows(db: Connection, copies: number): void {
  const first = {
    reservation: firstAndCount(db, 'reservation'),
    stay: firstAndCount(db, 'stay'),
  }
  for (let copy = 1; copy <= copies; copy++) {
    db.transaction(() => {
      for (const [table, shifted] of Object.entries(tables)) {
        const names = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[]
        const values = names.map((name) => {
          const by = (shifted as Record<string, keyof typeof first>)[name]
          if (by) return `${name} + ${copy * first[by].count}`
          if (name === 'id' && 'rid' in shifted) return freshId(copy)
          return texts.has(`${table}.${name}`) ? `${name} || '-${copy}'` : name
        })
        const key = 'rid' in shifted ? 'rid' : 'owner'
        const { from, count } = first[table === 'reservation' ? 'reservation' : 'stay']
        const range = `${key} BETWEEN ${from} AND ${from + count - 1}`
        db.exec(
          `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} WHERE ${range} ORDER BY ${key}`,
        )
      }
    })()
  }
}

function firstAndCount(db: Connection, table: string): { from: number; count: number } {
  const sql = `SELECT min(rid) AS "from", count(*) AS count FROM ${table} WHERE externalId LIKE 'bench-%'`
  return db.prepare(sql).get() as { from: number; count: number }
}

/** A UUID of version 7 whose time is a minute later for every copy. */
function freshId(copy: number): string {
  return `CAST(unhex(printf('%012x', createdAt + ${copy * 60_000})) || substr(id, 7) AS BLOB)`
}
