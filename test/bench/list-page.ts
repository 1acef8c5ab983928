import type { Query } from '../../src/resource/query.ts'
import { appliance } from './appliance.ts'
import { dayOf, filledHouse, type House } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { rawPage } from './raw-statement.ts'
import { alternate, readsOn, type Window } from './rounds.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const connections = 16
/** Days whose first page is asked for again and again; the rest of the days have a turn of their own. */
const daysInTurn = 50
const allDays = 2_000
const aims = { again: 1.8, any: 8, deep: 20 }
/** All pages of all days, which are more documents than are cached. */
const pagesOfADay = 5
const growthAim = 1.1

/** A page of ten reservations, filter and sort by an index: of some days again and again, and of any day. */
export const listPage: Measure = {
  name: 'list-page',
  async run({ rounds, seconds, size, greatSize }) {
    const sizes = greatSize === null ? [size] : [size, greatSize]
    const houses = await Promise.all(sizes.map(filledHouse))
    const servers = await Promise.all(houses.map(({ data }) => appliance(data)))
    const bytes = (await askOnce(servers[0]!.port, pageOf(0, houses[0]!))).length
    const koa = await serverProcess(new URL('./constant-koa.ts', import.meta.url), [String(bytes)])
    const constant = requestText('GET', '/one/1', houses[0]!.token)
    let turn = 0
    const ask = (server: ServerProcess, house: House, days: number) => {
      const next = () => pageOf(turn++ % days, house)
      return () => readsOn(server, { connections, seconds, next })
    }
    const contenders: Record<string, () => Promise<Window>> = {
      koa: () => readsOn(koa, { connections, seconds, next: () => constant }),
    }
    for (const [index, server] of servers.entries()) {
      contenders[`again ${index}`] = ask(server, houses[index]!, daysInTurn)
      contenders[`any ${index}`] = ask(server, houses[index]!, allDays)
    }
    const [server, house] = [servers[0]!, houses[0]!]
    const deep = () => pageOf(turn % allDays, house, Math.floor(turn++ / allDays) % pagesOfADay)
    contenders['deep 0'] = () => readsOn(server, { connections, seconds, next: deep })
    const results = await alternate(rounds, contenders)
    const raw = houses.map(({ data }) => rawPage(data, queryOf))
    await Promise.all([...servers, koa].map((server) => server.stop()))
    for (const house of houses) house.remove()
    const cpuOf = (name: string) => results[name]!.map(({ cpu }) => cpu)
    const line = (measure: string, name: string, index: number, aim: number): Line => {
      const ratio = median(cpuOf(name)) / median(cpuOf('koa'))
      return {
        measure: `${measure}, of ${sizes[index]!.toLocaleString('en')}: CPU a request`,
        ours: spread(cpuOf(name), 'us'),
        constant: spread(cpuOf('koa'), 'us'),
        raw: `${short(raw[index]!)} us`,
        ratio: short(ratio),
        aim: `${aim} x constant`,
        met: ratio <= aim,
      }
    }
    const lines = sizes.flatMap((_, index) => {
      return [
        line(`list page of 10, ${daysInTurn} days in turn`, `again ${index}`, index, aims.again),
        line('list page of 10, any day', `any ${index}`, index, aims.any),
      ]
    })
    lines.push(line('list page of 10, any of any day', 'deep 0', 0, aims.deep))
    return greatSize === null ? lines : [...lines, ...growth()]

    function growth(): Line[] {
      return ['again', 'any'].map((which) => {
        const ratio = median(cpuOf(`${which} 1`)) / median(cpuOf(`${which} 0`))
        const name = which === 'again' ? `${daysInTurn} days in turn` : 'any day'
        return {
          measure: `list page of 10, ${name}: the great house to the other`,
          ours: spread(cpuOf(`${which} 1`), 'us'),
          ratio: short(ratio),
          aim: `${growthAim} x`,
          met: ratio <= growthAim,
        }
      })
    }
  },
}

/** The request for a page of a day, default the first. Further ones need a house with all its ids. */
export function pageOf(day: number, { token, ids }: House, page = 0): string {
  const before = ids[day + allDays * (10 * page - 1)]
  const cursor = before === undefined ? '' : `&page[after]=${before}`
  return requestText('GET', `/api/v2/reservations?filter[arrival]=${dayOf(day)}&sort=arrival${cursor}`, token)
}

/** The query of `pageOf`. */
export function queryOf(index: number): Query {
  return {
    filters: [{ path: 'arrival', operator: 'eq', value: dayOf(index) }],
    sort: [{ path: 'arrival', descending: false }],
    page: { size: 10 },
  }
}
