import { appliance } from './appliance.ts'
import { filledHouse } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import type { Measure } from './measure.ts'
import { rawDocument } from './raw-statement.ts'
import { alternate, readsOn } from './rounds.ts'
import { serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const connections = 16
const asked = 1_000
const some = 20_000
const aims = { again: 1.4, some: 4, any: 6 }

/** GET of one reservation with two stays: of some that are asked for again and again, and of more than are cached. */
export const readOne: Measure = {
  name: 'read-one',
  async run({ rounds, seconds, size }) {
    const house = await filledHouse(size)
    const ours = await appliance(house.data)
    const pathOf = (id: string) => `/api/v2/reservations/${id}`
    const requests = house.ids.map((id) => requestText('GET', pathOf(id), house.token))
    const bytes = (await askOnce(ours.port, requests[0]!)).length
    const koa = await serverProcess(new URL('./constant-koa.ts', import.meta.url), [String(bytes)])
    const constant = requestText('GET', '/one/1', house.token)
    let turn = 0
    const again = () => requests[turn++ % asked]!
    const ofSome = () => requests[turn++ % Math.min(some, requests.length)]!
    const any = () => requests[turn++ % requests.length]!
    const results = await alternate(rounds, {
      again: () => readsOn(ours, { connections, seconds, next: again }),
      some: () => readsOn(ours, { connections, seconds, next: ofSome }),
      any: () => readsOn(ours, { connections, seconds, next: any }),
      koa: () => readsOn(koa, { connections, seconds, next: () => constant }),
    })
    const raw = {
      again: rawDocument(house.data, house.ids.slice(0, asked)),
      some: rawDocument(house.data, house.ids.slice(0, some)),
      any: rawDocument(house.data, house.ids),
    }
    await Promise.all([ours.stop(), koa.stop()])
    house.remove()
    const koaCpu = results.koa.map(({ cpu }) => cpu)
    const names = {
      again: `${asked} in turn`,
      some: `any of ${Math.min(some, requests.length)}`,
      any: `any of ${requests.length}`,
    }
    return (['again', 'some', 'any'] as const).flatMap((which) => {
      const cpu = results[which].map((each) => each.cpu)
      const ratio = median(cpu) / median(koaCpu)
      const name = `GET one, ${names[which]}`
      const rates = (windows: { perSecond: number }[]) =>
        short(median(windows.map(({ perSecond }) => perSecond)))
      return [
        {
          measure: `${name}, ${bytes} bytes: CPU a request`,
          ours: spread(cpu, 'us'),
          constant: spread(koaCpu, 'us'),
          raw: `${short(raw[which])} us`,
          ratio: short(ratio),
          aim: `${aims[which]} x constant`,
          met: ratio <= aims[which],
        },
        {
          measure: `${name}: requests/s, ${connections} connections`,
          ours: rates(results[which]),
          constant: rates(results.koa),
        },
      ]
    })
  },
}
