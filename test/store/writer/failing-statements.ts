import Database, { type Statement } from 'better-sqlite3'
import type { Connection } from '../../../src/store/connection.ts'

/** Which statements of a connection fail, counted from its first. */
export interface Fault {
  from: number
  /** The first that succeeds again. */
  until: number
  /** What SQLite reports. */
  code: string
  /** Whether SQLite rolls back the whole transaction, as it does for a full disk and for a read that failed. */
  rollsBack: boolean
}

/** A real connection, whose statements fail as those of SQLite do. `ran` counts them. */
export function failingConnection(db: Connection, fault: Fault | null) {
  let ran = 0

  function fails(): void {
    ran++
    if (!fault || ran < fault.from || ran >= fault.until) return
    if (fault.rollsBack && db.inTransaction) db.exec('ROLLBACK')
    throw new Database.SqliteError(`statement ${ran} failed`, fault.code)
  }

  const statement = (made: Statement): Statement => {
    const proxy: Statement = new Proxy(made, {
      get(_, name) {
        const value = Reflect.get(made, name)
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => {
          if (['run', 'get', 'all'].includes(String(name))) fails()
          const result = value.apply(made, values)
          return result === made ? proxy : result
        }
      },
    })
    return proxy
  }

  const connection = new Proxy(db, {
    get(_, name) {
      if (name === 'prepare') return (sql: string) => statement(db.prepare(sql))
      const value = Reflect.get(db, name)
      return typeof value === 'function' ? value.bind(db) : value
    },
  })
  return { connection, ran: () => ran }
}
