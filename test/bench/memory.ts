import { applianceServer, filledHouse } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import type { Measure } from './measure.ts'
import { serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const requests = 20
const idleMs = 10_000
const aim = 1.4

/** Resident memory of an idle server, ten seconds after a few requests. */
export const memory: Measure = {
  name: 'memory',
  async run({ rounds, size }) {
    const house = await filledHouse(size)
    const bareServer = new URL('./constant-http.ts', import.meta.url)
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < Math.min(rounds, 2); round++) {
      const appliance = await serverProcess(applianceServer, [house.data])
      const constant = await serverProcess(bareServer)
      for (let index = 0; index < requests; index++) {
        const path = `/api/v2/reservations/${house.ids[index]}`
        await askOnce(appliance.port, requestText('GET', path, house.token))
        await askOnce(constant.port, requestText('GET', path, house.token))
      }
      await new Promise((resolve) => setTimeout(resolve, idleMs))
      ours.push(appliance.residentMb())
      bare.push(constant.residentMb())
      await Promise.all([appliance.stop(), constant.stop()])
    }
    house.remove()
    const ratio = median(ours) / median(bare)
    return [
      {
        measure: `resident memory, idle, ${size.toLocaleString('en')} reservations, from source`,
        ours: spread(ours, 'MB'),
        constant: spread(bare, 'MB'),
        ratio: short(ratio),
        aim: `${aim} x node:http`,
        met: ratio <= aim,
      },
    ]
  },
}
