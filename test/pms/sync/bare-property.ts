import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { observers, plain, resources, shapeOf, sync } from '../../../src/composition/api.ts'
import type { Command } from '../../../src/resource/command.ts'
import { openWritingConnection } from '../../../src/store/connection.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { transactions } from '../../../src/store/writer/transaction.ts'

/** A property with a PMS in a store without a thread: each command is a transaction, or is cut off before its commit. */
export function openBareProperty(start: number) {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-bare-'))
  const path = join(folder, 'nightporter.db')
  let db = openWritingConnection(path)
  migrate(db, path)
  let tools = transactions(db, resources, shapeOf, observers)
  let now = start
  const run = <Input, Output>(
    command: Command<Input, Output>,
    input: Input,
    { by = 'desk', isCut = false } = {},
  ): Output => {
    db.exec('BEGIN IMMEDIATE')
    let isWhole = false
    try {
      const output = command.run(tools.begin(now, { by, requestId: null }), input)
      isWhole = !isCut
      return output
    } finally {
      db.exec(isWhole ? 'COMMIT' : 'ROLLBACK')
      if (!isWhole) tools.rolledBack()
    }
  }
  const create = (type: string, attributes: Record<string, unknown>) =>
    run(plain.create, { type, attributes }).id
  create('settings', {
    timeZone: 'Europe/Lisbon',
    checkInTime: '15:00',
    checkOutTime: '11:00',
    country: 'PT',
  })
  const configurationId = create('pms-configuration', { name: 'PMS', adapter: 'standalone' })
  for (const [code, names] of Object.entries({ SGL: [], DBL: ['101', '102', '103'] })) {
    const unitTypeId = create('unit-type', { code, name: code, maxOccupancy: 4 })
    for (const name of names) create('unit', { name, unitTypeId, status: 'Clean' })
  }
  run(sync.openLink, { configurationId, lends: false })
  return {
    get db() {
      return db
    },
    run,
    create,
    configurationId,
    /** The program ends and begins again: only what is on the disk is left. */
    restart() {
      db.close()
      db = openWritingConnection(path)
      tools = transactions(db, resources, shapeOf, observers)
    },
    elapse(ms: number) {
      now += ms
    },
    close() {
      db.close()
      rmSync(folder, { recursive: true })
    },
  }
}
