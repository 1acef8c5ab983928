import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { resources } from '../../src/composition/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { unitType } from '../../src/reservation/resources/unit-type.ts'
import { openReader } from '../../src/store/connection.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { noScans } from '../../src/store/scan/scans.ts'
import { OpenWriter } from '../../src/store/writer/writer.ts'
import { program as entry } from '../program.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-durability-'))
const path = join(folder, 'store.db')
const keeper = join(import.meta.dirname, 'keeps-creating.ts')
after(() => rmSync(folder, { recursive: true }))

/** The ids that a process acknowledged before it was killed in the middle of its work. */
async function acknowledgedBy(count: number): Promise<string[]> {
  const child = spawn(process.execPath, [keeper, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  let killed = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (!killed && said.split('\n').length > count) killed = child.kill('SIGKILL')
  })
  await once(child, 'close')
  assert.ok(killed, 'the process ended by itself')
  return said.split('\n').slice(0, -1)
}

it('loses nothing that was acknowledged before a kill', async () => {
  const acknowledged: string[] = []
  for (const count of [5, 60, 300]) acknowledged.push(...(await acknowledgedBy(count)))
  assert.ok(acknowledged.length >= 365)

  const writer = new OpenWriter({ path, entry, clock: systemClock, lost: assert.fail })
  await writer.ready
  const db = openReader(path)
  const reader = openReading(db, resources, {
    version: () => writer.version(),
    clock: systemClock,
    scans: noScans,
  })
  assert.deepEqual(
    acknowledged.filter((id) => reader.idOf(unitType, id) !== id),
    [],
  )
  db.close()
  await writer.close()
})
