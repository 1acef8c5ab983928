import { join } from 'node:path'
import { resources, shapeOf } from '../../src/api.ts'
import { systemClock } from '../../src/host/clock.ts'
import { readQuery } from '../../src/jsonapi/query.ts'
import type { Reader } from '../../src/resource/keeper.ts'
import { type Connection, openReader } from '../../src/store/connection.ts'
import { documentSql } from '../../src/store/document.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { appliance } from './appliance.ts'
import type { House } from './filled-house.ts'
import { greatHouse, rareTime } from './great-house.ts'
import { askOnce, drive, type Load, requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { alternate, windowOn } from './rounds.ts'
import { type SearchCase, searchCases } from './search-cases.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const connections = 4
const aim = 3
const rareAimMs = 10
const waitAimMs = 50
/** The other client asks for one reservation, and again so long after its answer. */
const restMs = 4

/** What is asked for while another client waits for something small: all that could hold it up. */
const heavy: Record<string, string> = {
  'a filter without an index': `stays?filter[startTime]=${rareTime}&sort=-startDate`,
  'the whole table in an order without an index': 'stays?sort=comment',
  'a filter through a relationship that most rows pass':
    'reservations?filter[stays.startDate][lte]=2026-01-01&sort=departure',
}

/** Lists of a great house beside statements written by hand, and how long others wait for the longest of them. */
export const search: Measure = {
  name: 'search',
  async run({ rounds, seconds, size, greatSize }) {
    const house = await greatHouse(greatSize ?? size)
    const lines = await besideByHand(house, rounds, seconds)
    const server = await checkedAppliance(house)
    lines.push(
      ...(await overHttp(server, house, rounds, seconds)),
      ...(await rareFilter(server, house, rounds)),
      ...(await waiting(server, house, rounds, seconds)),
    )
    await server.stop()
    lines.push(await coldStart(house, rounds))
    house.remove()
    return lines.map((line) => ({
      ...line,
      measure: `${(greatSize ?? size).toLocaleString('en')} stays: ${line.measure}`,
    }))
  },
}

/** From the parameters to the text of the answer, without HTTP, which costs the same for every route. */
async function besideByHand({ data }: House, rounds: number, seconds: number): Promise<Line[]> {
  const db = openReader(join(data, 'nightporter.db'))
  const reader = openReading(db, resources, () => 0, systemClock)
  const contenders: Record<string, () => Promise<number>> = {}
  for (const each of searchCases) {
    contenders[each.name] = () => cpuOf(seconds, (turn) => ourPage(reader, each, turn))
    for (const at of each.byHand.keys()) {
      const work = byHand(db, each, at)
      contenders[`${each.name} ${at}`] = () => cpuOf(seconds, async (turn) => work(turn))
    }
  }
  const results = await alternate(rounds, contenders)
  reader.close()
  db.close()
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

/** Microseconds of CPU for each time that the work is done. */
async function cpuOf(seconds: number, work: (turn: number) => Promise<unknown>): Promise<number> {
  const until = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  let turn = 0
  while (performance.now() < until) await work(turn++)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / turn
}

async function ourPage(reader: Reader, { resource, query }: SearchCase, turn: number): Promise<string> {
  const asked = readQuery(resources, resource, new URLSearchParams(query(turn)))
  const { documents } = await reader.page(resource, asked.query, shapeOf(resource))
  return documents.map(({ text }) => text).join()
}

/** The statement, and the texts of the ten rows of the page. */
function byHand(db: Connection, { resource, byHand }: SearchCase, which: number) {
  const { sql, values } = byHand[which]!
  const page = db.prepare(sql).pluck()
  const text = db.prepare(documentSql(resources, resource, shapeOf(resource))).pluck()
  return (turn: number) =>
    page
      .all(...values(turn))
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
    koa: () => windowOn(koa, { connections, seconds, next: () => constant }),
  }
  for (const { name, resource, query } of lookUps) {
    let turn = 0
    const next = () => requestOf(token, `${resource.path}?${query(turn++)}`)
    contenders[name] = () => windowOn(server, { connections, seconds, next })
  }
  const results = await alternate(rounds, contenders)
  await koa.stop()
  const cpuOf = (name: string) => results[name]!.map(({ cpu }) => cpu)
  return lookUps.map(({ name }) => ({
    measure: `${name}, over HTTP: CPU a request`,
    ours: spread(cpuOf(name), 'us'),
    constant: spread(cpuOf('koa'), 'us'),
    ratio: short(median(cpuOf(name)) / median(cpuOf('koa'))),
  }))
}

/** Asked for the first time, which makes a column of the field, and again. */
async function rareFilter({ port }: ServerProcess, { token }: House, rounds: number): Promise<Line[]> {
  const filters = ['stays?filter[nights]=999', 'reservations?filter[departure]=2023-05-06&sort=-createdAt']
  const cold: number[] = []
  const warm: number[] = []
  for (const path of filters) cold.push(await timed(port, requestOf(token, path)))
  for (let round = 0; round < rounds * 10; round++) {
    for (const path of filters)
      warm.push(await timed(port, requestOf(token, `${path}&page[size]=${1 + (round % 90)}`)))
  }
  return [
    { measure: 'a rare filter without an index, the first time', ours: spread(cold, 'ms') },
    {
      measure: 'a rare filter without an index',
      ours: spread(warm, 'ms'),
      aim: `${rareAimMs} ms`,
      met: median(warm) <= rareAimMs,
    },
  ]
}

async function timed(port: number, request: string): Promise<number> {
  const started = performance.now()
  await askOnce(port, request)
  return performance.now() - started
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
    const next = () => requestOf(token, `${path}&page[size]=${1 + (turn++ % 90)}`)
    const [load] = await Promise.all([others(), drive({ port: server.port, connections: 2, seconds, next })])
    return load
  }
  const contenders: Record<string, () => Promise<Load>> = { nothing: others }
  for (const [name, path] of Object.entries(heavy)) contenders[name] = beside(path)
  const results = await alternate(rounds, contenders)
  const worstOf = (name: string) => results[name]!.map(({ worst }) => worst)
  return Object.keys(heavy).map((name) => ({
    measure: `longest wait of another client while two ask for ${name}`,
    ours: spread(worstOf(name), 'ms'),
    constant: `${spread(worstOf('nothing'), 'ms')} with nothing else`,
    aim: `${waitAimMs} ms`,
    met: median(worstOf(name)) <= waitAimMs,
  }))
}

/** The appliance after it has read its whole store for damage, which takes a while. */
async function checkedAppliance({ data }: House): Promise<ServerProcess> {
  const server = await appliance(data)
  const isReady = () => askOnce(server.port, requestText('GET', '/readyz', '')).catch(() => null)
  while ((await isReady()) === null) await new Promise((resolve) => setTimeout(resolve, 200))
  return server
}

/** The same while a column is made, which happens once after each start. */
async function coldStart(house: House, rounds: number): Promise<Line> {
  const { token, ids } = house
  const worst: number[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await checkedAppliance(house)
    let turn = 0
    const small = () => requestOf(token, `reservations/${ids[turn++ % ids.length]}`)
    const others = drive({ port: server.port, connections: 1, seconds: 1, restMs, next: small })
    await askOnce(server.port, requestOf(token, 'stays?filter[nights]=999'))
    worst.push((await others).worst)
    await server.stop()
  }
  return {
    measure: 'longest wait of another client while a column is made',
    ours: spread(worst, 'ms'),
    aim: `${waitAimMs} ms`,
    met: median(worst) <= waitAimMs,
  }
}

function requestOf(token: string, path: string): string {
  return requestText('GET', encodeURI(`/api/v2/${path}`), token)
}
