import { join } from 'node:path'
import { resources, shapeOf } from '../../src/composition/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { readQuery } from '../../src/jsonapi/query/query.ts'
import type { Reader } from '../../src/resource/keeper.ts'
import type { Resource } from '../../src/resource/resource.ts'
import { type Connection, openReader } from '../../src/store/connection.ts'
import { selectPage } from '../../src/store/query/select.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { documentSql } from '../../src/store/rows/document.ts'
import { withHyphens } from '../../src/store/rows/template.ts'
import { Scans } from '../../src/store/scan/scans.ts'
import { appliance } from './appliance.ts'
import type { House } from './filled-house.ts'
import { greatHouse, rareTime } from './great-house.ts'
import { askOnce, drive, type Load, requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { alternate, readsOn } from './rounds.ts'
import { type SearchCase, searchCases } from './search-cases.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const connections = 4
const aim = 3
/** Of a look-up over HTTP, to a constant answer. */
const lookUpAim = 6
const scanAim = 1.3
/** How much longer than with nothing else another client may wait. */
const waitAimMs = 5
/** The other client asks for one reservation, and again so long after its answer. */
const restMs = 4
const entry = new URL('../../src/nightporter.js', import.meta.url)

/** What no index serves, with the type that is listed. */
const scanned: Record<string, [type: string, query: string]> = {
  'a filter without an index': ['stay', `filter[startTime]=${rareTime}&sort=-startDate`],
  'the whole table in an order without an index': ['stay', 'sort=comment'],
  'a filter through a relationship that most rows pass': [
    'reservation',
    'filter[stays.startDate][lte]=2026-01-01&sort=departure',
  ],
}

/** With a filter that all rows pass, another one each time, so that no answer is one that was given before. */
const another = (turn: number) => `&filter[createdAt][gt]=${new Date(turn).toISOString()}`

/** Lists of a great house beside statements written by hand, and how long others wait for the longest of them. */
export const search: Measure = {
  name: 'search',
  async run({ rounds, seconds, size, greatSize }) {
    const house = await greatHouse(greatSize ?? size)
    const lines = await besideStatements(house, rounds, seconds)
    const server = await checkedAppliance(house)
    lines.push(
      ...(await overHttp(server, house, rounds, seconds)),
      ...(await waiting(server, house, rounds, seconds)),
    )
    await server.stop()
    house.remove()
    return lines.map((line) => ({
      ...line,
      measure: `${(greatSize ?? size).toLocaleString('en')} stays: ${line.measure}`,
    }))
  },
}

/** From the parameters to the text of the answer, without HTTP, which costs the same for every route. */
async function besideStatements({ data }: House, rounds: number, seconds: number): Promise<Line[]> {
  const path = join(data, 'nightporter.db')
  const db = openReader(path)
  const scanning = new Scans({ path, entry, clock: systemClock })
  const reader = openReading(db, resources, { version: () => 0, clock: systemClock, scans: scanning })
  const lines = [
    ...(await besideByHand(db, reader, rounds, seconds)),
    ...(await besideTheSame(db, reader, rounds)),
  ]
  await scanning.close()
  db.close()
  return lines
}

async function besideByHand(
  db: Connection,
  reader: Reader,
  rounds: number,
  seconds: number,
): Promise<Line[]> {
  const contenders: Record<string, () => Promise<number>> = {}
  for (const each of searchCases) {
    contenders[each.name] = () =>
      cpuOf(seconds / 4, (turn) => ourPage(reader, each.resource, each.query(turn)))
    for (const at of each.byHand.keys()) {
      const work = byHand(db, each, at)
      contenders[`${each.name} ${at}`] = () => cpuOf(seconds / 4, async (turn) => work(turn))
    }
  }
  const results = await alternate(rounds, contenders)
  return searchCases.map(({ name, byHand }) => {
    const raw = Math.min(...byHand.map((_, at) => median(results[`${name} ${at}`]!)))
    const ratio = median(results[name]!) / raw
    return {
      measure: `${name}: CPU`,
      ours: spread(results[name]!, 'us'),
      raw: `${short(raw)} us`,
      ratio: short(ratio),
      aim: `${aim} x raw`,
      met: ratio <= aim,
    }
  })
}

/** Milliseconds of a page of the scan thread, and of its statement on a bare connection. */
async function besideTheSame(db: Connection, reader: Reader, rounds: number): Promise<Line[]> {
  let turn = 0
  const contenders: Record<string, () => Promise<number>> = {}
  for (const [name, [type, query]] of Object.entries(scanned)) {
    const resource = resources.get(type)!
    contenders[name] = () => timed(() => ourPage(reader, resource, query + another(turn++)))
    contenders[`${name}, bare`] = () => timed(async () => barePage(db, resource, query + another(turn++)))
  }
  const results = await alternate(rounds * 5, contenders)
  return Object.keys(scanned).map((name) => {
    const bare = median(results[`${name}, bare`]!)
    const ratio = median(results[name]!) / bare
    return {
      measure: `${name}: time`,
      ours: spread(results[name]!, 'ms'),
      raw: `${short(bare)} ms`,
      ratio: short(ratio),
      aim: `${scanAim} x raw`,
      met: ratio <= scanAim,
    }
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Microseconds of CPU for each time that the work is done. */
async function cpuOf(seconds: number, work: (turn: number) => Promise<unknown>): Promise<number> {
  const until = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  let turn = 0
  while (performance.now() < until) await work(turn++)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / turn
}

async function ourPage(reader: Reader, resource: Resource, query: string): Promise<string> {
  const asked = readQuery(resources, resource, new URLSearchParams(query))
  const { documents } = await reader.page(resource, asked.query, shapeOf(resource))
  return documents.map(({ text }) => text).join()
}

function barePage(db: Connection, resource: Resource, query: string): string {
  const asked = readQuery(resources, resource, new URLSearchParams(query))
  const [{ sql, values } = { sql: '', values: [] }] = selectPage(resources, resource, asked.query, null)
  const text = db.prepare(documentSql(resources, resource, shapeOf(resource))).pluck()
  const rids = db
    .prepare(sql)
    .pluck()
    .all(...values, 11)
  return withHyphens(
    rids
      .slice(0, 10)
      .map((rid) => text.get(rid))
      .join(),
  )
}

/** The statement, and the texts of the ten rows of the page. */
function byHand(db: Connection, { resource, byHand }: SearchCase, which: number) {
  const { sql, values } = byHand[which]!
  const pages = [0, 1].map((turn) => db.prepare(typeof sql === 'string' ? sql : sql(turn)).pluck())
  const text = db.prepare(documentSql(resources, resource, shapeOf(resource))).pluck()
  return (turn: number) =>
    pages[turn % 2]!.all(...values(turn))
      .slice(0, 10)
      .map((rid) => text.get(rid))
      .join()
}

/** The look-ups as they go over the wire, beside a constant answer. */
async function overHttp(
  server: ServerProcess,
  { token }: House,
  rounds: number,
  seconds: number,
): Promise<Line[]> {
  const koa = await serverProcess(new URL('./constant-koa.ts', import.meta.url), ['2000'])
  const constant = requestText('GET', '/one/1', token)
  const lookUps = searchCases.filter(({ isLookUp }) => isLookUp)
  const contenders: Record<string, () => Promise<{ cpu: number }>> = {
    koa: () => readsOn(koa, { connections, seconds, next: () => constant }),
  }
  for (const { name, resource, query } of lookUps) {
    let turn = 0
    const next = () => requestOf(token, `${resource.path}?${query(turn++)}`)
    contenders[name] = () => readsOn(server, { connections, seconds, next })
  }
  const results = await alternate(rounds, contenders)
  await koa.stop()
  const cpuOf = (name: string) => results[name]!.map(({ cpu }) => cpu)
  return lookUps.map(({ name }) => {
    const ratio = median(cpuOf(name)) / median(cpuOf('koa'))
    return {
      measure: `${name}, over HTTP: CPU a request`,
      ours: spread(cpuOf(name), 'us'),
      constant: spread(cpuOf('koa'), 'us'),
      ratio: short(ratio),
      aim: `${lookUpAim} x constant`,
      met: ratio <= lookUpAim,
    }
  })
}

/** The longest that GETs of one reservation take in a window, with nothing else to do and beside each heavy request. */
async function waiting(
  server: ServerProcess,
  house: House,
  rounds: number,
  seconds: number,
): Promise<Line[]> {
  const { token, ids } = house
  let turn = 0
  const small = () => requestOf(token, `reservations/${ids[turn++ % ids.length]}`)
  const others = (): Promise<Load> =>
    drive({ port: server.port, connections: 1, seconds, restMs, next: small })
  const beside = (path: string) => async () => {
    const next = () => requestOf(token, path + another(turn++))
    const [load] = await Promise.all([others(), drive({ port: server.port, connections: 2, seconds, next })])
    return load
  }
  const contenders: Record<string, () => Promise<Load>> = { nothing: others }
  for (const [name, [type, query]] of Object.entries(scanned))
    contenders[name] = beside(`${resources.get(type)!.path}?${query}`)
  const results = await alternate(rounds, contenders)
  const worstOf = (name: string) => results[name]!.map(({ worst }) => worst)
  return Object.keys(scanned).map((name) => ({
    measure: `longest wait of another client while two ask for ${name}`,
    ours: spread(worstOf(name), 'ms'),
    constant: `${spread(worstOf('nothing'), 'ms')} with nothing else`,
    aim: `${waitAimMs} ms more`,
    met: median(worstOf(name)) <= median(worstOf('nothing')) + waitAimMs,
  }))
}

/** The appliance after it has read its whole store for damage, which takes a while. */
async function checkedAppliance({ data }: House): Promise<ServerProcess> {
  const server = await appliance(data)
  const isReady = () => askOnce(server.port, requestText('GET', '/readyz', '')).catch(() => null)
  while ((await isReady()) === null) await new Promise((resolve) => setTimeout(resolve, 200))
  return server
}

function requestOf(token: string, path: string): string {
  return requestText('GET', encodeURI(`/api/v2/${path}`), token)
}
