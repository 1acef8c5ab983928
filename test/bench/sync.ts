import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plain, shapeOf, sync } from '../../src/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { openStore } from '../../src/open-store.ts'
import { pmsActor } from '../../src/pms/pms-actor.ts'
import type { SharedReservation } from '../../src/pms/sync/shared-reservation.ts'
import { reservation } from '../../src/reservation/resources/reservation.ts'

/**
 * How many changes of a PMS are taken in a second, first all of them new and then each in two further revisions, while
 * somebody reads one reservation after the other: `node test/bench/sync.ts [count]`.
 */
const count = Number(process.argv[2] ?? 4000)
const outstanding = 128
const entry = new URL('../../src/nightporter.js', import.meta.url)
const data = mkdtempSync(join(tmpdir(), 'nightporter-bench-sync-'))
const now = Date.UTC(2026, 6, 1, 12)
const store = await openStore({ data }, entry, { ...systemClock, now: () => now })
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
for (const code of ['SGL', 'DBL', 'FAM']) {
  const unitTypeId = await create('unit-type', { code, name: code, maxOccupancy: 4 })
  for (let at = 0; at < 40; at++) await create('unit', { name: `${code}${at}`, unitTypeId, status: 'Clean' })
}
const by = { actor: { by: pmsActor(configurationId), requestId: null }, patient: true }
const policy = {
  dates: 'Pms',
  guests: 'Pms',
  rates: 'Pms',
  services: 'Pms',
  units: 'Pms',
  comments: 'Pms',
  status: 'Local',
  payments: 'Local',
} as const

function value(at: number, round: number): SharedReservation {
  const day = (offset: number) => new Date(now + offset * 86_400_000).toISOString().slice(0, 10)
  const from = 1 + (at % 300)
  const nights = 1 + (at % 5)
  return {
    externalId: `R${at}`,
    channel: 'Direct',
    stays: [
      {
        externalId: `S${at}`,
        status: round === 2 && at % 10 === 0 ? 'Canceled' : 'Confirmed',
        startDate: day(from),
        endDate: day(from + nights + (round > 0 && at % 3 === 0 ? 1 : 0)),
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

const waits: number[] = []
let isOver = false
async function readOn(): Promise<void> {
  for (let at = 0; !isOver; at++) {
    const asked = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 2))
    const started = performance.now()
    const [row] = reader.rows(reservation, {
      filters: [{ path: 'externalId', operator: 'eq', value: `R${at % count}` }],
      sort: [],
      page: { size: 1 },
    })
    if (row) reader.document(reservation, row.id, shapeOf(reservation))
    waits.push(performance.now() - started + Math.max(0, started - asked - 2))
  }
}

async function round(number: number): Promise<void> {
  let next = 0
  const started = performance.now()
  const cpu = process.cpuUsage()
  const one = async () => {
    while (next < count) {
      const at = next++
      const change = {
        is: 'reservation' as const,
        externalId: `R${at}`,
        revision: number + 1,
        changedAt: now,
        value: value(at, number),
      }
      await writer.execute(
        sync.applyUpstreamChange,
        { configurationId, policy, direction: 'Both', change },
        by,
      )
    }
  }
  await Promise.all(Array.from({ length: outstanding }, one))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const each = Math.round((user + system) / count)
  console.log(`round ${number}: ${Math.round(count / seconds)} changes/s, ${each} us of CPU each`)
}

const reading = readOn()
for (const number of [0, 1, 2]) await round(number)
isOver = true
await reading
waits.sort((a, b) => a - b)
console.log(
  `local reads: ${waits.length}, p50 ${waits[waits.length >> 1]!.toFixed(2)} ms, p99 ${waits[Math.floor(waits.length * 0.99)]!.toFixed(2)} ms`,
)
await store.close()
rmSync(data, { recursive: true })
