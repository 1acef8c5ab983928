import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/host/clock.ts'
import { serveHttp } from '../../src/pms/adapters/cloudevents/simulator/http-server.ts'
import { simulatedPms } from '../../src/pms/adapters/cloudevents/simulator/simulated-pms.ts'
import { unitsIn } from '../../src/pms/adapters/cloudevents/simulator/units.ts'
import type { SharedReservation } from '../../src/pms/sync/shared-reservation.ts'
import { askAt, type Reply } from '../appliance.ts'
import { noLimits } from '../no-limits.ts'
import { type Counted, ceilingOf, measures } from './work/ceilings.ts'
import type { Work } from './work/probe.ts'

/**
 * What requests and commands cost at most, counted and not timed: the real program, from source, with a probe in each of its threads.
 * The flight recorder is off: it writes by the clock, not by the request.
 * `npm run test:long -- work` prints the table.
 */
const probe = new URL('./work/probe.ts', import.meta.url)
const program = fileURLToPath(new URL('../../src/nightporter.js', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'nightporter-work-'))
/** How long is waited for what follows an answer: events and the search index. */
const settlesMs = 120
const pms = simulatedPms({ clock: systemClock, units: unitsIn('FAM:301-306')! })
let child: ChildProcess
let url: string
let pmsServer: Awaited<ReturnType<typeof serveHttp>>

