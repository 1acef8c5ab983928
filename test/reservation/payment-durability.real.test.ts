import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { resources } from '../../src/composition/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { payment } from '../../src/reservation/resources/payment.ts'
import { reservation } from '../../src/reservation/resources/reservation.ts'
import { stay } from '../../src/reservation/resources/stay.ts'
import { openReader } from '../../src/store/connection.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { noScans } from '../../src/store/scan/scans.ts'
import { OpenWriter } from '../../src/store/writer/writer.ts'
import { program as entry } from '../program.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-payments-'))
const path = join(folder, 'store.db')
const keeper = join(import.meta.dirname, 'keeps-paying.ts')
after(() => rmSync(folder, { recursive: true }))

/** What a process said, line by line, before it was killed in the middle of its work. */
async function saidBeforeKill(lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [keeper, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  let killed = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (!killed && said.split('\n').length > lines) killed = child.kill('SIGKILL')
  })
  await once(child, 'close')
  assert.ok(killed, 'the process ended by itself')
  return said.split('\n').slice(0, -1)
}

it('no payment that was acknowledged before a kill is lost, and the balance counts every one that is kept', async () => {
  const [reservationId = '', stayId = '', ...acknowledged] = await saidBeforeKill(200)
  assert.ok(acknowledged.length > 150)

  const writer = new OpenWriter({ path, entry, clock: systemClock, lost: assert.fail })
  await writer.ready
  const db = openReader(path)
  const reader = openReading(db, resources, {
    version: () => writer.version(),
    clock: systemClock,
    scans: noScans,
  })
  assert.deepEqual(
    acknowledged.filter((id) => reader.idOf(payment, id) !== id),
    [],
  )
  const kept = db.prepare('SELECT count(*) FROM payment').pluck().get() as number
  assert.ok(kept >= acknowledged.length)
  for (const row of [reader.row(reservation, reservationId), reader.row(stay, stayId)]) {
    assert.deepEqual([row?.due, row?.paid, row?.outstanding], [1_000_000, kept, 1_000_000 - kept])
  }
  db.close()
  await writer.close()
})
