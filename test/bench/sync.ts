import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sync as changes, plain, shapeOf } from '../../src/composition/api.ts'
import { openStore } from '../../src/composition/open-store.ts'
import { systemClock } from '../../src/host/clock.ts'
import { pmsConfiguration } from '../../src/pms/resources/pms-configuration.ts'
import { takePage } from '../../src/pms/sync/inbound/pull.ts'
import { linked } from '../../src/pms/sync/loop/linked.ts'
import type { SharedReservation } from '../../src/pms/sync/shared-reservation.ts'
import type { ReservationChange } from '../../src/pms/sync-contract.ts'
import { reservation } from '../../src/reservation/resources/reservation.ts'
import { openWritingConnection } from '../../src/store/connection.ts'
import { statementsOf } from './statements-of.ts'

/**
 * How many reservations that a PMS reports are on the disk in a second: all of them new, then all changed, then all reported
 * again unchanged, while the desk reads and changes another one. Plain SQL stores the same documents in the same pages. The
 * ratios are of CPU time, because other programs share the machine. At the end, the statements that each kind takes are counted
 * in one thread: `node test/bench/sync.ts [count]`. The last line is a `Measured` as JSON.
 */
const count = Number(process.argv[2] ?? 4096)
const pageSize = 256
const now = Date.UTC(2026, 6, 1, 12)
const kinds = ['new', 'changed', 'unchanged'] as const

function reported(at: number, round: number): SharedReservation {
  const day = (offset: number) => new Date(now + offset * 86_400_000).toISOString().slice(0, 10)
  const from = 1 + (at % 300)
  const nights = 1 + (at % 5)
  return {
    externalId: `R${at}`,
    channel: 'Direct',
    stays: [
      {
        externalId: `S${at}`,
        status: round === 1 && at % 10 === 0 ? 'Canceled' : 'Confirmed',
        startDate: day(from),
        endDate: day(from + nights + (round === 1 && at % 3 === 0 ? 1 : 0)),
        personCount: { adults: 2 },
        units: [{ unitTypeCode: ['SGL', 'DBL', 'FAM'][at % 3]!, unitName: null }],
        reservationIds: [{ type: 'Confirmation', value: `C-${at}` }],
        amount: { currency: 'EUR', amountWithTax: 100 * nights + round },
        guests: [
          {
            externalId: `G${at}`,
            role: 'PrimaryGuest',
            firstName: 'Anna',
            lastName: `Kern${at}`,
            emails: [{ address: `anna${at}@example.com` }],
            phoneNumbers: [{ number: '+351912345678' }],
          },
        ],
        comment: `Round ${round}.`,
      },
    ],
  }
}

type Reported = ReservationChange & { value: SharedReservation }

/** The changes of a round in pages. In the last round each reservation is in a new revision in which nothing differs. */
function pagesOf(round: number, from = 0, many = count): Reported[][] {
  const pages: Reported[][] = []
  for (let first = from; first < from + many; first += pageSize) {
    const size = Math.min(pageSize, from + many - first)
    pages.push(
      Array.from({ length: size }, (_, index) => ({
        is: 'reservation' as const,
        externalId: `R${first + index}`,
        revision: round + 1,
        changedAt: now,
        value: reported(first + index, Math.min(round, 1)),
      })),
    )
  }
  return pages
}

/** The same members in tables as the appliance has them: without rules, search, journal and revisions. */
const plainTables = `CREATE TABLE reservation (rid INTEGER PRIMARY KEY, externalId TEXT UNIQUE, revision INTEGER, document TEXT) STRICT;
  CREATE TABLE stay (rid INTEGER PRIMARY KEY, externalId TEXT UNIQUE, reservation INTEGER, status TEXT, startDate TEXT, endDate TEXT,
    amount TEXT, comment TEXT) STRICT;
  CREATE INDEX stay_reservation ON stay (reservation);
  CREATE INDEX stay_dates ON stay (startDate, endDate);
  CREATE TABLE guest (rid INTEGER PRIMARY KEY, externalId TEXT UNIQUE, stay INTEGER, firstName TEXT, lastName TEXT, emails TEXT) STRICT;
  CREATE INDEX guest_name ON guest (lastName);
  CREATE TABLE number (stay INTEGER, type TEXT, value TEXT, PRIMARY KEY (stay, type)) STRICT;
  CREATE INDEX number_value ON number (value)`