before(async () => {
  writeFileSync(
    join(data, 'nightporter.json'),
    JSON.stringify({ rateLimits: noLimits, recorderMegabytes: 0 }),
  )
  pmsServer = await serveHttp(pms, { port: 0, clock: systemClock })
  child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: `--import=${probe.href}` },
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  url = /http:\S+/.exec(line)![0]
  child.stdout!.resume()
})
after(async () => {
  child.disconnect()
  child.kill('SIGTERM')
  await once(child, 'exit')
  await pmsServer.close()
  rmSync(data, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await askAt(url, method, path, body === undefined ? {} : { body })
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
  return reply
}

async function told<T>(what: 'begin' | 'end'): Promise<T> {
  const answer = once(child, 'message')
  child.send(what)
  return (await answer)[0] as T
}

/** Frames of the database's log that are in use; each is a page and its header. */
function logFrames(): number {
  return readFileSync(join(data, 'nightporter.db-shm')).readUInt32LE(16)
}

const frameBytes = 1024 + 24

/** What one piece of work costs. */
async function countedOnce(work: () => Promise<unknown>): Promise<Counted> {
  await pause(settlesMs)
  await told('begin')
  const frames = logFrames()
  await work()
  await pause(settlesMs)
  const counted = await told<Work>('end')
  return { ...counted, logBytes: Math.max(0, logFrames() - frames) * frameBytes }
}

const rows: [name: string, counted: Counted][] = []

/**
 * Does a piece of work until it costs no more than it may, six times at most: on a busy machine more goes on by the clock beside
 * it. `ready` goes before each. Fails with the counts that are too great.
 */
async function within(name: string, work: () => Promise<unknown>, ready = async () => {}): Promise<Counted> {
  const all: Counted[] = []
  do {
    await ready()
    all.push(await countedOnce(work))
  } while (tooMuch(name, all.at(-1)!).length > 0 && all.length < 6)
  const least = all.toSorted(
    (a, b) => tooMuch(name, a).length - tooMuch(name, b).length || a.calls - b.calls,
  )[0]!
  rows.push([name, least])
  assert.deepEqual(tooMuch(name, least), [], name)
  return least
}

/** The counts that are greater than a piece of work may cost, such as "41 statements, 37 at most". */
function tooMuch(name: string, counts: Counted): string[] {
  const limits = ceilingOf(name)
  return measures
    .filter((measure) => counts[measure] > limits[measure])
    .map((measure) => `${counts[measure]} ${measure}, ${limits[measure]} at most`)
}

const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)
let number = 0
const aStay = () => ({
  startDate: day(0),
  endDate: day(2),
  status: 'Confirmed',
  personCount: { adults: 2 },
  units: [{ unitTypeId: facts.unitTypeId }],
  reservationIds: [{ type: 'Confirmation', value: `WORK-${++number}` }],
  externalId: `work-stay-${number}`,
  amount: { currency: 'EUR', amountWithTax: 327 },
  profiles: [{ id: facts.profileId, role: 'PrimaryGuest' }],
})
const facts = { unitTypeId: '', profileId: '', controllerId: '', configurationId: '' }

async function aReservation(): Promise<{ id: string; stayId: string; path: string }> {
  const { body } = await ask('POST', '/api/v2/reservations', { stays: [aStay()] })
  const [stay] = body.data.attributes.stays
  return { id: body.data.id, stayId: stay.id, path: `/api/v2/reservations/${body.data.id}/stays/${stay.id}` }
}

const readsOnly = ({ rows, logBytes, flushes, messages }: Counted) =>
  assert.deepEqual({ rows, logBytes, flushes, messages }, { rows: 0, logBytes: 0, flushes: 0, messages: 0 })
const isDurable = ({ rows, logBytes, flushes }: Counted) =>
  assert.ok(rows > 0 && logBytes > 0 && flushes > 0, JSON.stringify({ rows, logBytes, flushes }))
const isCounted = ({ statements, functions, calls }: Counted) =>
  assert.ok(
    statements > 0 && functions > 50 && calls >= functions,
    JSON.stringify({ statements, functions, calls }),
  )

/** How long after a write its events about availability are published. */
const publishedMs = 2_500

describe('the work of', () => {
  before(async () => {
    const first = async (path: string) => String((await ask('GET', path)).body.data[0].id)
    facts.unitTypeId = await first('/api/v2/unit-types?filter[code]=FAM')
    facts.profileId = await first('/api/v2/profiles?page[size]=1')
    facts.controllerId = await first('/api/config/v1/access-controllers')
    const told = [{ startDate: day(-1), endDate: day(30), quantity: 10_000 }]
    await ask('PATCH', '/api/v2/availability/unit-types/FAM', told)
    // Everything has run once.
    for (let made = 0; made < 3; made++) await ask('GET', `/api/v2/reservations/${(await aReservation()).id}`)
  })

  it('reads', async () => {
    const reads: [name: string, pathOf: (id: string) => string][] = [
      ['GET a reservation with a stay', (id) => `/api/v2/reservations/${id}`],
      ['GET a page of 10, by arrival', () => `/api/v2/reservations?filter[arrival]=${day(0)}&page[size]=10`],
      [
        'GET a reservation by confirmation number',
        () => `/api/v2/reservations?filter[reservationIds.searchForm]=WORK-${number}`,
      ],
      ['GET a stay by externalId', () => `/api/v2/stays?filter[externalId]=work-stay-${number}`],
    ]
    for (const [name, pathOf] of reads) {
      let path = ''
      const get = () => ask('GET', path)
      const another = async () => {
        path = pathOf((await aReservation()).id)
        await pause(publishedMs)
      }
      const cold = await within(`${name}, first time`, get, another)
      // What is read for the second time is kept.
      await get()
      const warm = await within(`${name}, again`, get)
      for (const each of [cold, warm]) readsOnly(each)
      isCounted(cold)
      assert.ok(warm.statements <= cold.statements && warm.functions <= cold.functions, name)
    }
  })

  it('reservations and stays', async () => {
    const { id } = await aReservation()
    const writes: [name: string, work: () => Promise<unknown>][] = [
      ['POST a reservation with a stay', aReservation],
      ['POST a stay', () => ask('POST', `/api/v2/reservations/${id}/stays`, aStay())],
      [
        'PATCH a reservation',
        () => ask('PATCH', `/api/v2/reservations/${id}`, { comment: `Quiet ${++number}` }),
      ],
    ]
    for (const [name, work] of writes) {
      const counts = await within(name, work)
      isDurable(counts)
      isCounted(counts)
      assert.ok(counts.messages >= 2, 'it goes to the writer and back')
    }
  })

  it('a guest who checks in', async () => {
    let path = ''
    const assign = () => ask('POST', `${path}/unit-assignment`)
    const booked = async () => {
      path = (await aReservation()).path
    }
    const assigned = () =>
      booked()
        .then(assign)
        .then(() => {})
    const checkIn = () => ask('PATCH', path, { status: 'InHouse' })
    const pay = () =>
      ask('POST', `${path}/actions/record-payment`, { currency: 'EUR', amount: 100, brand: 'Cash' })
    isDurable(await within('POST unit-assignment', assign, booked))
    isDurable(await within('PATCH check-in', checkIn, assigned))
    isDurable(await within('POST record-payment', pay, booked))
  })

  it('cards', async () => {
    const body = (unitName: string) => ({
      type: 'keyCard',
      unitName,
      original: true,
      startDate: day(0),
      endDate: day(2),
    })
    const controller = `/api/v2/access/controllers/${facts.controllerId}`
    let unit = 100
    const issued: string[] = []
    /** The simulated guest needs a moment for a card; one that still lies at the gate would be recalled. */
    const taken = () => pause(2_500)
    const issue = async () => {
      const { body: made } = await ask('POST', `${controller}/key`, body(String(++unit)))
      issued.push(made.data.id)
    }
    const handOut = () => taken().then(issue).then(taken)
    const block = () => ask('POST', `/api/v2/access/keys/${issued.pop()}/actions/block`)
    isDurable(await within('POST key: a card', issue, taken))
    isDurable(await within('POST block: a lost card', block, handOut))
  })

  it('changes from a PMS', async () => {
    const { body } = await ask('POST', '/api/config/v1/pms-configurations', {
      name: 'Simulated PMS',
      adapter: 'cloudevents',
      transport: 'http',
      connection: { baseUrl: pmsServer.baseUrl },
      heartbeatSeconds: 3600,
    })
    const configuration = `/api/config/v1/pms-configurations/${body.data.id}`
    const pull = () => ask('POST', `${configuration}/actions/pull`)
    await ask('POST', `${configuration}/actions/full-load`)
    const reservation = (at: number): SharedReservation => ({
      externalId: null,
      stays: [
        {
          externalId: null,
          status: 'Confirmed' as const,
          startDate: day(1),
          endDate: day(3),
          personCount: { adults: 1 },
          units: [{ unitTypeCode: 'FAM', unitName: null }],
          reservationIds: [{ type: 'Confirmation' as const, value: `PMS-${at}` }],
          amount: { currency: 'EUR', amountWithTax: 200 },
          guests: [
            { externalId: `G${at}`, role: 'PrimaryGuest' as const, firstName: 'Anna', lastName: `Kern${at}` },
          ],
          comment: null,
        },
      ],
    })
    const names: string[] = []
    const isThere = async (filter: string) => {
      for (let look = 0; look < 100; look++) {
        if ((await ask('GET', `/api/v2/stays?${filter}`)).body.data.length > 0) return
        await pause(20)
      }
      assert.fail(`the change did not come: ${filter}`)
    }
    await within('pull: nothing new', pull)
    const made = async () => {
      names.push(pms.book.make(reservation(++number)).externalId)
      await pull()
    }
    isDurable(await within('pull: a new reservation', made))
    await isThere(`filter[reservationIds.searchForm]=PMS-${number}`)
    const changed = async () => {
      const name = names.pop()!
      const { value } = pms.book.reservations.get(name)!
      pms.book.put(name, {
        ...value!,
        stays: value!.stays.map((stay) => ({ ...stay, comment: 'Late arrival' })),
      })
      await pull()
    }
    isDurable(await within('pull: a changed reservation', changed, made))
    assert.ok((await ask('GET', '/api/v2/stays?filter[comment]=Late arrival')).body.data.length > 0)
  })

  after((t) => {
    const columns = measures
    const lines = [
      ['', ...columns],
      ...rows.map(([name, counts]) => [name, ...columns.map((column) => String(counts[column]))]),
    ]
    const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
    for (const line of lines)
      t.diagnostic(
        line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
      )
  })
})
