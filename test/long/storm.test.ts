import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { monday } from '../appliance.ts'
import { seed } from '../seed.ts'
import {
  type Aftermath,
  expectNoNightOverbooked,
  expectNoUnitHeldTwice,
  expectOneGuestInAUnit,
  expectPaymentsAsAcknowledged,
  expectThere,
  lookAround,
} from './storm/aftermath.ts'
import { type Connection, connect } from './storm/connection.ts'
import type { Guest } from './storm/guest.ts'
import { furnish, type StormHouse } from './storm/house.ts'
import { ledger as emptyLedger, type Ledger, numbers } from './storm/ledger.ts'
import { rage } from './storm/rage.ts'

const requests = Number(process.env.STORM_REQUESTS ?? 2_000)
const guestsAtOnce = 72

const program = fileURLToPath(new URL('../access/appliance-process.ts', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'nightporter-storm-'))
let daemon: ChildProcess | undefined

async function boot(now: number): Promise<Connection> {
  daemon = spawn(process.execPath, [program, data, String(now)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(daemon.stdout!, 'data')
  return connect(String(line).trim())
}

async function kill(): Promise<void> {
  if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) return
  daemon.kill('SIGKILL')
  await once(daemon, 'exit')
}

let ledger: Ledger
let house: StormHouse
let connection: Connection
let left: Aftermath

before(async () => {
  const most = { quota: 1_000_000, seconds: 60 }
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify({ rateLimits: { read: most, write: most } }))
  connection = await boot(monday)
  house = await furnish(connection)
  ledger = emptyLedger()
  // Some guests of the sample property have paid before they arrive.
  for (const { id, attributes } of (await lookAround(connection)).payments)
    ledger.paid.set(id, { reservationId: attributes.reservationId, amount: attributes.amount })
  const everybodys: Guest['everybodys'] = []
  const guests = Array.from({ length: guestsAtOnce }, (_, index) => ({
    connection: connect(connection.base),
    house,
    ledger,
    random: numbers(seed * 1_000 + index),
    name: `G${index}`,
    booked: [],
    everybodys,
  }))
  await rage(guests, requests)
  await kill()
  for (const guest of guests) guest.connection.close()
  connection.close()
  connection = await boot(monday + 1_000)
  left = await lookAround(connection)
})
after(async () => {
  connection?.close()
  await kill()
  rmSync(data, { recursive: true, force: true })
})

describe(`${requests} requests at once, and the power goes with the last answer (TEST_SEED=${seed})`, () => {
  it('are all answered as the interface says', (t) => {
    for (const [outcome, count] of [...ledger.outcomes].toSorted()) t.diagnostic(`${outcome} × ${count}`)
    assert.deepEqual(ledger.strange, [])
  })

  it('are of every kind, done and refused', () => {
    const done = (name: string, outcome: string) => ledger.outcomes.get(`${name}: ${outcome}`) ?? 0
    assert.ok(done('create a reservation', '201') > 50)
    assert.ok(done('create a reservation', '422 no-eligible-unit') > 0)
    assert.ok(done('check in', '204') > 3)
    assert.ok(done('assign a unit', '200') > 10)
    assert.ok(done('pay a part of a stay', '201') > 10)
    assert.ok(done('pay and check out', '204') > 0)
  })

  it('leave everything that was acknowledged', () => expectThere(connection, ledger))

  it('leave no unit with two stays at a moment', () => expectNoUnitHeldTwice(left))

  it('leave one guest at most in a unit, and say of it that he is there', () => expectOneGuestInAUnit(left))

  it('leave no night sold more often than there are units', () =>
    expectNoNightOverbooked(connection, left, house))

  it('leave the payments that were acknowledged, and reservations that add them up', () =>
    expectPaymentsAsAcknowledged(left, ledger))

  it('leave one thing for each key, however often it was asked for', () => {
    for (const [key, ids] of ledger.repeated) assert.equal(ids.size, 1, key)
  })
})
