import { appliance } from './appliance.ts'
import { dayOf, filledHouse, type House, reservationBody } from './filled-house.ts'
import { requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { rawCreate } from './raw-create.ts'
import { alternate, type Window, windowOn } from './rounds.ts'
import { serverProcess } from './server-process.ts'
import { noCompiler, slowFlush } from './slow-flush.ts'
import { median, short, spread } from './statistics.ts'

const many = 64
const answerBytes = 2_000
const gainAim = 4
const flushesAim = { one: 100, many: 100 / 30 }
const kilobytesAim = { one: 20, many: 8 }

interface Created extends Window {
  flushesPer100: number
  kilobytesEach: number
}

/** A reservation with a stay, on the disk before it is answered: alone, and 64 at a time. */
export const create: Measure = {
  name: 'create',
  async run({ rounds, seconds, size }) {
    const house = await filledHouse(size)
    const disk = slowFlush()
    const ours = await appliance(house.data, { env: disk?.env })
    const koa = await serverProcess(new URL('./constant-koa.ts', import.meta.url), [String(answerBytes)])
    const next = createsIn(house)
    const created = async (connections: number): Promise<Created> => {
      const [flushes, bytes] = [disk?.flushes() ?? 0, disk?.bytes() ?? 0]
      const window = await windowOn(ours, { connections, seconds, next })
      return {
        ...window,
        flushesPer100: (((disk?.flushes() ?? 0) - flushes) * 100) / window.requests,
        kilobytesEach: ((disk?.bytes() ?? 0) - bytes) / 1000 / window.requests,
      }
    }
    const body = JSON.stringify({ data: reservationBody(0, house.facts, 1) })
    const constant = () => requestText('POST', '/one/1', house.token, body)
    const { one, all, koaOne, koaAll } = await alternate<string, Created | Window>(rounds, {
      one: () => created(1),
      all: () => created(many),
      koaOne: () => windowOn(koa, { connections: 1, seconds, next: constant }),
      koaAll: () => windowOn(koa, { connections: many, seconds, next: constant }),
    })
    await Promise.all([ours.stop(), koa.stop()])
    disk?.remove()
    const raw = rawCreate(house.data)
    house.remove()
    return linesOf(
      { one: one as Created[], all: all as Created[], koaOne: koaOne!, koaAll: koaAll! },
      raw,
      disk !== null,
    )
  },
}

/** Requests that each create another reservation, for a day of the coming year. */
export function createsIn({ token, facts }: Pick<House, 'token' | 'facts'>): () => string {
  let number = 10_000_000
  return () => {
    number++
    const arrival = dayOf(1_000 + ((number * 7) % 365))
    const { attributes, stays } = reservationBody(number, facts, 1, arrival)
    const body = JSON.stringify({ data: { type: 'reservation', attributes: { ...attributes, stays } } })
    return requestText('POST', '/api/v2/reservations', token, body)
  }
}

function linesOf(
  { one, all, koaOne, koaAll }: { one: Created[]; all: Created[]; koaOne: Window[]; koaAll: Window[] },
  raw: number,
  counted: boolean,
): Line[] {
  const rate = (windows: Window[]) => windows.map(({ perSecond }) => perSecond)
  const cpu = (windows: Window[]) => windows.map((window) => window.cpu)
  const gain = median(rate(all)) / median(rate(one))
  const at = (connections: number) => `at ${connections} connection${connections === 1 ? '' : 's'}`
  const perCreate = (name: 'flushesPer100' | 'kilobytesEach', aims: { one: number; many: number }): Line[] =>
    (
      [
        ['one', 1, one],
        ['many', many, all],
      ] as const
    ).map(([which, connections, windows]) => {
      const values = windows.map((window) => window[name])
      const limit = aims[which]
      const unit = name === 'flushesPer100' ? '' : 'kB'
      const left = !counted
      return {
        measure: `create, ${name === 'flushesPer100' ? 'flushes for 100' : 'bytes to the disk (blocks of 4 KiB) each'} ${at(connections)}`,
        ours: left ? noCompiler : spread(values, unit),
        aim: `${short(limit)} ${unit}`,
        // A checkpoint flushes twice more now and then.
        ...(!left && { met: median(values) <= limit * 1.01 }),
      }
    })
  return [
    {
      measure: `create, a second ${at(1)}`,
      ours: `${spread(rate(one), '')}, p50 ${short(median(one.map(({ p50 }) => p50)))} ms`,
      constant: short(median(rate(koaOne))),
      raw: `${short(1e6 / raw)}`,
    },
    {
      measure: `create, a second ${at(many)}, to ${at(1)}`,
      ours: `${spread(rate(all), '')}, p50 ${short(median(all.map(({ p50 }) => p50)))} ms`,
      constant: short(median(rate(koaAll))),
      ratio: short(gain),
      aim: `${gainAim} x`,
      met: gain >= gainAim,
    },
    {
      measure: `create, CPU each ${at(1)}`,
      ours: spread(cpu(one), 'us'),
      constant: spread(cpu(koaOne), 'us'),
      raw: `${short(raw)} us`,
    },
    {
      measure: `create, CPU each ${at(many)}`,
      ours: spread(cpu(all), 'us'),
      constant: spread(cpu(koaAll), 'us'),
    },
    ...perCreate('flushesPer100', flushesAim),
    ...perCreate('kilobytesEach', kilobytesAim),
  ]
}
