import { appliance } from './appliance.ts'
import { dayOf, filledHouse, type House, reservationBody } from './filled-house.ts'
import { requestText } from './load.ts'
import type { Line, Measure } from './measure.ts'
import { type RawCreate, rawCreate } from './raw-create.ts'
import { alternate, type Window, windowOn } from './rounds.ts'
import { serverProcess } from './server-process.ts'
import { noCompiler, slowFlush } from './slow-flush.ts'
import { median, short, spread } from './statistics.ts'

const many = 64
const answerBytes = 2_000
/** The rate to that of raw statements in commits of the same size. */
const rateAim = 0.5
const cpuAim = { one: 700, many: 250 }
const flushesAim = { one: 100, many: 100 / 30 }
const kilobytesAim = { one: 34, many: 12 }

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
    const measured = { one: one as Created[], all: all as Created[] }
    const group = disk ? Math.round(100 / median(measured.all.map((each) => each.flushesPer100))) : many / 2
    const raw = { one: rawCreate(house.data, 1), many: rawCreate(house.data, group) }
    house.remove()
    return linesOf({ ...measured, koaOne: koaOne!, koaAll: koaAll! }, raw, disk !== null)
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
  raw: { one: RawCreate; many: RawCreate },
  counted: boolean,
): Line[] {
  const cases = [
    { at: 'at 1 connection', of: 'one', windows: one, koa: koaOne },
    { at: `at ${many} connections`, of: 'many', windows: all, koa: koaAll },
  ] as const
  const rates = cases.map(({ at, of, windows, koa }): Line => {
    const perSecond = windows.map((window) => window.perSecond)
    const ratio = median(perSecond) / raw[of].perSecond
    return {
      measure: `create, a second ${at}`,
      ours: `${spread(perSecond, '')}, p50 ${short(median(windows.map(({ p50 }) => p50)))} ms`,
      constant: short(median(koa.map((window) => window.perSecond))),
      raw: short(raw[of].perSecond),
      ratio: short(ratio),
      aim: `${rateAim} of raw`,
      met: ratio >= rateAim,
    }
  })
  const cpu = cases.map(({ at, of, windows, koa }): Line => {
    const used = windows.map((window) => window.cpu)
    return {
      measure: `create, CPU each ${at}`,
      ours: spread(used, 'us'),
      constant: spread(
        koa.map((window) => window.cpu),
        'us',
      ),
      raw: `${short(raw[of].cpu)} us`,
      aim: `${cpuAim[of]} us`,
      met: median(used) <= cpuAim[of],
    }
  })
  const disk = (measure: string, name: 'flushesPer100' | 'kilobytesEach', aims: typeof cpuAim, unit = '') =>
    cases.map(({ at, of, windows }): Line => {
      const values = windows.map((window) => window[name])
      return {
        measure: `create, ${measure} ${at}`,
        ours: counted ? spread(values, unit) : noCompiler,
        aim: `${short(aims[of])} ${unit}`,
        // A checkpoint flushes twice more now and then.
        ...(counted && { met: median(values) <= aims[of] * 1.01 }),
      }
    })
  return [
    ...rates,
    ...cpu,
    ...disk('flushes for 100', 'flushesPer100', flushesAim),
    ...disk('bytes to the disk (blocks of 4 KiB) each', 'kilobytesEach', kilobytesAim, 'kB'),
  ]
}