/** Documents a second that SQL alone stores in pages of the same size, as safely on the disk. */
function plainSql(folder: string, name: string): number {
  const db = openWritingConnection(join(folder, name))
  db.exec(plainTables)
  const upsert = (table: string, columns: string, key = 'externalId') => {
    const names = columns.split(' ')
    const sets = names.map((each) => `${each} = excluded.${each}`)
    return db
      .prepare(
        `INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')}) ON CONFLICT (${key}) DO UPDATE SET ${sets} RETURNING rowid`,
      )
      .pluck()
  }
  const reservations = upsert('reservation', 'externalId revision document')
  const stays = upsert('stay', 'externalId reservation status startDate endDate amount comment')
  const guests = upsert('guest', 'externalId stay firstName lastName emails')
  const numbers = upsert('number', 'stay type value', 'stay, type')
  const pages = [0, 1, 2].flatMap((round) => pagesOf(round))
  const cpu = process.cpuUsage()
  for (const page of pages) {
    db.exec('BEGIN IMMEDIATE')
    for (const { externalId, revision, value } of page) {
      const owner = reservations.get(externalId, revision, JSON.stringify(value))
      for (const stay of value.stays) {
        const { status, startDate, endDate, amount, comment } = stay
        const money = JSON.stringify(amount)
        const rid = stays.get(stay.externalId, owner, status, startDate, endDate, money, comment)
        for (const each of stay.guests ?? [])
          guests.get(each.externalId, rid, each.firstName, each.lastName, JSON.stringify(each.emails))
        for (const { type, value: number } of stay.reservationIds ?? []) numbers.get(rid, type, number)
      }
    }
    db.exec('COMMIT')
  }
  const { user, system } = process.cpuUsage(cpu)
  db.close()
  return (3 * count * 1e6) / (user + system)
}

const p99 = (waits: number[]) => waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)]!.toFixed(1)

/** What one run came to; ratios of the CPU time of plain SQL, by kind of report. */
export interface Measured {
  ratios: Record<(typeof kinds)[number], number>
  /** SQL statements for one report. */
  statements: Record<(typeof kinds)[number], number>
}

async function measured(folder: string): Promise<Measured['ratios']> {
  const entry = new URL('../../src/nightporter.js', import.meta.url)
  const store = await openStore({ data: folder }, entry, { ...systemClock, now: () => now })
  await store.ready
  const { writer, reader } = store.store
  const actor = { by: 'bench', requestId: null }
  const create = async (type: string, attributes: Record<string, unknown>) =>
    (await writer.execute(plain.create, { type, attributes }, { actor })).id
  await create('settings', {
    timeZone: 'Europe/Lisbon',
    checkInTime: '15:00',
    checkOutTime: '11:00',
    country: 'PT',
  })
  const configurationId = await create('pms-configuration', { name: 'PMS', adapter: 'standalone' })
  for (const code of ['SGL', 'DBL', 'FAM']) await create('unit-type', { code, name: code, maxOccupancy: 4 })
  await writer.execute(changes.openLink, { configurationId, lends: false }, { actor })
  const link = linked({
    configuration: reader.row(pmsConfiguration, configurationId)!,
    reader,
    writer,
    changes,
    feed: { after: () => ({ events: [], last: 0, more: false }) },
    sessionOf: () => {
      throw new Error('nothing is fetched')
    },
    isOver: () => false,
    failed: (error) => console.error(error),
  })

  const sql = [plainSql(folder, 'plain-before.db')]
  const rates: number[] = []
  const waits = { reads: [] as number[], writes: [] as number[] }
  const mine = await create('reservation', { status: 'Tentative' })
  let isOver = false
  const again = async (into: number[], pauseMs: number, work: (at: number) => Promise<unknown>) => {
    for (let at = 0; !isOver; at++) {
      const asked = performance.now()
      await pause(pauseMs)
      await work(at)
      into.push(performance.now() - asked - pauseMs)
    }
  }
  const beside = [
    again(waits.reads, 2, async () => reader.document(reservation, mine, shapeOf(reservation))),
    again(waits.writes, 10, (at) =>
      writer.execute(
        plain.patch,
        { type: 'reservation', id: mine, attributes: { comment: `${at}` } },
        { actor },
      ),
    ),
  ]
  for (const [round, kind] of kinds.entries()) {
    const pages = pagesOf(round)
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    for (const [at, page] of pages.entries())
      await takePage(link, { changes: page, refused: [], cursor: `${round}.${at}`, more: true })
    const seconds = (performance.now() - started) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    rates.push((count * 1e6) / (user + system))
    console.log(
      `${kind.padEnd(9)} ${Math.round(count / seconds)} /s, ${Math.round(rates.at(-1)!)} in a second of CPU time`,
    )
  }
  isOver = true
  await Promise.all(beside)
  sql.push(plainSql(folder, 'plain-after.db'))
  const [before, after] = sql as [number, number]
  const bare = (before + after) / 2
  console.log(`plain SQL ${Math.round(before)} and ${Math.round(after)} documents in a second of CPU time`)
  const ratios = byKind((at) => rates[at]! / bare)
  console.log(`${kinds.map((kind) => `${kind} ${ratios[kind].toFixed(3)}`).join(', ')} of plain SQL`)
  console.log(`beside it: GET p99 ${p99(waits.reads)} ms, PATCH p99 ${p99(waits.writes)} ms`)
  const { counts } = link
  console.log(JSON.stringify(counts))
  await store.close()
  return ratios
}

function byKind(value: (at: number) => number): Measured['ratios'] {
  return Object.fromEntries(kinds.map((kind, at) => [kind, value(at)])) as Measured['ratios']
}

const folder = mkdtempSync(join(tmpdir(), 'nightporter-bench-sync-'))
try {
  const ratios = await measured(folder)
  const statements = byKind((round) => statementsOf(folder, pagesOf(round, count, pageSize).flat()))
  for (const kind of kinds) console.log(`${kind}: ${statements[kind].toFixed(1)} statements`)
  console.log(JSON.stringify({ ratios, statements } satisfies Measured))
} finally {
  rmSync(folder, { recursive: true })
}
